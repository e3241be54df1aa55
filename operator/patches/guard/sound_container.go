package guard

import (
	"fmt"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) soundContainers(at fields.Path, s *corev1.PodSpec, claims []string) {
	volumes := slices.Clone(claims)
	for _, v := range s.Volumes {
		volumes = append(volumes, v.Name)
	}
	var places []fields.Path
	var names []string
	for _, list := range []struct {
		field string
		all   []corev1.Container
	}{{"initContainers", s.InitContainers}, {"containers", s.Containers}} {
		for i := range list.all {
			place := at.Child(list.field).Item("name", list.all[i].Name)
			if list.all[i].Name == "" {
				place = at.Child(list.field).Index(i)
			}
			places, names = append(places, place), append(names, list.all[i].Name)
			c.soundContainer(place, &list.all[i], volumes)
			if i := &list.all[i]; list.field == "initContainers" && i.RestartPolicy == nil {
				c.noProbes(place, i)
			}
		}
	}
	c.twice(func(i int) fields.Path { return places[i] }, names, "two containers of one name")
}

func (c *checker) soundContainer(at fields.Path, in *corev1.Container, volumes []string) {
	if c.needs(at.Child("name"), in.Name, "a container has a name") {
		c.must(at.Child("name"), in.Name, validation.IsDNS1123Label)
	}
	c.needs(at.Child("image"), in.Image, "a container has an image")
	c.env(at.Child("env"), in.Env)
	c.ports(at.Child("ports"), in.Ports)
	c.soundMounts(at, in, volumes)
	c.resources(at.Child("resources"), in.Resources)
	c.probe(at.Child("livenessProbe"), in.LivenessProbe, 1)
	c.probe(at.Child("startupProbe"), in.StartupProbe, 1)
	c.probe(at.Child("readinessProbe"), in.ReadinessProbe, math.MaxInt32)
	if l := in.Lifecycle; l != nil {
		c.hook(at.Child("lifecycle").Child("postStart"), l.PostStart)
		c.hook(at.Child("lifecycle").Child("preStop"), l.PreStop)
	}
}

func (c *checker) env(at fields.Path, all []corev1.EnvVar) {
	for i, e := range all {
		at := at.Item("name", e.Name)
		if e.Name == "" {
			c.unsound(at[:len(at)-len("[name=]")].Index(i).Child("name"), "a variable has a name", "(none)", "a name", "add name")
			continue
		}
		c.must(at.Child("name"), e.Name, validation.IsRelaxedEnvVarName)
		v := e.ValueFrom
		if v == nil {
			continue
		}
		if e.Value != "" {
			c.unsound(at.Child("valueFrom"), "a variable has a value or a source", "both", "one of the two", "set the other to null")
		}
		if n := set(v.FieldRef != nil, v.ResourceFieldRef != nil, v.ConfigMapKeyRef != nil, v.SecretKeyRef != nil, v.FileKeyRef != nil); n != 1 {
			c.unsound(at.Child("valueFrom"), "a variable has one source", fmt.Sprint(n), "one", "set the others to null")
		}
		c.fieldRef(at.Child("valueFrom").Child("fieldRef"), v.FieldRef)
		if r := v.SecretKeyRef; r != nil {
			c.must(at.Child("valueFrom").Child("secretKeyRef").Child("key"), r.Key, validation.IsConfigMapKey)
		}
		if r := v.ConfigMapKeyRef; r != nil {
			c.must(at.Child("valueFrom").Child("configMapKeyRef").Child("key"), r.Key, validation.IsConfigMapKey)
		}
	}
}

// envFields are what a variable may read of its pod, besides single labels
// and annotations.
var envFields = []string{
	"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
	"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs",
}

func (c *checker) fieldRef(at fields.Path, r *corev1.ObjectFieldSelector) {
	if r == nil {
		return
	}
	if r.APIVersion != "" && r.APIVersion != "v1" {
		c.unsound(at.Child("apiVersion"), "the pod has no such version", r.APIVersion, "v1", "leave it out")
	}
	if one := strings.HasPrefix(r.FieldPath, "metadata.labels['") || strings.HasPrefix(r.FieldPath, "metadata.annotations['"); !one && !slices.Contains(envFields, r.FieldPath) {
		c.unsound(at.Child("fieldPath"), "no field that a variable may read", r.FieldPath, "one of "+strings.Join(envFields, ", ")+", or a label as metadata.labels['key']", nearField(r.FieldPath))
	}
}

func nearField(name string) string {
	if near := fields.Nearest(name, envFields); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// set counts what is there.
func set(all ...bool) int {
	return len(slices.DeleteFunc(all, func(is bool) bool { return !is }))
}

func (c *checker) ports(at fields.Path, all []corev1.ContainerPort) {
	names := make([]string, len(all))
	place := func(i int) fields.Path { return at.Item("containerPort", fmt.Sprint(all[i].ContainerPort)) }
	for i, p := range all {
		names[i] = p.Name
		between(c, place(i).Child("containerPort"), &p.ContainerPort, 1, math.MaxUint16)
		c.name(place(i).Child("name"), p.Name, validation.IsValidPortName)
	}
	c.twice(func(i int) fields.Path { return place(i).Child("name") }, names, "two ports of one name")
}

// noProbes: an init container ends before anybody would ask how it is.
func (c *checker) noProbes(at fields.Path, in *corev1.Container) {
	for name, is := range map[string]bool{
		"livenessProbe": in.LivenessProbe != nil, "readinessProbe": in.ReadinessProbe != nil, "startupProbe": in.StartupProbe != nil, "lifecycle": in.Lifecycle != nil,
	} {
		if is {
			c.unsound(at.Child(name), "an init container has none, unless it is a sidecar", "it is set", "(none)", "take it out, or set restartPolicy: Always")
		}
	}
}

// probe: kora's ask by httpGet; a patch that adds another way must take that out.
func (c *checker) probe(at fields.Path, p *corev1.Probe, successes int32) {
	if p == nil {
		return
	}
	c.handler(at, p.HTTPGet, p.TCPSocket, set(p.Exec != nil, p.HTTPGet != nil, p.TCPSocket != nil, p.GRPC != nil))
	for name, n := range map[string]*int32{"initialDelaySeconds": &p.InitialDelaySeconds, "timeoutSeconds": &p.TimeoutSeconds, "periodSeconds": &p.PeriodSeconds, "failureThreshold": &p.FailureThreshold} {
		atLeast(c, at.Child(name), n, 0)
	}
	between(c, at.Child("successThreshold"), &p.SuccessThreshold, 0, successes)
	between(c, at.Child("terminationGracePeriodSeconds"), p.TerminationGracePeriodSeconds, 1, math.MaxInt64)
	if p.TerminationGracePeriodSeconds != nil && successes > 1 {
		c.unsound(at.Child("terminationGracePeriodSeconds"), "a readiness probe ends nothing", fmt.Sprint(*p.TerminationGracePeriodSeconds), "(none)", "leave it out")
	}
}

func (c *checker) hook(at fields.Path, h *corev1.LifecycleHandler) {
	if h != nil {
		c.handler(at, h.HTTPGet, h.TCPSocket, set(h.Exec != nil, h.HTTPGet != nil, h.TCPSocket != nil, h.Sleep != nil))
	}
}

func (c *checker) handler(at fields.Path, get *corev1.HTTPGetAction, socket *corev1.TCPSocketAction, n int) {
	if n != 1 {
		c.unsound(at, "it asks in one way", fmt.Sprint(n), "one of exec, httpGet, tcpSocket and their like", "set the others to null, such as httpGet: null")
	}
	if get != nil {
		c.port(at.Child("httpGet").Child("port"), get.Port)
	}
	if socket != nil {
		c.port(at.Child("tcpSocket").Child("port"), socket.Port)
	}
}
