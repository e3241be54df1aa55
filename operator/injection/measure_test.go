package injection

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// asked is a request for a new pod, or for a change of one.
func asked(t testing.TB, namespace string, old, pod *corev1.Pod) admission.Request {
	t.Helper()
	raw := func(p *corev1.Pod) runtime.RawExtension {
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return runtime.RawExtension{Raw: b}
	}
	r := admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Namespace: namespace, Name: pod.Name, Operation: admissionv1.Create, Object: raw(pod)}}
	if old != nil {
		r.Operation, r.OldObject = admissionv1.Update, raw(old)
	}
	return r
}

// grown is a sandbox with so many more of each.
func grown(containers, volumes, variables int) *corev1.Pod {
	p := sandbox()
	bare(p, containers-len(p.Spec.Containers)-len(p.Spec.InitContainers))
	emptied(p, volumes-len(p.Spec.Volumes))
	env := &p.Spec.Containers[len(p.Spec.Containers)-1].Env
	for n := count(p); n < variables; n++ {
		*env = append(*env, corev1.EnvVar{Name: fmt.Sprint("E", n), Value: `{[,"\`})
	}
	return p
}

func count(p *corev1.Pod) int {
	n := 0
	for each := range all(p) {
		n += len(each.Env) + len(each.EnvFrom)
	}
	return n
}

// R54: at each bound a pod is judged, and above it refused by field, with the number
// that it has, the bound and what to do; all at once.
func TestPodsAboveABoundAreNotJudged(t *testing.T) {
	const says = "has %d %s, and kora judges pods of at most %d; "
	for name, c := range map[string]struct {
		pod  *corev1.Pod
		says []string
	}{
		"at the bounds": {grown(128, 512, 4096), nil},
		"containers":    {grown(129, 2, 100), []string{"spec.containers " + fmt.Sprintf(says, 129, "containers, with those of initContainers and ephemeralContainers", 128) + "make several pods"}},
		"volumes":       {grown(2, 513, 100), []string{"spec.volumes " + fmt.Sprintf(says, 513, "volumes", 512) + "bring several sources"}},
		"variables":     {grown(2, 2, 4097), []string{"spec.containers[*].env " + fmt.Sprintf(says, 4097, "variables in all containers", 4096) + "mount a ConfigMap"}},
		"all":           {grown(129, 513, 4097), []string{"spec.containers has 129", "spec.volumes has 513", "env has 4097"}},
	} {
		r, is := bounded(asked(t, "kora-tenant-example", nil, c.pod))
		if is != (c.says != nil) {
			t.Errorf("%s: %+v", name, r.Result)
			continue
		}
		for _, part := range c.says {
			if r.Result.Code != http.StatusForbidden || !strings.Contains(r.Result.Message, part) {
				t.Errorf("%s: %q lacks %q", name, r.Result.Message, part)
			}
		}
	}
}

// R54: a pod of very many values is not read, whatever they are called and wherever
// they stand, and none in a text counts.
func TestPodsOfTooManyValuesAreNotRead(t *testing.T) {
	request := func(raw string) admission.Request {
		return admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: []byte(raw)}}}
	}
	many := strings.Repeat(`{},`, readValues/2) + `{}`
	for name, raw := range map[string]string{
		"containers":          `{"spec":{"containers":[` + many + `]}}`,
		"twice":               `{"spec":{"containers":[` + many + `],"containers":[]}}`,
		"in capitals":         `{"SPEC":{"InitContainers":[` + many + `]}}`,
		"in the status":       `{"status":{"containerStatuses":[` + many + `]}}`,
		"keys":                `{"metadata":{"labels":{` + strings.Repeat(`"a":"b",`, readValues) + `"c":"d"}}}`,
		"deep":                strings.Repeat(`[`, readValues+1),
		"behind a text":       `{"a":"\\\"","b":[` + many + `]}`,
		"in a text that ends": `{"a":"\"","b":[` + many + `]}`,
	} {
		r, is := bounded(request(raw))
		if !is || r.Result.Code != http.StatusRequestEntityTooLarge || !strings.Contains(r.Result.Message, "values (objects, lists and what stands in them), and kora reads pods of at most 32768; make it smaller") {
			t.Errorf("%s: %v %+v", name, is, r.Result)
		}
	}
	if r, is := bounded(request(`{"metadata":{"annotations":{"a":"` + strings.Repeat(`{[,\"\\`, readValues) + `"}}}`)); is {
		t.Errorf("a text: %+v", r.Result)
	}
}

// R54: a pod that was admitted when nobody counted can still be let go of, and may
// not grow.
func TestAPodAboveABoundMayShrink(t *testing.T) {
	large, larger, smaller := grown(200, 600, 5000), grown(201, 600, 5000), grown(150, 600, 5000)
	for _, c := range []struct {
		old, pod *corev1.Pod
		refused  bool
	}{{large, large, false}, {large, smaller, false}, {large, larger, true}, {sandbox(), large, true}} {
		if r, is := bounded(asked(t, "kora-tenant-example", c.old, c.pod)); is != c.refused {
			t.Errorf("refused %v: %+v", is, r.Result)
		}
	}
	var crowded []string
	for n := range readValues + 2 {
		crowded = append(crowded, fmt.Sprintf(`"k%d":"v"`, n))
	}
	pod := func(keys []string) runtime.RawExtension {
		return runtime.RawExtension{Raw: []byte(`{"metadata":{"labels":{` + strings.Join(keys, ",") + `}}}`)}
	}
	for n, refused := range map[int]bool{0: false, 1: true} {
		r := admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Operation: admissionv1.Update, OldObject: pod(crowded[n:]), Object: pod(crowded)}}
		if got, is := bounded(r); is != refused {
			t.Errorf("%d fewer before: %+v", n, got.Result)
		}
	}
}

// R54: counting costs no more than the bytes that are counted, whatever they say.
func TestMeasuringIsCheap(t *testing.T) {
	for name, raw := range map[string]string{
		"containers": `{"spec":{"containers":[` + strings.Repeat(`{},`, maxPod/3-20) + `{}]}}`,
		"few":        `{"spec":{"containers":[` + strings.Repeat(`{},`, readValues/3) + `{}]}}`,
		"variables":  `{"spec":{"containers":[{"env":[` + strings.Repeat(`{},`, readValues/3) + `{}]}]}}`,
		"a text":     `{"metadata":{"name":"` + strings.Repeat(`\"`, maxPod/2-20) + `"}}`,
	} {
		if bytes := allocated(func() { measure([]byte(raw)) }); bytes > 4*maxPod {
			t.Errorf("%s: %d bytes for %d", name, bytes, len(raw))
		}
	}
}
