package sample

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/schema/rules"
	"github.com/runkora/kora/plugin/values"
)

// R20, R21, R30: an image reference that is taken is one to a registry, and where
// the operator makes a SandboxImage of it, to the CRD as well, whatever text of the
// schema's form it is.
func TestImagesThatAreTakenAreReferences(t *testing.T) {
	m, err := makerOf(1, embedded(t))
	if err != nil {
		t.Fatal(err)
	}
	crd, tagged := crdRules(t)
	for path, whole := range map[string]func(string) string{
		"global.imageRegistry":                    func(s string) string { return s + "/kora-sandbox-go:1.4.0" },
		"agents.config.sandboxImage":              asItIs,
		"agents.sandboxImages.bundled.go.image":   asItIs,
		"agents.config.sessionManagerImage":       nil,
		"agents.image.repository":                 nil,
		"operator.injection.image.repository":     nil,
		"config.migrate.image.repository":         nil,
		"agents.sandboxImages.bundled.node.image": asItIs,
	} {
		schema := m.of(strings.Split(path, "."))
		for range 300 {
			text, _ := m.text(schema).(string)
			if text == "" || !regexp.MustCompile(schema["pattern"].(string)).MatchString(text) {
				continue // empty is the release's; a cut text may have another form
			}
			reference := text
			if strings.HasSuffix(path, "repository") {
				reference += ":1.4.0"
			}
			if whole != nil {
				reference = whole(text)
				if !crd.MatchString(reference) || !strings.Contains(reference, "@") && !tagged.MatchString(reference) {
					t.Errorf("%s: %q makes %q, which the CRD refuses", path, text, reference)
				}
			}
			if _, err := name.ParseReference(reference); err != nil {
				t.Errorf("%s: %q makes %q: %v", path, text, reference, err)
			}
		}
	}
}

func asItIs(text string) string { return text }

// crdRules are the expressions that the CRD of a SandboxImage holds a reference to.
func crdRules(t *testing.T) (form, tagged *regexp.Regexp) {
	t.Helper()
	files, err := charts.Open(charts.CRDs)
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(files, "templates/sandboximages.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`self\.matches\(r'([^']*(?:''[^']*)*)'\)`).FindAllStringSubmatch(string(text), -1)
	for _, m := range found {
		switch {
		case strings.Contains(m[1], "localhost"):
			form = regexp.MustCompile(m[1])
		case strings.HasPrefix(m[1], ":"):
			tagged = regexp.MustCompile(m[1])
		}
	}
	if form == nil || tagged == nil {
		t.Fatalf("the CRD's rules are not there: %q", found)
	}
	return form, tagged
}

// R21, R30: what no node, registry or API server takes is refused at the value, and
// what they take is taken.
func TestReferencesThatNobodyTakesAreRefused(t *testing.T) {
	own := embedded(t)
	for value, texts := range map[string][]string{
		"global: { imageRegistry: %q }": {"registry.example.com/Team", "registry", "a..b/c", "-a.b/c", "ghcr.io/a..b", "ghcr.io:99999", "ghcr.io:0", "ghcr.io/a/"},
		"agents: { image: { repository: %q } }": {
			"Ghcr.io/UPPER/x", "a:5000", "a:99999/b", "a/b..c", "a//b", "a/-b", "A/b", "ghcr.io/a:1",
		},
		"agents: { sandboxImages: { bundled: { go: { image: %q } } } }":                                    {"busybox", "ghcr.io/team/go", "team/go:1", "ghcr.io/Team/go:1", "a:99999/b:1", "ghcr.io/go@sha256:00"},
		"agents: { config: { sandboxImage: %q } }":                                                         {"busybox:1", "ghcr.io/go", "ghcr.io/a/b..c:1"},
		"agents: { config: { sessionManagerImage: %q } }":                                                  {"Ghcr.io/A/b:1", "a/b:"},
		"operator: { configOverrides: { internal/operator: { enforcer: %q } } }":                           {"", "A/b:1"},
		"agents: { sandboxImages: { registryMirrors: { ghcr.io: %q } } }":                                  {"http://r:99999", "r:0"},
		"agents: { configOverrides: { internal/agents: { images: { sandbox: %q } } } }":                    {"busybox", ""},
		"operator: { preflight: { image: { repository: %q, digest: '' } }, replicas: 2 }":                  {"A"},
		"operator: { configOverrides: { internal/operator: { sandboxImages: { base: { image: %q } } } } }": {"team/go:1"},
	} {
		for _, text := range texts {
			if found := checked(t, own, value, text); !found {
				t.Errorf("%s: %q is taken", value, text)
			}
		}
	}
	for value, texts := range map[string][]string{
		"global: { imageRegistry: %q }":                                   {"ghcr.io/runkora", "registry:5000", "localhost/kora", "127.0.0.1:5000/a/b", "Registry.example.com/team", "ghcr.io"},
		"agents: { image: { repository: %q } }":                           {"kora-agents", "team/kora-agents", "ghcr.io/a/b__c-d.e", "registry:5000/kora", "Ghcr.io/x"},
		"agents: { sandboxImages: { bundled: { go: { image: %q } } } }":   {"", "ghcr.io/team/go:1", "registry:5000/go@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
		"agents: { config: { sessionManagerImage: %q } }":                 {"", "team/sm:1", "ghcr.io/a/b:1"},
		"agents: { sandboxImages: { registryMirrors: { ghcr.io: %q } } }": {"http://r:5000", "mirror.example.com/ghcr"},
	} {
		for _, text := range texts {
			if found := checked(t, own, value, text); found {
				t.Errorf("%s: %q is refused", value, text)
			}
		}
	}
}

// checked reports whether a value with a text in it is refused.
func checked(t *testing.T, own rules.Chart, value, text string) bool {
	t.Helper()
	body := strings.Replace(value, "%q", "'"+text+"'", 1)
	if strings.HasPrefix(body, "global: { ") {
		body = "frontendHost: example.com\nglobal: { trustDomain: example.com, " + strings.TrimPrefix(body, "global: { ")
	} else {
		body = needs + " }\n" + body
	}
	tree, found := values.Read(source.NewFile("v.yaml", body))
	if found.Refused() {
		t.Fatalf("%s: %v", body, found)
	}
	return rules.Check(tree, own).Refused()
}
