package charts

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// R9 to R11, R20, R21, R23, R27, R29, R34, R35: what a schema cannot say, and for
// people whose Helm skips the schema what it does say, is refused in one line that
// begins with the value's path. refused.txt holds values and the lines that
// they get; @70000 stands for as many letters.
func TestKoraRefuses(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(releasesFolder, "refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range helms {
		run := helm(t, version, os.DevNull)
		cases := strings.Split(string(text), "\n=== ")[1:]
		if version != helms[0] {
			cases = cases[:1] // Helm 4 says the same: one is enough
		}
		for _, each := range cases {
			name, each, _ := strings.Cut(each, "\n")
			each = strings.ReplaceAll(each, "@70000", strings.Repeat("x", 70000))
			values, want, ok := strings.Cut(each, "\n---\n")
			if !ok {
				t.Fatalf("%s has no ---", name)
			}
			t.Run(version+"/"+name, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "values.yaml")
				if err := os.WriteFile(file, []byte(values), 0o600); err != nil {
					t.Fatal(err)
				}
				args := []string{"template", "kora", "kora", "--skip-schema-validation", "--values", file}
				if !strings.Contains(values, "trustDomain") {
					args = append(args, "--set", "global.trustDomain=example.com,frontendHost=example.com")
				}
				out, err := run(args...)
				if err == nil {
					t.Fatalf("it is not refused; wanted\n%s", want)
				}
				if got := told(out); got != strings.TrimSpace(want) {
					t.Errorf("it says\n%s\nwanted\n%s\nin\n%s", got, want, out)
				}
			})
		}
	}
}

// told are the lines of the chart's own in what Helm says.
func told(out string) string {
	_, lines, _ := strings.Cut(out, "checks.yaml:")
	_, lines, _ = strings.Cut(lines, "\n")
	lines, _, _ = strings.Cut(lines, "\n\nUse --debug")
	return strings.TrimSpace(lines)
}

// R20: every sentence of the checks is refused somewhere above.
func TestKoraEveryRefusalIsTested(t *testing.T) {
	refused, err := os.ReadFile(filepath.Join(releasesFolder, "refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("kora/templates/_check_*.tpl")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	// A sentence stands at the start of a line and has a colon or a value in it.
	comment := regexp.MustCompile(`(?s){{-? ?/\*.*?\*/ ?-?}}`)
	shape := regexp.MustCompile(`[^}]}$`) // of values that must be given
	action := regexp.MustCompile(`{{[^}]*}}`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(comment.ReplaceAllString(string(text), "")) {
			line = strings.TrimSpace(line)
			if !regexp.MustCompile(`^([a-zA-Z]+[.:]|{{ (\$key|\.path|\$\.path) }}).*[ :]`).MatchString(line) || strings.HasPrefix(line, "{{-") || shape.MatchString(line) {
				continue
			}
			var parts []string
			for _, part := range action.Split(line, -1) {
				parts = append(parts, regexp.QuoteMeta(part))
			}
			if !regexp.MustCompile(`(?m)^` + strings.Join(parts, ".*") + `$`).Match(refused) {
				t.Errorf("%s: no case is refused with %q", file, line)
			}
		}
	}
}

// R20, R21: with the schema, as Helm is used, a wrong value does not pass either,
// and its path is named.
func TestKoraSchemaRefuses(t *testing.T) {
	t.Parallel()
	for _, version := range helms {
		run := helm(t, version, os.DevNull)
		for i, bad := range []struct{ flag, path string }{
			{"global.trustDomain=Example.com", "/global/trustDomain"},
			{"global.trustDomain=null", "trustDomain"},
			{"frontendHost=https://example.com", "/frontendHost"},
			{"frontendHos=example.com", "frontendHos"},
			{"global.imageRegistry=https://ghcr.io", "/global/imageRegistry"},
			{"global.imagePullSecrets={Not a name}", "/global/imagePullSecrets/0"},
			{"global.observability.otlpEndpoint=http://user:pass@host", "/global/observability/otlpEndpoint"},
			{"global.observability.samplingRate=2", "/global/observability/samplingRate"},
			{"config.db.port=70000", "/config/db/port"},
			{"networkPolicy.externalServices[0].cidr=10.20.0.0,networkPolicy.externalServices[0].ports={5432}", "networkPolicy.externalServices[0].cidr: "},
			{"agents.workspace.size=10 GB", "/agents/workspace/size"},
			{"agents.workspace.accessModes={ReadOnlyMany}", "/agents/workspace/accessModes"},
			{"agents.sandboxWarming.mode=always", "/agents/sandboxWarming/mode"},
			{"policyService.image.digest=latest", "/policyService/image/digest"},
			{"policyService.extraEnv[0].name=A,policyService.extraEnv[0].value=b", "/policyService/extraEnv/0"},
			{"policyService.configOverrides.internal/agents.port=1", "/policyService/configOverrides"},
			{"spire.className=a\nb", "/spire/className"},
		} {
			if version != helms[0] && i > 2 {
				break // one library judges in both
			}
			out, err := run(append([]string{"template", "kora", "kora", "--set", bad.flag}, valuesOf("kora")...)...)
			if err == nil || !strings.Contains(out, bad.path) {
				t.Errorf("%s: %s is not named: %v\n%.300s", version, bad.path, err, out)
			}
		}
	}
}
