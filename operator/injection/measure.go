package injection

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// What kora reads at most of any pod, an agent's or another: each is some ten times what
// the largest pods have, and bounds what one request costs, in time and memory, before
// any of it is read (R54). An agent's pod is bounded more closely: see crowd.
const (
	// maxPod is more than a pod of kora's has, however patched, and far less than
	// what the API server would send: in bytes of JSON.
	maxPod = 1 << 20
	// readValues counts objects, lists and what stands in them: three bytes of JSON
	// are a container of some hundred bytes once they are read.
	readValues     = 1 << 15
	readContainers = 128 // of all three lists
	readVolumes    = 512
	readVariables  = 4096 // env and envFrom of all containers
)

// size is how much there is in a pod.
type size struct{ values, containers, volumes, variables int }

// lean is a pod of which only the lists' lengths are read: without memory, however
// long they are.
type lean struct {
	Spec struct {
		Containers, InitContainers, EphemeralContainers []struct{ Env, EnvFrom []struct{} }
		Volumes                                         []struct{}
	}
}

// measure looks at a pod as the API server sends it. What has too many values is not
// looked at further.
func measure(raw []byte) size {
	s := size{values: values(raw)}
	if s.values > readValues {
		return s
	}
	var pod lean
	_ = json.Unmarshal(raw, &pod) // who reads it whole tells
	s.volumes = len(pod.Spec.Volumes)
	for _, list := range [][]struct{ Env, EnvFrom []struct{} }{pod.Spec.Containers, pod.Spec.InitContainers, pod.Spec.EphemeralContainers} {
		s.containers += len(list)
		for _, c := range list {
			s.variables += len(c.Env) + len(c.EnvFrom)
		}
	}
	return s
}

// values counts by what begins or parts values outside of texts.
func values(raw []byte) int {
	n, text := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case !text && (c == '{' || c == '[' || c == ','):
			n++
		}
	}
	return n
}

// unread refuses what is not to be read at all. A change of a pod that takes no more
// than before passes, or else nobody could let go of a pod that grew.
func (s size) unread(before size) error {
	if s.values <= readValues || s.values <= before.values {
		return nil
	}
	return fmt.Errorf("the pod has %d values (objects, lists and what stands in them), and kora reads pods of at most %d; make it smaller, or several of it", s.values, readValues)
}

// faults refuses what is read and not judged, by field, but for what was there before.
func (s size) faults(before size) field.ErrorList {
	var faults field.ErrorList
	for _, f := range []struct {
		at             *field.Path
		n, had, most   int
		things, remedy string
	}{
		{field.NewPath("spec", "containers"), s.containers, before.containers, readContainers, "containers, with those of initContainers and ephemeralContainers", "make several pods of it"},
		{field.NewPath("spec", "volumes"), s.volumes, before.volumes, readVolumes, "volumes", "bring several sources together in a projected one"},
		{field.NewPath("spec", "containers").Key("*").Child("env"), s.variables, before.variables, readVariables, "variables in all containers", "mount a ConfigMap instead"},
	} {
		if f.n > f.most && f.n > f.had {
			faults = append(faults, bad(f.at, "", "has %d %s, and kora judges pods of at most %d; %s", f.n, f.things, f.most, f.remedy))
		}
	}
	return faults
}

// bounded refuses a request for a pod that is larger than kora judges.
func bounded(r admission.Request) (refused admission.Response, is bool) {
	now, before := measure(r.Object.Raw), size{}
	if r.Operation == admissionv1.Update {
		before = measure(r.OldObject.Raw)
	}
	if err := now.unread(before); err != nil {
		return admission.Errored(http.StatusRequestEntityTooLarge, err), true
	}
	if faults := now.faults(before); len(faults) > 0 {
		return denied(r, r.Name[:min(len(r.Name), maxName)], faults), true
	}
	return admission.Response{}, false
}
