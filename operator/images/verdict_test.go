package images

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/settings"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var labelled = map[string]string{BaseLabel: ""}

func one(user string, labels map[string]string) registry.Image {
	return registry.Image{Digest: "sha256:" + strings.Repeat("a", 64), Platforms: []string{"linux/amd64"},
		Configs: []registry.Config{{Platform: "linux/amd64", User: user, Labels: labels}}}
}

// R52: uid 100 by number, and the base image's label; anything else says what to do.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name, reason, says string
		image              registry.Image
	}{
		{"as it should be", v1alpha1.ReasonSucceeded, "sha256:aaa", one("100", labelled)},
		{"with a group", v1alpha1.ReasonSucceeded, "", one("100:100", labelled)},
		{"with a group's name", v1alpha1.ReasonSucceeded, "", one("100:users", labelled)},
		{"no user", v1alpha1.ReasonWrongUser, "USER 100", one("", labelled)},
		{"root", v1alpha1.ReasonWrongUser, `"0"`, one("0", labelled)},
		{"root by name", v1alpha1.ReasonWrongUser, `"root", a name`, one("root", labelled)},
		{"another name", v1alpha1.ReasonWrongUser, `"agent:users", a name`, one("agent:users", labelled)},
		{"100 in another form", v1alpha1.ReasonWrongUser, `"0100"`, one("0100", labelled)},
		{"100 with a space", v1alpha1.ReasonWrongUser, `" 100"`, one(" 100", labelled)},
		{"an empty group", v1alpha1.ReasonWrongUser, `"100:"`, one("100:", labelled)},
		{"the group alone", v1alpha1.ReasonWrongUser, `":100"`, one(":100", labelled)},
		{"no label", v1alpha1.ReasonNotSandboxBase, "FROM kora-sandbox-base", one("100", nil)},
		{"another label", v1alpha1.ReasonNotSandboxBase, BaseLabel, one("100", map[string]string{BaseLabel + "x": "1"})},
		{"both wrong", v1alpha1.ReasonWrongUser, BaseLabel, one("0", nil)},
		{"no platform", v1alpha1.ReasonPlatformMissing, "--platform linux/amd64", registry.Image{Platforms: []string{"linux/arm64"}, Missing: []string{"linux/amd64"}}},
		{"one platform of two", v1alpha1.ReasonSucceeded, "no image for linux/arm64", func() registry.Image {
			i := one("100", labelled)
			i.Missing = []string{"linux/arm64"}
			return i
		}()},
		{"another in its place", v1alpha1.ReasonSucceeded, "no image for linux/s390x, and sandboxes on such nodes do not start; it has no image for linux/amd64 itself, and sandboxes on such nodes start only where", func() registry.Image {
			i := one("100", labelled)
			i.Missing, i.Partial = []string{"linux/s390x"}, []string{"linux/amd64"}
			return i
		}()},
		{"wrong on one platform", v1alpha1.ReasonWrongUser, "linux/arm64: it runs as", func() registry.Image {
			i := one("100", labelled)
			i.Configs = append(i.Configs, registry.Config{Platform: "linux/arm64", User: "0", Labels: labelled})
			return i
		}()},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := Judge(c.image)
			if v.Reason != c.reason || v.True() != (c.reason == v1alpha1.ReasonSucceeded) || !strings.Contains(v.Message, c.says) {
				t.Errorf("%+v", v)
			}
		})
	}
}

// R52: no config makes a verdict that is not one, too long, or broken; only the
// number 100 and the label are taken.
func FuzzJudge(f *testing.F) {
	f.Add("100", true, "linux/amd64")
	f.Add("agent:users\n\x00\u202e", false, "")
	f.Add("0100", true, strings.Repeat("x", 5000))
	f.Fuzz(func(t *testing.T, user string, has bool, platform string) {
		labels := map[string]string{}
		if has {
			labels = labelled
		}
		v := Judge(registry.Image{Digest: "sha256:x", Configs: []registry.Config{{Platform: platform, User: user, Labels: labels}}})
		good := has && (user == "100" || strings.HasPrefix(user, "100:") && len(user) > 4)
		if v.True() != good || v.Status != metav1.ConditionTrue && v.Status != metav1.ConditionFalse {
			t.Errorf("%q, %v: %+v", user, has, v)
		}
		if len(v.Message) > 2048 || !utf8.ValidString(v.Message) || strings.ContainsAny(v.Message, "\n\x00\u202e") {
			t.Errorf("message %q", v.Message)
		}
	})
}

// The digest takes the place of the tag, whatever the reference looks like.
func TestPinned(t *testing.T) {
	var image v1alpha1.SandboxImage
	image.Status.Digest = "sha256:d"
	for given, want := range map[string]string{
		"ghcr.io/a/b:1":                 "ghcr.io/a/b@sha256:d",
		"ghcr.io:5000/a/b:1":            "ghcr.io:5000/a/b@sha256:d",
		"ghcr.io:5000/a/b@sha256:e":     "ghcr.io:5000/a/b@sha256:d",
		"ghcr.io:5000/a/b:1.2@sha256:e": "ghcr.io:5000/a/b@sha256:d",
	} {
		if image.Spec.Image = given; pinned(&image) != want {
			t.Errorf("%s: %s", given, pinned(&image))
		}
	}
}

// R53: kora-base is always wanted, the bundled ones as the values say.
func TestCatalogue(t *testing.T) {
	c := catalogueOf(settingsOf(map[string]bool{"go": true, "python": false, "node": false}))
	if !slices.Equal(c.names(), []string{"kora-base", "kora-go"}) || !slices.Equal(c.off, []string{"kora-node", "kora-python"}) || !c.has("kora-node") || c.has("kora-mine") {
		t.Errorf("%v, off %v", c.names(), c.off)
	}
	capitals := settings.Images{Base: settings.Base{Image: "GHCR.IO:443/a/base:V1"}, Bundled: map[string]settings.Bundled{"go": {Enabled: true, Image: "GHCR.io/a/go:V1"}}}
	c = catalogueOf(capitals)
	if base, goes := c.wanted["kora-base"].Image, c.wanted["kora-go"].Image; base != "ghcr.io:443/a/base:V1" || goes != "ghcr.io/a/go:V1" {
		t.Errorf("the host stays in capitals: %s, %s", base, goes)
	}
}
