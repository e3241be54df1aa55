package registry

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/runkora/kora/operator/api/v1alpha1"
)

// R52: the digest, the platforms and the config of an image, by tag and by digest,
// through a mirror that speaks plain HTTP (R30).
func TestReadsAnImage(t *testing.T) {
	f := serve(t, nil)
	digest := f.Push(t, "team/image:1", sandbox(t, "linux/amd64", "100"))
	for _, reference := range []string{host + "/team/image:1", host + "/team/image@" + digest.String(), host + "/team/image:moved@" + digest.String()} {
		got, failure := f.client.Read(t.Context(), Request{Image: reference, Platforms: []string{"linux/amd64"}})
		if failure != nil {
			t.Fatalf("%s: %v", reference, failure)
		}
		want := Image{Digest: digest.String(), Platforms: []string{"linux/amd64"},
			Configs: []Config{{"linux/amd64", "100", map[string]string{"io.runkora.sandbox.base": "1.4.0"}}}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reference, diff)
		}
	}
}

// R52: of an index, the images for the nodes are read, and what is missing is told.
func TestReadsAnIndexByTheNodesPlatforms(t *testing.T) {
	f := serve(t, nil)
	digest := f.PushIndex(t, "team/image:1", "linux/amd64", "linux/arm64/v8", "linux/s390x")
	for _, c := range []struct {
		wanted, read, missing []string
	}{
		{[]string{"linux/amd64"}, []string{"linux/amd64"}, nil},
		{[]string{"linux/arm64"}, []string{"linux/arm64/v8"}, nil},
		{[]string{"linux/amd64", "linux/ppc64le"}, []string{"linux/amd64"}, []string{"linux/ppc64le"}},
		{[]string{"linux/ppc64le"}, nil, []string{"linux/ppc64le"}},
		{nil, []string{"linux/amd64", "linux/arm64/v8", "linux/s390x"}, nil},
	} {
		got, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image:1", Platforms: c.wanted})
		if failure != nil {
			t.Fatal(failure)
		}
		var read []string
		for _, config := range got.Configs {
			read = append(read, config.Platform)
		}
		if got.Digest != digest.String() || !slices.Equal(read, c.read) || !slices.Equal(got.Missing, c.missing) || len(got.Platforms) != 3 {
			t.Errorf("%v: read %v, missing %v of %v, digest %s", c.wanted, read, got.Missing, got.Platforms, got.Digest)
		}
	}
}

// R52: an image of one platform that no node has has no config to judge.
func TestOneImageOfAnotherPlatform(t *testing.T) {
	f := serve(t, nil)
	f.Push(t, "team/image:1", sandbox(t, "linux/arm64", "100"))
	got, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image:1", Platforms: []string{"linux/amd64"}})
	if failure != nil || len(got.Configs) != 0 || !slices.Equal(got.Missing, []string{"linux/amd64"}) {
		t.Errorf("%+v, %v", got, failure)
	}
}

// R52: a chart or another artifact is no image.
func TestAnArtifactIsNoImage(t *testing.T) {
	f := serve(t, nil)
	f.Push(t, "team/chart:1", mutate.ConfigMediaType(sandbox(t, "linux/amd64", "100"), types.MediaType("application/vnd.cncf.helm.config.v1+json")))
	_, failure := f.client.Read(t.Context(), Request{Image: host + "/team/chart:1"})
	if failure == nil || failure.Reason != v1alpha1.ReasonInvalid || !strings.Contains(failure.Message, "no container image") || failure.Temporary() {
		t.Errorf("%v", failure)
	}
}

// R30: the mirror's path stands before the repository, and docker.io has two names.
func TestMirrors(t *testing.T) {
	f := serve(t, nil)
	f.Push(t, "cache/team/image:1", sandbox(t, "linux/amd64", "100"))
	f.Push(t, "cache/library/busybox:1", sandbox(t, "linux/amd64", "100"))
	for key, image := range map[string]string{host: host + "/team/image:1", host + ":5000": host + ":5000/team/image:1",
		"docker.io": "index.docker.io/library/busybox:1", "index.docker.io": "docker.io/library/busybox:1"} {
		c := &Client{Mirrors: map[string]string{key: f.URL + "/cache/"}}
		if _, failure := c.Read(t.Context(), Request{Image: image}); failure != nil {
			t.Errorf("%s for %s: %v", key, image, failure)
		}
	}
}

// R30, R52: what a reference may not name is refused before anything is asked.
func TestRefusedBeforeAnyRequest(t *testing.T) {
	c := &Client{Ports: []int{5000}, Mirrors: map[string]string{"bad.example.com": "http://"}, dial: noDial(t)}
	for image, want := range map[string]string{
		"busybox":                                 v1alpha1.ReasonInvalid,
		"registry.example.com/a":                  v1alpha1.ReasonInvalid,
		"registry.example.com/../a:1":             v1alpha1.ReasonInvalid,
		"user:word@registry.example.com/a:1":      v1alpha1.ReasonInvalid,
		"registry.example.com:8443/a:1":           v1alpha1.ReasonRegistryNotAllowed,
		"registry.example.com:99999/a:1":          v1alpha1.ReasonRegistryNotAllowed,
		"localhost/a:1":                           v1alpha1.ReasonRegistryNotAllowed,
		"localhost:5000/a:1":                      v1alpha1.ReasonRegistryNotAllowed,
		"k3d.localhost:5000/a:1":                  v1alpha1.ReasonRegistryNotAllowed,
		"registry:5000/a:1":                       v1alpha1.ReasonRegistryNotAllowed,
		"kubernetes.default.svc:443/a:1":          v1alpha1.ReasonRegistryNotAllowed,
		"kora-policy.x.svc.cluster.local:443/a:1": v1alpha1.ReasonRegistryNotAllowed,
		"bad.example.com/a:1":                     v1alpha1.ReasonRegistryNotAllowed,
	} {
		_, failure := c.Read(t.Context(), Request{Image: image})
		if failure == nil || failure.Reason != want || failure.Fix == "" {
			t.Errorf("%s: %+v", image, failure)
		}
	}
}
