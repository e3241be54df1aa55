package patches

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/internal/testcluster"
)

// server asks a real API server, dry, in a namespace that enforces restricted.
type server struct {
	client    dynamic.Interface
	namespace string
}

func newServer(t *testing.T) *server {
	cluster := testcluster.Shared(t)
	made(t, cluster.Client())
	client, err := dynamic.NewForConfig(cluster.Config())
	if err != nil {
		t.Fatal(err)
	}
	return &server{client, cluster.Namespace(t, testcluster.Restricted)}
}

// made are the cluster's things that the patch files name.
func made(t *testing.T, client *kubernetes.Clientset) {
	t.Helper()
	var all []error
	for _, name := range []string{"agents", "low", "x"} {
		_, err := client.SchedulingV1().PriorityClasses().Create(t.Context(), &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: 5}, metav1.CreateOptions{})
		all = append(all, err)
	}
	_, err := client.NodeV1().RuntimeClasses().Create(t.Context(), &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "gvisor"}, Handler: "runsc"}, metav1.CreateOptions{})
	for _, err := range append(all, err) {
		if err != nil && !apierrors.IsAlreadyExists(err) {
			t.Fatal(err)
		}
	}
}

var resourceNames = map[string]string{
	"StatefulSet": "statefulsets", "PersistentVolumeClaim": "persistentvolumeclaims", "Service": "services", "ServiceAccount": "serviceaccounts",
	"HorizontalPodAutoscaler": "horizontalpodautoscalers", "PodDisruptionBudget": "poddisruptionbudgets", "Pod": "pods",
}

// refuses returns what the server has against an object; against the pods of a
// StatefulSet too, as its controller would make them.
func (s *server) refuses(ctx context.Context, o *Object) error {
	var all []error
	if set, ok := o.Typed.(*appsv1.StatefulSet); ok {
		all = append(all, s.create(ctx, kindOf("Pod"), plainPod(set)))
	}
	return errors.Join(append(all, s.create(ctx, o.kind, toPlain(o.Typed)))...)
}

func kindOf(name string) kind {
	for _, k := range kinds() {
		if k.Kind.Kind == name {
			return k
		}
	}
	return kind{}
}

func plainPod(set *appsv1.StatefulSet) map[string]any {
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: *set.Spec.Template.ObjectMeta.DeepCopy(), Spec: *set.Spec.Template.Spec.DeepCopy()}
	pod.Name, pod.Spec.ServiceAccountName = set.Name+"-0", "default" // the agent's own is not made
	for _, v := range set.Spec.VolumeClaimTemplates {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: v.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: v.Name + "-" + pod.Name}}})
	}
	return toPlain(pod)
}

func (s *server) create(ctx context.Context, k kind, plain map[string]any) error {
	u := &unstructured.Unstructured{Object: plain}
	u.SetNamespace(s.namespace)
	gvr := schema.GroupVersionResource{Group: k.Group, Version: k.Version, Resource: resourceNames[k.Kind.Kind]}
	_, err := s.client.Resource(gvr).Namespace(s.namespace).Create(ctx, u, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict})
	return err
}

// R2: a real API server takes every object of every patch that kora takes.
func TestClusterTakesWhatKoraTakes(t *testing.T) {
	s := newServer(t)
	for _, file := range archive(t, "accepted.txtar").Files {
		t.Run(strings.TrimSuffix(file.Name, ".yaml"), func(t *testing.T) {
			_, result := renderFile(t, file)
			for _, o := range result.Objects {
				if err := s.refuses(t.Context(), o); err != nil {
					t.Errorf("%s: %v", o.Title(), err)
				}
			}
		})
	}
}

// R2: and refuses what kora refuses in its name: kora is never stricter.
func TestClusterRefusesWhatKoraSaysItWould(t *testing.T) {
	s := newServer(t)
	for _, file := range archive(t, "unsound.txtar").Files {
		t.Run(strings.TrimSuffix(file.Name, ".yaml"), func(t *testing.T) {
			entries, found := loaded(t, file)
			set, more := Compile(entries)
			if found = append(found, more...); len(found) > 0 {
				t.Fatalf("%v", found)
			}
			result, _ := set.Render(settings())
			var refused error
			for _, o := range result.Objects {
				refused = errors.Join(refused, s.refuses(t.Context(), o))
			}
			if refused == nil {
				t.Error("the server takes it")
			} else if !apierrors.IsInvalid(first(refused)) {
				t.Logf("%v", refused)
			}
		})
	}
}

// R2: the server refuses annotations that are too long in all.
func TestClusterRefusesAnnotationsThatAreTooLong(t *testing.T) {
	s := newServer(t)
	for _, kind := range []string{"Service", "StatefulSet"} {
		result, found := longAnnotations(t, kind)
		if !found.Refused() {
			t.Errorf("%s: kora takes it", kind)
		}
		var refused error
		for _, o := range result.Objects {
			if o.Kind == kind {
				refused = s.refuses(t.Context(), o)
			}
		}
		if refused == nil || !strings.Contains(refused.Error(), "annotations") {
			t.Errorf("%s: %v", kind, refused)
		}
	}
}

// R2: nor does the server refuse what random patches make that kora takes.
func TestClusterTakesWhatRandomPatchesMake(t *testing.T) {
	s, taken := newServer(t), 0
	for _, built := range builtObjects(t) {
		for seed := range uint64(300) {
			text := asEntry(built["kind"].(string), randomText(built, seed), "")
			docs, _ := source.Parse(source.NewFile("a.yaml", text), source.DefaultLimits)
			if len(docs) != 1 {
				continue
			}
			result, found := render(t, Entry{"a", docs[0]})
			if result == nil || found.Refused() {
				continue
			}
			for _, o := range result.Objects {
				if len(o.Writes) == 0 {
					continue
				}
				taken++
				if err := s.refuses(t.Context(), o); err != nil {
					t.Errorf("seed %d: %v\n%s", seed, err, text)
				}
			}
		}
	}
	if taken < 60 {
		t.Errorf("%d taken: the generators prove nothing", taken)
	}
}

// randomText is of one of both generators in turn.
func randomText(built map[string]any, seed uint64) string {
	if seed%2 == 0 {
		return patchText(seed, built, seed%4 == 0)
	}
	speaker := &speaker{rand.New(rand.NewPCG(seed, 99))}
	doc := speaker.object(built, typeOf(built["kind"]))
	for _, name := range []string{"$patch", "status"} {
		delete(doc, name)
	}
	doc["kind"], doc["metadata"] = "any", map[string]any{"name": "any"}
	b, _ := json.Marshal(doc)
	return string(b)
}

func first(err error) error {
	for {
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok || len(joined.Unwrap()) == 0 {
			return err
		}
		err = joined.Unwrap()[0]
	}
}
