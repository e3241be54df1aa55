package gather

import "testing"

// R55: a version before its release is not told as the release; a variant of an image
// is no part of the version.
func TestTheVersionOfATag(t *testing.T) {
	for tag, want := range map[string]string{
		"1.31.1": "1.31.1", "v1.31.1": "1.31.1", "1.31.1-distroless": "1.31.1", "1.30.0-fips-r2": "1.30.0", "1.31.0-alpha.0": "1.31.0-alpha.0", "1.31.0-beta.1-distroless": "1.31.0-beta.1",
		"1.31.0-rc.1-debug": "1.31.0-rc.1", "1.31-alpha.0a1b2c": "1.31-alpha.0a1b2c", "1.31.0-rc": "1.31.0-rc", "1.31.1-alphabet": "1.31.1", "latest": "", "rc.1": "", "": "", "1": "", "1.x-rc.1": "",
	} {
		if got := versionOfTag(tag); got != want {
			t.Errorf("%q of %q, want %q", got, tag, want)
		}
	}
}
