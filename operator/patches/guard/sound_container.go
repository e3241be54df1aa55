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
			if i := &list.all[i]; list.field == "initContainers" && !always(i) {
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
	if c.needs(at.Child("image"), in.Image, "a container has an image") && strings.TrimSpace(in.Image) != in.Image {
		c.unsound(at.Child("image"), "an image's name has no spaces around it", in.Image, strings.TrimSpace(in.Image), "")
	}
	c.env(at.Child("env"), in.Env)
	c.envFrom(at.Child("envFrom"), in.EnvFrom)
	c.ports(at.Child("ports"), in.Ports)
	c.soundMounts(at, in, volumes)
	c.resources(at.Child("resources"), in.Resources)
	c.claimsOf(at.Child("resources").Child("claims"), in.Resources.Claims)
	c.resizes(at.Child("resizePolicy"), in)
	c.restarts(at, in)
	c.context(at.Child("securityContext"), in.SecurityContext)
	c.probe(at.Child("livenessProbe"), in.LivenessProbe, 1)
	c.probe(at.Child("startupProbe"), in.StartupProbe, 1)
	c.probe(at.Child("readinessProbe"), in.ReadinessProbe, math.MaxInt32)
	c.lifecycle(at.Child("lifecycle"), in.Lifecycle)
}

func (c *checker) ports(at fields.Path, all []corev1.ContainerPort) {
	names := make([]string, len(all))
	place := func(i int) fields.Path { return at.Item("containerPort", fmt.Sprint(all[i].ContainerPort)) }
	for i, p := range all {
		names[i] = p.Name
		between(c, place(i).Child("containerPort"), &p.ContainerPort, 1, math.MaxUint16)
		c.name(place(i).Child("name"), p.Name, validation.IsValidPortName)
		if p.HostPort != 0 {
			between(c, place(i).Child("hostPort"), &p.HostPort, 1, math.MaxUint16)
		}
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
