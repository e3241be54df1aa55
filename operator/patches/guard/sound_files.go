package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/fields"
)

const mostMode = 0o777

// files are those that a volume makes of a ConfigMap's or Secret's keys.
func (c *checker) files(at fields.Path, all []corev1.KeyToPath) {
	for i, f := range all {
		at := at.Index(i)
		c.needs(at.Child("key"), f.Key, "the file is made of no key")
		c.file(at, f.Path, f.Mode)
	}
}

// podFiles are those that a volume makes of the pod's own fields.
func (c *checker) podFiles(at fields.Path, all []corev1.DownwardAPIVolumeFile) {
	for i, f := range all {
		at := at.Index(i)
		c.file(at, f.Path, f.Mode)
		if n := set(f.FieldRef != nil, f.ResourceFieldRef != nil); n != 1 {
			c.unsound(at, "a file has one source", fmt.Sprint(n), "fieldRef or resourceFieldRef", "keep one of the two")
		}
		c.fieldRef(at.Child("fieldRef"), f.FieldRef, fileFields, "a file")
		if r := f.ResourceFieldRef; r != nil {
			c.needs(at.Child("resourceFieldRef").Child("containerName"), r.ContainerName, "it names no container")
			c.resourceRef(at.Child("resourceFieldRef"), r)
		}
	}
}

func (c *checker) file(at fields.Path, name string, mode *int32) {
	if c.needs(at.Child("path"), name, "the file has no path") {
		c.local(at.Child("path"), name)
	}
	between(c, at.Child("mode"), mode, 0, mostMode)
}

// local is the path of a file that a volume makes: names that begin with two dots
// are the kubelet's own.
func (c *checker) local(at fields.Path, p string) {
	if !c.below(at, p) {
		return
	}
	if strings.HasPrefix(p, "..") {
		c.unsound(at, "names that begin so are the kubelet's own", p, "a relative path that does not begin with ..", "")
	}
}

// below reports whether a path is inside a volume.
func (c *checker) below(at fields.Path, p string) bool {
	if !path.IsAbs(p) && !steps(p) {
		return true
	}
	c.unsound(at, "the path leads out of the volume", p, "a relative path without ..", "")
	return false
}

// noSteps is a path that leads nowhere above itself.
func (c *checker) noSteps(at fields.Path, p string) {
	if steps(p) {
		c.unsound(at, "the path leads upwards", p, "a path without ..", "")
	}
}

func steps(p string) bool { return slices.Contains(strings.Split(p, "/"), "..") }

// projections: a source is of one kind, and every file of one source. Kinds that
// servers have only with a feature that is off by default are left to them.
func (c *checker) projections(at fields.Path, v *corev1.ProjectedVolumeSource) {
	between(c, at.Child("defaultMode"), v.DefaultMode, 0, mostMode)
	var names []string
	var places []fields.Path
	take := func(at fields.Path, name string) { names, places = append(names, name), append(places, at) }
	for i := range v.Sources {
		c.projection(at.Child("sources").Index(i), &v.Sources[i], take)
	}
	c.twice(func(i int) fields.Path { return places[i] }, names, "two files of one path")
}

func (c *checker) projection(at fields.Path, s *corev1.VolumeProjection, take func(fields.Path, string)) {
	if n := set(s.ConfigMap != nil, s.Secret != nil, s.DownwardAPI != nil, s.ServiceAccountToken != nil); n > 1 {
		c.unsound(at, "a source is of one kind", fmt.Sprint(n), "one", "make a source of each")
	}
	keys := func(at fields.Path, name string, items []corev1.KeyToPath) {
		c.needs(at.Child("name"), name, "the source has no name")
		c.files(at.Child("items"), items)
		for i, f := range items {
			take(at.Child("items").Index(i).Child("path"), f.Path)
		}
	}
	if m := s.ConfigMap; m != nil {
		keys(at.Child("configMap"), m.Name, m.Items)
	}
	if m := s.Secret; m != nil {
		keys(at.Child("secret"), m.Name, m.Items)
	}
	if d := s.DownwardAPI; d != nil {
		c.podFiles(at.Child("downwardAPI").Child("items"), d.Items)
		for i, f := range d.Items {
			take(at.Child("downwardAPI").Child("items").Index(i).Child("path"), f.Path)
		}
	}
	if t := s.ServiceAccountToken; t != nil {
		c.soundToken(at.Child("serviceAccountToken"), t)
	}
}

// How long a token may be good for, in seconds.
const (
	leastToken = 600
	mostToken  = 1 << 32
)

func (c *checker) soundToken(at fields.Path, t *corev1.ServiceAccountTokenProjection) {
	between(c, at.Child("expirationSeconds"), t.ExpirationSeconds, leastToken, mostToken)
	c.file(at, t.Path, nil)
}
