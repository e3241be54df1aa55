package registry

import (
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// R52: what nodes pull where an index has nothing for them themselves is judged as theirs:
// the 32-bit image of their kind, and what names no platform. What they pull never, since
// the index has something better for each of them, stops nothing.
func TestWhatNodesPullInsteadIsJudged(t *testing.T) {
	f := serve(t, nil)
	amd, i386, arm64, arm := on("linux", "amd64", ""), on("linux", "386", ""), on("linux", "arm64", "v8"), on("linux", "arm", "v7")
	v4, v9, features := on("linux", "amd64", "v4"), on("linux", "arm64", "v9"), on("linux", "amd64", "")
	features.OSFeatures = []string{"x"}
	version := on("linux", "amd64", "")
	version.OSVersion = "1"
	for name, c := range map[string]struct {
		entries          []entry
		nodes            string
		users            string // of what is judged
		missing, partial string
		refused          bool
	}{
		"386 for amd64":           {[]entry{{arm64, "100"}, {i386, "0"}}, "linux/amd64 linux/arm64", "100 0", "", "linux/amd64", false},
		"386 alone":               {[]entry{{i386, "100"}}, "linux/amd64", "100", "", "linux/amd64", false},
		"i386":                    {[]entry{{on("linux", "i386", ""), "0"}}, "linux/amd64", "0", "", "linux/amd64", false},
		"a variant of 386":        {[]entry{{on("linux", "386", "v2"), "0"}}, "linux/amd64", "0", "", "linux/amd64", false},
		"386 beside amd64":        {[]entry{{i386, "0"}, {amd, "100"}}, "linux/amd64", "100", "", "", false},
		"386 beside amd64/v1":     {[]entry{{i386, "0"}, {on("linux", "amd64", "v1"), "100"}}, "linux/amd64", "100", "", "", false},
		"386 beside amd64/v4":     {[]entry{{i386, "0"}, {v4, "100"}}, "linux/amd64", "0 100", "", "linux/amd64", false},
		"386 beside features":     {[]entry{{features, "100"}, {i386, "0"}}, "linux/amd64", "100 0", "", "linux/amd64", false},
		"386 beside a version":    {[]entry{{version, "100"}, {i386, "0"}}, "linux/amd64", "100 0", "", "linux/amd64", false},
		"386 for arm64":           {[]entry{{i386, "0"}}, "linux/arm64", "", "linux/arm64", "", false},
		"arm for arm64":           {[]entry{{amd, "100"}, {arm, "0"}, {on("linux", "arm", "v8"), "1"}, {on("linux", "armel", ""), "2"}}, "linux/amd64 linux/arm64", "100 0 1 2", "", "linux/arm64", false},
		"arm for arm64/v9":        {[]entry{{v9, "100"}, {arm, "0"}}, "linux/arm64", "100 0", "", "linux/arm64", false},
		"arm beside arm64":        {[]entry{{arm, "0"}, {arm64, "100"}}, "linux/arm64", "100", "", "", false},
		"arm for amd64":           {[]entry{{arm, "0"}}, "linux/amd64", "", "linux/amd64", "", false},
		"amd64 for 386":           {[]entry{{amd, "0"}}, "linux/386", "", "linux/386", "", false},
		"of another system":       {[]entry{{on("windows", "386", ""), "0"}}, "linux/amd64", "", "linux/amd64", "", false},
		"none, and amd64/v4":      {[]entry{{v4, "100"}, {nil, "0"}}, "linux/amd64", "", "", "", true},
		"none, and 386":           {[]entry{{i386, "100"}, {nil, "0"}}, "linux/amd64", "", "", "", true},
		"none, and arm/v7":        {[]entry{{arm, "100"}, {nil, "0"}}, "linux/arm", "", "", "", true},
		"none, and arm/v5":        {[]entry{{on("linux", "arm", "v5"), "100"}, {nil, "0"}}, "linux/arm", "100", "", "", false},
		"an index of 386":         {[]entry{{arm64, "100"}, {i386, ""}}, "linux/amd64 linux/arm64", "", "", "", true},
		"an index of 386 beside":  {[]entry{{amd, "100"}, {i386, ""}}, "linux/amd64", "100", "", "", false},
		"an index of arm":         {[]entry{{amd, "100"}, {arm, ""}}, "linux/amd64 linux/arm64", "", "", "", true},
		"nothing of either":       {[]entry{{amd, "100"}}, "linux/amd64 linux/ppc64le", "100", "linux/ppc64le", "", false},
		"both missing and partly": {[]entry{{i386, "100"}}, "linux/amd64 linux/arm64", "100", "linux/arm64", "linux/amd64", false},
	} {
		at := "team/" + strings.NewReplacer(",", "", " ", "-", "/", "-").Replace(name) + ":1"
		f.PushAny(t, at, indexOf(t, c.entries))
		got, failure := f.client.Read(t.Context(), Request{Image: host + "/" + at, Platforms: strings.Fields(c.nodes)})
		if c.refused {
			if failure == nil || failure.Reason != v1alpha1.ReasonInvalid {
				t.Errorf("%s: %+v, %v", name, got, failure)
			}
			continue
		}
		var users []string
		for _, config := range got.Configs {
			users = append(users, config.User)
		}
		if failure != nil || !slices.Equal(users, strings.Fields(c.users)) || !slices.Equal(got.Missing, strings.Fields(c.missing)) || !slices.Equal(got.Partial, strings.Fields(c.partial)) {
			t.Errorf("%s: judges %q, missing %q, partial %q, %v", name, users, got.Missing, got.Partial, failure)
		}
	}
}

// R52: an image that is no index is pulled by nodes of its platform, in all variants, and
// by those that take its platform in the place of theirs.
func TestOneImageInPlaceOfAnother(t *testing.T) {
	f := serve(t, nil)
	for platform, c := range map[string]struct{ nodes, missing, partial string }{
		"linux/386":      {"linux/amd64", "", "linux/amd64"},
		"linux/arm/v7":   {"linux/amd64 linux/arm64", "linux/amd64", "linux/arm64"},
		"linux/amd64/v4": {"linux/amd64", "", ""},
		"linux/arm/v6":   {"linux/arm", "", ""},
	} {
		at := "team/" + strings.ReplaceAll(platform, "/", "-") + ":1"
		f.Push(t, at, sandbox(t, platform, "100"))
		got, failure := f.client.Read(t.Context(), Request{Image: host + "/" + at, Platforms: strings.Fields(c.nodes)})
		if failure != nil || len(got.Configs) != 1 || !slices.Equal(got.Missing, strings.Fields(c.missing)) || !slices.Equal(got.Partial, strings.Fields(c.partial)) {
			t.Errorf("%s: %+v, %v", platform, got, failure)
		}
	}
}
