package registry

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// R52: no document of a registry makes the reader panic, or gives more than a
// status takes, or a platform that is not a plain word.
func FuzzDocuments(f *testing.F) {
	for _, seed := range []string{
		`{"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:` + strings.Repeat("a", 64) + `","size":1,"platform":{"os":"linux","architecture":"amd64"}}]}`,
		`{"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:` + strings.Repeat("a", 64) + `","platform":{"os":"unknown","architecture":"unknown"}},{"platform":null},null]}`,
		`{"schemaVersion":2,"config":{"mediaType":"application/vnd.oci.image.config.v1+json","size":-1,"digest":"sha256:` + strings.Repeat("b", 64) + `"}}`,
		`{"os":"linux","architecture":"arm64","variant":"v8","config":{"User":"100:100","Labels":{"io.runkora.sandbox.base":""}}}`,
		`{"os":"linux\u202e","architecture":"","config":{"Labels":null}}`, `<html>`, `null`, `[]`, `{"config":[]}`,
	} {
		f.Add([]byte(seed), "linux/amd64")
	}
	f.Fuzz(func(t *testing.T, text []byte, wanted string) {
		found, err := readIndex(text)
		if err == nil {
			all := platforms(found.images)
			if len(all) > maxListed {
				t.Errorf("%d platforms", len(all))
			}
			for _, p := range all {
				plainly(t, p)
			}
			for _, one := range found.images { // what a node may pull is judged, each once
				chosen := found.choose([]string{base(platform(*one.Platform))})
				same := 0
				for _, c := range chosen {
					if c.Digest == one.Digest && platform(*c.Platform) == platform(*one.Platform) {
						same++
					}
				}
				if same != 1 {
					t.Errorf("%s is judged %d times", one.Digest, same)
				}
			}
			for _, c := range found.choose([]string{wanted}) {
				if !slices.Contains(Nodes(platform(*c.Platform)), wanted) {
					t.Errorf("%v is read for %s", c.Platform, wanted)
				}
			}
		}
		if config, err := readConfig(text); err == nil {
			plainly(t, config.Platform)
		}
		if manifest, err := readManifest(text); err == nil && len(manifest.Config.Digest.Hex) != 64 {
			t.Errorf("digest %q", manifest.Config.Digest)
		}
	})
}

func plainly(t *testing.T, platform string) {
	if len(platform) > 64 || platform == "" || strings.ContainsFunc(platform, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsSpace(r) || unicode.IsUpper(r) }) {
		t.Errorf("platform %q", platform)
	}
}

// R52: no pull Secret makes the keyring panic, or its error repeat it.
func FuzzKeyring(f *testing.F) {
	f.Add([]byte(`{"auths":{"ghcr.io":{"auth":"dTpw"}}}`))
	f.Add([]byte(`{"auths":{"[":{"username":"u","password":"p"},"https://*.x/v1/":{"identitytoken":"t"}}}`))
	f.Add([]byte(`{"auths":{"h":{"auth":"!"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var k Keyring
		if err := k.Add(text); err != nil && err != errDockerConfig {
			t.Errorf("%v", err)
		}
		if n := len(k.match("ghcr.io", "team/image")); n > credentialsTried {
			t.Errorf("%d credentials", n)
		}
	})
}

// R30, R52: no reference and no mirror makes the client panic or ask a host
// inside the cluster.
func FuzzTarget(f *testing.F) {
	f.Add("ghcr.io/team/image:1", "http://mirror.example.com:5000/path")
	f.Add("ghcr.io/a@sha256:"+strings.Repeat("a", 64), "")
	f.Add("kubernetes.default.svc/a:1", "//")
	f.Add("[::1]:443/a:1", "https://[::1]")
	f.Fuzz(func(t *testing.T, image, mirror string) {
		direct, failure := (&Client{}).target(image)
		if failure == nil && (direct.mirror || direct.plain || direct.loopback || strings.HasSuffix(direct.host, ".svc")) {
			t.Errorf("%q: %+v", image, direct)
		}
		asked, _, _ := strings.Cut(image, "/")
		if at, failure := (&Client{Mirrors: map[string]string{asked: mirror}}).target(image); failure == nil && !at.mirror {
			t.Errorf("%q is read past its mirror", image)
		}
	})
}
