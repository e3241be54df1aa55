package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R40, R41: what kora generates walks into no trap.
func TestReferenceIsClean(t *testing.T) {
	seen, found := Lint(reference(t))
	if len(found) > 0 || seen.Applications != 9 || seen.Files != 10 {
		t.Errorf("%s: %+v", seen, found)
	}
}

// R40, R41: each known trap, made from the reference by one change: it is told at
// its place, and nothing else is.
func TestEveryTrapIsTold(t *testing.T) {
	for _, c := range []struct{ name, file, from, to, want string }{
		{"no health of Applications", "argocd-cm-patch.yaml", "health.argoproj.io_Application", "health.apps_Deployment", "apps/istio-base.yaml argocd.argoproj.io/sync-wave KORA-C001"},
		{"an empty health check", "argocd-cm-patch.yaml", "argoproj.io_Application: |", "argoproj.io_Application: \"\"\n  other: |", "apps/istio-base.yaml argocd.argoproj.io/sync-wave KORA-C001"},
		{"server-side apply on the parent", "app-of-apps.yaml", "  syncPolicy:\n", "  syncPolicy:\n    syncOptions: [ServerSideApply=true]\n", "app-of-apps.yaml ServerSideApply=true] KORA-C002"},
		{"labels and no namespace", "apps/spire.yaml", "- CreateNamespace=true", "- PruneLast=true", "apps/spire.yaml managedNamespaceMetadata KORA-C004"},
		{"ignored and written over", "apps/istiod.yaml", "- RespectIgnoreDifferences=true", "- PruneLast=true", "apps/istiod.yaml ignoreDifferences KORA-C005"},
		{"one webhook by a jq path", "apps/istiod.yaml", "- .webhooks[]?.clientConfig.caBundle", "- .webhooks[0].clientConfig.caBundle", "apps/istiod.yaml .webhooks[0].clientConfig.caBundle KORA-C006"},
		{"kora's failurePolicy", "apps/kora.yaml", "        - .webhooks[]?.failurePolicy\n", "", "apps/kora.yaml spec KORA-C006"},
		{"a ref in the middle", "apps/kora.yaml", "- $values/values/kora.yaml", "- values/$values/kora.yaml", "apps/kora.yaml values/$values/kora.yaml KORA-C007"},
		{"a ref that no source has", "apps/kora.yaml", "- ref: values", "- ref: config", "apps/kora.yaml $values/values/kora.yaml KORA-C007"},
		{"a ref without a slash", "apps/kora.yaml", "- $values/values/kora.yaml", "- $values", "apps/kora.yaml $values KORA-C007"},
		{"a ref on a chart", "apps/kora.yaml", "    - chart: kora\n", "    - chart: kora\n      ref: chart\n", "apps/kora.yaml chart KORA-C007"},
		{"definitions pruned", "apps/kora-crds.yaml", "      prune: false", "      prune: true", "apps/kora-crds.yaml true KORA-C009"},
		{"definitions with a finalizer", "apps/istio-base.yaml", "  name: istio-base\n", "  name: istio-base\n  finalizers: [resources-finalizer.argocd.argoproj.io/background]\n", "apps/istio-base.yaml resources-finalizer.argocd.argoproj.io/background] KORA-C009"},
		{"kora with its definitions", "apps/kora-crds.yaml", "sync-wave: \"0\"", "sync-wave: \"3\"", "apps/kora.yaml \"3\" KORA-C010"},
		{"spire before its definitions", "apps/spire.yaml", "sync-wave: \"1\"", "sync-wave: \"-1\"", "apps/spire.yaml \"-1\" KORA-C010"},
		{"a wave left out", "apps/istio-cni.yaml", "    argocd.argoproj.io/sync-wave: \"1\"\n", "    example.com/a: b\n", "apps/istio-cni.yaml metadata KORA-C010"},
		{"values twice", "apps/istiod.yaml", "      valuesObject:\n", "      values: |\n        a: b\n      valuesObject:\n", "apps/istiod.yaml values KORA-C012"},
		{"source and sources", "apps/kora.yaml", "  sources:\n", "  source: { repoURL: a, chart: b, targetRevision: c }\n  sources:\n", "apps/kora.yaml source KORA-C013"},
		{"no source", "apps/kora-tenants.yaml", "  source:\n", "  sourceHydrated:\n", "apps/kora-tenants.yaml spec KORA-C013|apps/kora-tenants.yaml sourceHydrated KORA-F001"},
		{"a cluster named twice", "apps/spire.yaml", "    server: https://kubernetes.default.svc\n", "    server: https://kubernetes.default.svc\n    name: in-cluster\n", "apps/spire.yaml name KORA-C013"},
		{"a typo", "apps/spire.yaml", "selfHeal", "selfHeel", "apps/spire.yaml selfHeel KORA-F001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := reference(t)
			name := filepath.Join(dir, c.file)
			text, err := os.ReadFile(name)
			if err != nil || !strings.Contains(string(text), c.from) {
				t.Fatalf("no %q in %s: %v", c.from, name, err)
			}
			put(t, name, strings.Replace(string(text), c.from, c.to, 1))
			if got := strings.Join(told(t, dir), "|"); got != c.want {
				t.Errorf("told\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// R40: waves order nothing that an ApplicationSet makes, unless it rolls.
func TestWavesOfAnApplicationSetAreTold(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "set.yaml"), appSet)
	if got := strings.Join(told(t, dir), "|"); got != `set.yaml "1" KORA-C008` {
		t.Errorf("%s", got)
	}
	put(t, filepath.Join(dir, "set.yaml"), strings.Replace(appSet, "  template:", "  strategy: { type: RollingSync, rollingSync: { steps: [{ matchExpressions: [{ key: a, operator: In, values: [b] }] }] } }\n  template:", 1))
	if got := told(t, dir); len(got) != 0 {
		t.Errorf("%v", got)
	}
	for _, none := range []string{"{ type: RollingSync }", "{ type: RollingSync, rollingSync: {} }", "{ type: RollingSync, rollingSync: { steps: [] } }"} {
		put(t, filepath.Join(dir, "set.yaml"), strings.Replace(appSet, "  template:", "  strategy: "+none+"\n  template:", 1))
		if got := strings.Join(told(t, dir), "|"); got != `set.yaml "1" KORA-C008` {
			t.Errorf("%s: %s", none, got)
		}
	}
}

// R40: the real definition of ApplicationSet is a few sentences away from the
// limit of annotations, and with them beyond it; the annotation for server-side
// apply mends it.
func TestDefinitionBeyondTheLimitIsTold(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/argoproj/argo-cd/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "manifests", "crds", "applicationset-crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "crd.yaml"), string(text))
	if got := told(t, dir); len(got) != 0 {
		t.Errorf("%v", got)
	}
	longer := strings.Replace(string(text), "openAPIV3Schema:\n", "openAPIV3Schema:\n        description: "+strings.Repeat("one more sentence ", 500)+"\n", 1)
	put(t, filepath.Join(dir, "crd.yaml"), longer)
	if got := strings.Join(told(t, dir), "|"); got != "crd.yaml apiVersion KORA-C003" {
		t.Errorf("%s", got)
	}
	mended := strings.Replace(longer, "metadata:\n", "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: Prune=false,ServerSideApply=true\n", 1)
	put(t, filepath.Join(dir, "crd.yaml"), mended)
	if got := told(t, dir); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// R40: calls of a chart that Argo CD answers otherwise, to the line and column.
func TestCallsOfTemplatesAreTold(t *testing.T) {
	for line, word := range map[string]string{
		`  a: {{ lookup "v1" "Secret" .Release.Namespace "x" }}`:      "lookup",
		`{{- $s := (lookup "v1" "Secret" "" "x") }}`:                  "lookup",
		`  password: {{ randAlphaNum 32 | b64enc }}`:                  "randAlphaNum",
		`{{- $ca := genCA "ca" 365 }}`:                                "genCA",
		`  id: {{ uuidv4 }}`:                                          "uuidv4",
		`{{- if .Release.IsInstall }}x{{ end }}`:                      "Release.IsInstall",
		`{{- if and .Values.a .Release.IsUpgrade }}x{{ end }}`:        "Release.IsUpgrade",
		`    helm.sh/hook: pre-delete`:                                "pre-delete",
		`    "helm.sh/hook": post-install,post-upgrade,post-rollback`: "post-rollback",
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "chart", "templates", "x.yaml"), "kind: Secret\n{{ .Values.a }}\n"+line+"\n")
		_, found := Lint(dir)
		if len(found) != 1 || found[0].Code != faults.RendersOtherly || found[0].Found != word || found[0].Line != 3 || !strings.HasPrefix(string([]rune(line)[found[0].Column-1:]), word) {
			t.Errorf("%s: %+v", line, found)
		}
	}
	for _, line := range []string{`  a: {{ .Values.lookup }}`, `  # lookup "v1"`, `  a: randAlphaNum`, `    helm.sh/hook: pre-install,pre-upgrade`, `{{ include "x.lookup" . }}`, "    helm.sh/hook: pre-install,pre-upgrade\n    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded"} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "chart", "templates", "x.yaml"), "{{ .Values.a }}\n"+line+"\n")
		if _, found := Lint(dir); len(found) != 0 {
			t.Errorf("%s: %+v", line, found)
		}
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "chart", "templates", "x.yaml"), "{{ .Values.a }}\nmetadata:\n  name: fixed\n  annotations:\n    helm.sh/hook: pre-install,pre-upgrade\n    helm.sh/hook-delete-policy: hook-failed\n")
	if _, found := Lint(dir); len(found) != 1 || found[0].Line != 5 {
		t.Errorf("a hook that runs once: %+v", found)
	}
}

// R40: kora's own charts call nothing of the kind, as the Application of kora
// says, but one lookup, which gives without a cluster what a first install gives.
func TestOwnChartsRenderAlike(t *testing.T) {
	seen, found := Lint("../../../charts")
	for _, f := range found {
		if f.Code == faults.NothingToLint || f.Code == faults.RendersOtherly && !(f.Found == "lookup" && strings.HasSuffix(f.File, "_mount.tpl")) {
			t.Errorf("%s:%d: %s", f.File, f.Line, f.Message)
		}
	}
	if seen.Templates < 20 {
		t.Errorf("%d templates looked at", seen.Templates)
	}
}
