package cmp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/policy"
)

// R43: Argo CD does not send the defaults of announced parameters back, so what is
// announced is what holds without a word.
func TestAnnouncedDefaultsAreThoseThatHold(t *testing.T) {
	silent, found := ReadAsked(nil)
	said := Asked{ReleaseName: "another"}
	for _, a := range Announcements() {
		p := Parameter{Name: a.Name, String: &a.String}
		if a.CollectionType == listed {
			p = Parameter{Name: a.Name, Array: &a.Array}
		}
		if f, ok := p.form(); !ok {
			t.Errorf("%+v", f)
		}
		found = append(found, said.take(p, "test")...)
	}
	if diff := cmp.Diff(silent, said); diff != "" || len(found) > 0 {
		t.Errorf("%v (-silent +announced):\n%s", found, diff)
	}
}

// R43: each variable of an application does what the parameter of its name does,
// and Argo CD's own are read.
func TestVariablesAreParameters(t *testing.T) {
	got, found := ReadAsked([]string{
		"ARGOCD_ENV_KORA_VALUES_FILES=a.yaml, b/c.yaml", "ARGOCD_ENV_KORA_CHART=oci://ghcr.io/runkora/charts/kora:1.4.0", "ARGOCD_ENV_KORA_VERIFY=true",
		"ARGOCD_ENV_KORA_RELEASE_NAME=other", "ARGOCD_ENV_OTHER=x", "KORA_CHART=./x",
		"ARGOCD_APP_NAME=shop", "ARGOCD_APP_NAMESPACE=platform", "KUBE_VERSION=1.35.2", "KUBE_API_VERSIONS=v1,monitoring.coreos.com/v1/ServiceMonitor,",
	})
	want := Asked{
		ValuesFiles: []string{"a.yaml", "b/c.yaml"}, Chart: "oci://ghcr.io/runkora/charts/kora:1.4.0", Verify: true, ReleaseName: "other",
		App: "shop", Namespace: "platform", KubeVersion: "1.35.2", APIVersions: []string{"v1", "monitoring.coreos.com/v1/ServiceMonitor"},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(found) > 0 {
		t.Errorf("%v (-want +got):\n%s", found, diff)
	}
	for name := range variables {
		if _, ok := announced(variables[name]); !ok {
			t.Errorf("%s is no parameter", name)
		}
	}
}

// R43: every setting of the sidecar, and the last of a name holds.
func TestSettingsAreRead(t *testing.T) {
	got, found := ReadSettings([]string{
		"KORA_CMP_TIMEOUT=10s", "KORA_CMP_TIMEOUT=20s", "KORA_CMP_REGISTRIES= oci://ghcr.io/runkora/charts/, localhost:5000,", "KORA_CMP_VERIFY=always",
		"KORA_CMP_TRUSTED_ROOT=/r.json", "KORA_CMP_KEY=/k.pub", "KORA_CMP_IDENTITY=a", "KORA_CMP_IDENTITY_REGEXP=b", "KORA_CMP_ISSUER=c",
	})
	want := Settings{
		Timeout: 20_000_000_000, Registries: []string{"ghcr.io/runkora/charts", "localhost:5000"}, Always: true, TrustedRoot: "/r.json", Key: "/k.pub",
		Policy: policy.Options{Identity: "a", IdentityRegexp: "b", Issuer: "c"},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || len(found) > 0 {
		t.Errorf("%v (-want +got):\n%s", found, diff)
	}
}

// R43: the first line says what is wrong and how many things are, is one line, and
// stays short whatever is in it.
func TestHeadlineIsOneShortLine(t *testing.T) {
	long := strings.Repeat("long\n\x1b[2J\u202e", 1000)
	for name, c := range map[string]struct {
		out  Output
		want string
	}{
		"one":  {Output{App: "shop", Found: faults.List{{Severity: faults.Error, File: "kora.yaml", Line: 3, Message: "unknown field"}}}, `kora cannot render application "shop": unknown field in "kora.yaml:3"`},
		"none": {Output{Found: faults.List{{Severity: faults.Error, Message: "stopped"}, {Severity: faults.Warning, Message: "a doubt"}}}, `kora cannot render the application: stopped`},
		"two": {Output{Found: faults.List{{Severity: faults.Error, File: "b", Message: "second"}, {Severity: faults.Error, File: "a", Message: "first"}}},
			`kora cannot render the application: 2 errors, the first in "a": first`},
		"long": {Output{App: short(long), Found: faults.List{{Severity: faults.Error, File: long, Message: long}}}, ""},
	} {
		got := c.out.Headline()
		if c.want != "" && got != c.want || len(got) > 800 || strings.ContainsAny(got, "\n\x1b\u202e") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
