package images_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const at = registrytest.Host

// R52: what is read is on the status; each image that is wrong says why and what
// to do, and stops no other.
func TestImagesAreJudged(t *testing.T) {
	faults := map[string]http.HandlerFunc{
		"denied": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401); fmt.Fprint(w, planted) },
		"busy": func(w http.ResponseWriter, r *http.Request) { // for long, and of no other image
			w.Header().Set("Retry-After", "99999999999999999999")
			w.WriteHeader(429)
		},
		"html": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>"+planted)
		},
		"endless": func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		},
		"led": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest/", http.StatusFound)
		},
		"forged": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
			fmt.Fprint(w, "{}")
		},
	}
	p := begin(t, "judged", func(w http.ResponseWriter, r *http.Request) bool {
		parts := strings.Split(r.URL.Path, "/")
		if fault := faults[parts[min(2, len(parts)-1)]]; fault != nil && strings.Contains(r.URL.Path, "/manifests/") {
			fault(w, r)
			return true
		}
		return false
	}, nil)
	digest := p.server.Push(t, "team/good:1", registrytest.Sandbox(t, "linux/amd64", "100")).String()
	p.server.Push(t, "team/named:1", registrytest.Sandbox(t, "linux/amd64", "agent"))
	p.server.Push(t, "team/root:1", registrytest.Sandbox(t, "linux/amd64", ""))
	p.server.Push(t, "team/foreign:1", registrytest.Image(t, "linux/amd64", "100", nil))
	p.server.PushIndex(t, "team/arm:1", "linux/arm64", "linux/s390x")
	index := p.server.PushIndex(t, "team/many:1", "linux/amd64", "linux/arm64").String()
	for name := range faults {
		reference := at + "/" + name + "/x:1"
		if name == "forged" {
			reference = at + "/" + name + "/x@" + digest
		}
		p.image(t, "image-"+name, reference, nil)
	}
	for _, name := range []string{"good", "named", "root", "foreign", "arm", "many", "gone"} {
		p.image(t, "image-"+name, at+"/team/"+name+":1", nil)
	}
	p.image(t, "image-port", "other.example.com:8443/team/x:1", nil)
	p.image(t, "image-inside", "kubernetes.default.svc/team/x:1", nil)
	for _, c := range []struct{ name, reason, says string }{
		{"denied", v1alpha1.ReasonUnauthorized, "spec.pullSecretRef"}, {"busy", v1alpha1.ReasonRegistryUnavailable, "429"},
		{"html", v1alpha1.ReasonRegistryUnavailable, "no container image"}, {"endless", v1alpha1.ReasonRegistryUnavailable, "more than"},
		{"led", v1alpha1.ReasonRegistryNotAllowed, "does not go there"}, {"forged", v1alpha1.ReasonRegistryUnavailable, "digest"},
		{"gone", v1alpha1.ReasonImageNotFound, "push the image"}, {"named", v1alpha1.ReasonWrongUser, "a name"}, {"root", v1alpha1.ReasonWrongUser, "USER 100"},
		{"foreign", v1alpha1.ReasonNotSandboxBase, images.BaseLabel}, {"arm", v1alpha1.ReasonPlatformMissing, "linux/amd64"},
		{"port", v1alpha1.ReasonRegistryNotAllowed, "registryPorts"}, {"inside", v1alpha1.ReasonRegistryNotAllowed, "registryMirrors"},
	} {
		if got := p.says(t, "image-"+c.name, c.reason, c.says); got.Status.Digest != "" {
			t.Errorf("%s: a digest that nobody may pull: %s", c.name, got.Status.Digest)
		}
	}
	good := p.says(t, "image-good", v1alpha1.ReasonSucceeded, digest)
	if good.Status.Digest != digest || !slices.Equal(good.Status.Platforms, []string{"linux/amd64"}) || good.Status.CheckedAt.IsZero() {
		t.Errorf("%+v", good.Status)
	}
	if many := p.says(t, "image-many", v1alpha1.ReasonSucceeded); many.Status.Digest != index || len(many.Status.Platforms) != 2 {
		t.Errorf("%+v", many.Status)
	}
	p.told(t, "image-root", v1alpha1.ReasonWrongUser, "USER 100")
}

// R52: the pull Secret is the image's own namespace's; what is wrong with it is
// told by field, and one that comes later is found.
func TestPullSecrets(t *testing.T) {
	p := begin(t, "pulls", func(w http.ResponseWriter, r *http.Request) bool {
		if user, password, _ := r.BasicAuth(); strings.HasPrefix(r.URL.Path, "/v2/team/") && (user != "u" || password != planted) {
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		return false
	}, nil)
	p.server.Push(t, "team/private:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	// The mirror is the host that is read, so its name is the one that has an entry.
	host := strings.TrimPrefix(p.server.URL, "http://")
	config := fmt.Sprintf(`{"auths":{%q:{"auth":%q}}}`, host, base64.StdEncoding.EncodeToString([]byte("u:"+planted)))
	p.pullSecret(t, "opaque", corev1.SecretTypeOpaque, map[string]string{corev1.DockerConfigJsonKey: config})
	p.pullSecret(t, "keyless", corev1.SecretTypeOpaque, map[string]string{"password": planted})
	p.pullSecret(t, "broken", corev1.SecretTypeDockerConfigJson, map[string]string{corev1.DockerConfigJsonKey: `{"auths":{"x":{"auth":"` + planted + `"}}}`})
	for _, c := range []struct{ secret, reason, says string }{
		{"", v1alpha1.ReasonUnauthorized, "spec.pullSecretRef"},
		{"opaque", v1alpha1.ReasonInvalid, "kubernetes.io/dockerconfigjson"},
		{"keyless", v1alpha1.ReasonSecretKeyMissing, ".dockerconfigjson"},
		{"broken", v1alpha1.ReasonInvalid, "spec.pullSecretRef"},
		{"later", v1alpha1.ReasonReferenceNotFound, `spec.pullSecretRef.name: there is no Secret "later"`},
	} {
		p.image(t, "private-"+c.secret+"x", at+"/team/private:1", func(o *v1alpha1.SandboxImage) {
			if c.secret != "" {
				o.Spec.PullSecretRef = &v1alpha1.LocalReference{Name: c.secret}
			}
		})
		p.says(t, "private-"+c.secret+"x", c.reason, c.says)
	}
	// A Secret of that name in another namespace is none.
	elsewhere := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "later"}, Type: corev1.SecretTypeDockerConfigJson, StringData: map[string]string{corev1.DockerConfigJsonKey: config}}
	if err := p.Admin.Create(t.Context(), elsewhere); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Admin.Delete(context.Background(), elsewhere) })
	p.image(t, "elsewhere", at+"/team/private:1", func(o *v1alpha1.SandboxImage) { o.Spec.PullSecretRef = &v1alpha1.LocalReference{Name: "later"} })
	p.says(t, "elsewhere", v1alpha1.ReasonReferenceNotFound, "other namespaces are not read")
	p.pullSecret(t, "later", corev1.SecretTypeDockerConfigJson, map[string]string{corev1.DockerConfigJsonKey: config})
	p.says(t, "private-laterx", v1alpha1.ReasonSucceeded)
	p.says(t, "elsewhere", v1alpha1.ReasonSucceeded)
}

// R50, R52: in a namespace that its tenant left behind the operator has no rights, and
// tries nothing, and each image says so, whatever it said before; a tenant of the same name finds its images looked at again at once.
func TestImagesOfATenantThatLeft(t *testing.T) {
	p := begin(t, "left", nil, nil)
	for _, tag := range []string{"1", "2"} {
		p.server.Push(t, "team/mine:"+tag, registrytest.Sandbox(t, "linux/amd64", "100"))
	}
	p.pullSecret(t, "own", corev1.SecretTypeDockerConfigJson, map[string]string{corev1.DockerConfigJsonKey: `{"auths":{}}`})
	o := p.image(t, "mine", at+"/team/mine:1", func(o *v1alpha1.SandboxImage) {
		o.Spec.PullSecretRef, o.Spec.Warm = &v1alpha1.LocalReference{Name: "own"}, true
	})
	p.says(t, "mine", v1alpha1.ReasonSucceeded)
	warm := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: "kora-warm-mine"}}
	operatortest.Eventually(t, func() error { return p.Admin.Get(t.Context(), client.ObjectKeyFromObject(warm), warm) })
	tenant := &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: p.tenant}}
	if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(tenant), tenant); err != nil {
		t.Fatal(err)
	}
	if err := p.Admin.Delete(t.Context(), tenant.DeepCopy()); err != nil { // Retain
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		return absent(p.Admin.Get(t.Context(), client.ObjectKeyFromObject(tenant), &v1alpha1.KoraTenant{}))
	})
	if err := absent(p.Admin.Get(t.Context(), client.ObjectKeyFromObject(warm), warm)); err != nil {
		t.Errorf("its image is kept pulled: %v", err)
	}
	for _, name := range []string{"mine", images.Base} {
		if left := p.says(t, name, v1alpha1.ReasonInvalid, "left behind by the KoraTenant left", "create a KoraTenant left"); left.Status.Digest != "" {
			t.Errorf("%s: a digest that nobody looks after: %s", name, left.Status.Digest)
		}
	}
	patch(t, p, o, `{"spec":{"image":"`+at+`/team/mine:2"}}`)
	p.says(t, "mine", v1alpha1.ReasonInvalid, "left behind")
	p.Quiet(t) // a right that lacks fails the test
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	status := o.DeepCopy() // as an operator of before left it
	meta.SetStatusCondition(&status.Status.Conditions, metav1.Condition{Type: v1alpha1.ConditionValid, Status: "True", Reason: v1alpha1.ReasonSucceeded, Message: "old", ObservedGeneration: 2})
	if err := p.Admin.Status().Patch(t.Context(), status, client.MergeFrom(o)); err != nil {
		t.Fatal(err)
	}
	p.start(t)
	p.says(t, "mine", v1alpha1.ReasonInvalid, "left behind")
	if err := p.Admin.Create(t.Context(), &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: p.tenant}, Spec: tenant.Spec}); err != nil {
		t.Fatal(err)
	}
	p.says(t, "mine", v1alpha1.ReasonSucceeded)
}

// R52: an image is read again each sync period: a tag that moved is followed, and a
// registry that is out takes nothing from a valid image.
func TestImagesAreReadAgain(t *testing.T) {
	var out atomic.Bool
	p := begin(t, "again", func(w http.ResponseWriter, _ *http.Request) bool {
		if out.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return out.Load()
	}, nil)
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	p.Settings.SyncPeriod = "2s"
	first := p.server.Push(t, "team/moving:1", registrytest.Sandbox(t, "linux/amd64", "100")).String()
	p.start(t)
	p.image(t, "moving", at+"/team/moving:1", nil)
	if got := p.says(t, "moving", v1alpha1.ReasonSucceeded); got.Status.Digest != first {
		t.Errorf("%s, not %s", got.Status.Digest, first)
	}
	second := p.server.Push(t, "team/moving:1", registrytest.Image(t, "linux/amd64", "100:100", map[string]string{images.BaseLabel: "2"})).String()
	p.says(t, "moving", v1alpha1.ReasonSucceeded, second)
	out.Store(true)
	if got := p.says(t, "moving", v1alpha1.ReasonSucceeded, second, "since then", "answers 503"); got.Status.Digest != second {
		t.Errorf("a registry that is out took the digest: %+v", got.Status)
	}
	out.Store(false)
	p.server.Push(t, "team/moving:1", registrytest.Sandbox(t, "linux/amd64", "0"))
	p.says(t, "moving", v1alpha1.ReasonWrongUser)
}

// R52: warm is one DaemonSet by digest, placed as sandboxes are, admitted where Pod
// Security is restricted, restored, and gone when warm is off.
func TestWarm(t *testing.T) {
	p := begin(t, "warm", nil, map[string]any{"warmBase": true})
	digest := p.server.Push(t, "team/warm:1", registrytest.Sandbox(t, "linux/amd64", "100")).String()
	o := p.image(t, "custom", at+"/team/warm:1", func(o *v1alpha1.SandboxImage) { o.Spec.Warm = true })
	set := &appsv1.DaemonSet{}
	running := func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKey{Namespace: p.namespace, Name: "kora-warm-custom"}, set); err != nil {
			return err
		}
		if set.Status.NumberReady != 2 { // the nodes of the sandboxes' pool
			return fmt.Errorf("%d of 2 pods run: %+v", set.Status.NumberReady, set.Status)
		}
		return nil
	}
	operatortest.Eventually(t, running)
	pod := set.Spec.Template.Spec
	if pod.Containers[0].Image != at+"/team/warm@"+digest || pod.NodeSelector[testcluster.TierLabel] != "kora-sandbox" || len(set.Spec.Template.Spec.Tolerations) != 1 {
		t.Errorf("%+v", pod)
	}
	operatortest.Eventually(t, func() error {
		return p.Admin.Get(t.Context(), client.ObjectKey{Namespace: p.namespace, Name: "kora-warm-kora-base"}, &appsv1.DaemonSet{})
	})
	// Somebody's hand is undone.
	patch(t, p, set, `{"spec":{"template":{"spec":{"containers":[{"name":"sleep","image":"example.com/other:1"}]}}}}`)
	operatortest.Eventually(t, func() error {
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(set), set); err != nil {
			return err
		}
		if got := set.Spec.Template.Spec.Containers[0].Image; got != at+"/team/warm@"+digest {
			return fmt.Errorf("it runs %s", got)
		}
		return nil
	})
	p.Quiet(t)
	patch(t, p, o, `{"spec":{"warm":false}}`)
	operatortest.Eventually(t, func() error { return absent(p.Admin.Get(t.Context(), client.ObjectKeyFromObject(set), set)) })
	foreign := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: "kora-warm-custom"}, Spec: *set.Spec.DeepCopy()}
	if err := p.Admin.Create(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	patch(t, p, o, `{"spec":{"warm":true}}`)
	p.told(t, "custom", v1alpha1.ReasonConflict, "kora-warm-custom")
	p.kept(t, "custom", v1alpha1.ReasonConflict, "kora-warm-custom of this namespace is not the operator's")
}
