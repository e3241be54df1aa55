package images

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants/proof"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// nextTurn is how soon an image asks again whether its turn has come, or up to twice as
// long, when nobody has told it before.
const nextTurn = 10 * time.Second

// Reconcile reads an image when its time has come, writes what it found, and tells
// what became of a warm one. What is wrong with an image is told on its
// status and tried again; an error is the API server's alone. One that a finalizer
// holds in its deletion is read as any other: whoever names it gets what it says.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	image := &v1alpha1.SandboxImage{}
	if err := r.client.Get(ctx, request.NamespacedName, image); err != nil {
		r.schedule.forget(request.NamespacedName)
		r.line.leave(request.NamespacedName)
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	home := &corev1.Namespace{}
	if err := r.client.Get(ctx, client.ObjectKey{Name: image.Namespace}, home); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if !home.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil // it goes with its namespace
	}
	if left, err := r.left(ctx, home); err != nil || left != nil {
		return ctrl.Result{}, errors.Join(err, r.leave(ctx, image, left))
	}
	key, err := r.marks.get(ctx, r.client, r.settings.SystemNamespace)
	if err != nil {
		return ctrl.Result{}, err
	}
	proven := proof.WasRead(key, image)
	wait, unsettled := r.schedule.wait(image, proven)
	if wait == 0 {
		if wait, unsettled, err = r.look(ctx, home, image, proven); err != nil {
			return ctrl.Result{}, client.IgnoreNotFound(err)
		}
	}
	if unsettled {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	if err := errors.Join(r.tellWarm(ctx, image), r.mark(ctx, image, key)); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: max(wait, time.Second)}, nil
}

// look reads an image, writes what it found, and gives the time until the next look.
// One whose turn has not come is unsettled.
func (r *Reconciler) look(ctx context.Context, home *corev1.Namespace, image *v1alpha1.SandboxImage, proven bool) (wait time.Duration, unsettled bool, err error) {
	before := image.DeepCopy()
	r.schedule.mine(image, proven)
	found, err := r.find(ctx, home, image)
	if err != nil {
		return 0, false, err
	}
	if found.failure != nil && found.failure.Waiting() {
		r.line.join(nameOf(image))
		r.waits(image, found.failure)
		return nextTurn + rand.N(nextTurn), true, status.Write(ctx, r.client, before, image)
	}
	r.line.leave(nameOf(image))
	r.line.next(image.Namespace)
	r.note(ctx, image, found)
	digest := image.Status.Digest
	if err := status.Write(ctx, r.client, before, image); err != nil {
		return 0, false, err
	}
	// The answer's: what was read is not of this spec, or was laid over what the cache had not seen.
	if image.Generation != before.Generation || image.Status.Digest != digest {
		return time.Second, true, nil
	}
	return r.schedule.read(image, found), false, nil
}

// waits lets an image stand as it was judged last until its turn comes. It says that it
// waits when it never was, or when nothing proves that it was.
func (r *Reconciler) waits(image *v1alpha1.SandboxImage, until *registry.Failure) {
	was := meta.FindStatusCondition(image.Status.Conditions, v1alpha1.ConditionValid)
	if was == nil || was.Status == metav1.ConditionTrue && image.Status.Digest == "" {
		status.Set(image, v1alpha1.ConditionValid, status.Wait("%s", until), r.clock.Now())
		r.warmed(image)
	}
}

// finding is what one look at an image brought.
type finding struct {
	verdict status.Verdict
	image   registry.Image
	read    bool // the registry was asked and answered with an image
	failure *registry.Failure
	pause   time.Duration
}

func refuse(v status.Verdict) (finding, error) { return finding{verdict: v}, nil }

// find looks at an image: its place, its form, its Secrets, and its registry.
func (r *Reconciler) find(ctx context.Context, home *corev1.Namespace, image *v1alpha1.SandboxImage) (finding, error) {
	if _, ok := rules.TenantOf(home); !ok {
		fault := rules.Homeless(image.Namespace)
		return refuse(status.Bad(v1alpha1.ReasonInvalid, "%s: %s", fault.Field, fault.Detail))
	}
	if faults := rules.Validate(image); len(faults) > 0 {
		return refuse(status.Bad(v1alpha1.ReasonInvalid, "%s", rules.Message(faults)))
	}
	if failure := r.waitsOn(image); failure != nil {
		return finding{failure: failure}, nil
	}
	keyring, bad, err := r.keyring(ctx, image)
	if err != nil || bad != nil {
		return finding{verdict: orNothing(bad)}, err
	}
	platforms, err := r.nodes.platforms(ctx, r.live, r.settings.SandboxPlacement, r.clock.Now())
	if err != nil {
		return finding{}, err
	}
	read, failure := r.registry.Read(ctx, registry.Request{Image: image.Spec.Image, Tenant: image.Namespace, Platform: r.isPlatforms(image), Keyring: keyring, Platforms: platforms})
	if failure != nil {
		return finding{verdict: r.failed(image, failure), failure: failure, pause: failure.RetryAfter}, ctx.Err()
	}
	return finding{verdict: Judge(read), image: read, read: true}, nil
}

// waitsOn is the failure of an image that waits already and whose turn has not come: its
// Secrets were read when it joined the line, and are read again when somebody wakes it from
// there, or a tenant's many images would cost the API server requests without end.
func (r *Reconciler) waitsOn(image *v1alpha1.SandboxImage) *registry.Failure {
	if !r.line.has(nameOf(image)) {
		return nil
	}
	return r.registry.Waits(image.Spec.Image, image.Namespace)
}

// isPlatforms reports whether an image is the platform's, as its reference tells: whoever
// writes the same one gains nothing but its answer.
func (r *Reconciler) isPlatforms(image *v1alpha1.SandboxImage) bool {
	return r.platform[image.Spec.Image] && image.Spec.PullSecretRef == nil
}

func orNothing(v *status.Verdict) status.Verdict {
	if v == nil {
		return status.Verdict{}
	}
	return *v
}

func checked(image *v1alpha1.SandboxImage) string {
	if image.Status.CheckedAt == nil {
		return "an unknown time"
	}
	return image.Status.CheckedAt.UTC().Format(time.RFC3339)
}

// note writes a finding into the status, and tells of a change in an event. A read
// that finds what the status says moves nothing, not even its time: in a steady
// state nothing is written.
func (r *Reconciler) note(ctx context.Context, image *v1alpha1.SandboxImage, f finding) {
	was := meta.FindStatusCondition(image.Status.Conditions, v1alpha1.ConditionValid)
	changed := was == nil || was.Reason != f.verdict.Reason
	before := image.Status.DeepCopy()
	if !f.verdict.True() {
		image.Status.Digest, image.Status.Platforms = "", nil
	}
	if f.read && f.verdict.True() {
		image.Status.Digest, image.Status.Platforms = f.image.Digest, f.image.Platforms
	}
	status.Set(image, v1alpha1.ConditionValid, f.verdict, r.clock.Now())
	if f.read && (before.CheckedAt == nil || !equality.Semantic.DeepEqual(*before, image.Status)) {
		now := metav1.NewTime(r.clock.Now().Truncate(time.Second))
		image.Status.CheckedAt = &now
	}
	r.warmed(image)
	if changed && !f.verdict.True() {
		log.FromContext(ctx).Info("the image is not valid", "reason", f.verdict.Reason, "message", f.verdict.Message)
		r.events.Eventf(image, nil, corev1.EventTypeWarning, f.verdict.Reason, "Read", "%s", short(f.verdict.Message))
	}
}
