package main

import (
	"encoding/json"
	"strings"
	"testing"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
)

// R43: what an application's variables and parameters hold, lines of its files and
// credentials of URLs stand in no refusal, in no format.
func TestPluginRepeatsNothingConfided(t *testing.T) {
	const secret = "planted-Passw0rd"
	url := "oci://somebody:" + secret + "@registry.example.com/charts/kora:1.4.0"
	good := text(t, goodValues)
	env := func(name, value string) application {
		return application{files: goodFiles(t), plugin: argo.ApplicationSourcePlugin{Env: argo.Env{{Name: name, Value: value}}}}
	}
	patched := func(body string) application {
		lines := "  " + strings.ReplaceAll(strings.TrimSuffix(body, "\n"), "\n", "\n  ")
		return with(t, map[string]string{"patches/10-a.yaml": "target: { kind: StatefulSet }\npatch: |\n" + lines + "\n"})
	}
	for name, a := range map[string]application{
		"variable, chart":        env("KORA_CHART", secret),
		"variable, URL":          env("KORA_CHART", url),
		"variable, registry":     env("KORA_CHART", "oci://registry.example.com/"+strings.ToLower(secret)+"/kora:1.4.0"),
		"variable, chart here":   env("KORA_CHART", "./"+secret),
		"variable, out":          env("KORA_VALUES_FILES", "../"+secret),
		"variable, ending":       env("KORA_VALUES_FILES", secret+".txt"),
		"variable, release":      env("KORA_RELEASE_NAME", secret),
		"variable, verify":       env("KORA_VERIFY", secret),
		"variable, misspelt":     env("KORA_VERIFIED", secret),
		"parameter, chart":       with(t, nil, parameter("chart", url)),
		"parameter, verify":      with(t, nil, parameter("verify", secret)),
		"parameter, unknown":     with(t, nil, parameter("password", secret)),
		"parameter, form":        with(t, nil, parameters("values", secret)),
		"values, type":           with(t, nil, parameter("values", "agents: { replicas: "+secret+" }\nglobal: { trustDomain: ["+secret+"], imagePullSecrets: "+secret+" }\n")),
		"values, choice":         with(t, nil, parameter("values", "agents: { workspace: { accessModes: ["+secret+"], size: "+secret+" } }\n")),
		"values, syntax":         with(t, nil, parameter("values", "password: "+secret+"\n  - ["+secret+": {\n")),
		"values, line":           with(t, nil, parameter("values", secret)),
		"values, host":           with(t, nil, parameter("values", "frontendHost: "+secret+"_\n")),
		"patch, broken":          patched("apiVersion: v1\nenv:\n  - name: PASSWORD\n    value: " + secret + "\n   oops: [\n"),
		"patch, twice":           patched("- { op: add, path: /spec/template/spec/containers/0/env/-, value: { name: PASSWORD, value: " + secret + ", value: " + secret + " } }\n"),
		"patch, field":           patched("spec:\n  template:\n    spec:\n      containers:\n        - name: session-manager\n          env: [{ name: PASSWORD, valu: " + secret + " }]\n"),
		"patch, file":            with(t, map[string]string{"patches/10-a.yaml": "target: { kind: StatefulSet }\npatch:\n  - name: PASSWORD\n    value: " + secret + "\n   oops: [\n"}),
		"patch, open":            with(t, map[string]string{"patches/10-a.yaml": "target: { kind: StatefulSet }\npatch: [{ name: PASSWORD, value: " + secret + " }\n"}),
		"patch, form":            with(t, map[string]string{"patches/10-a.yaml": "target: { kind: StatefulSet }\npatch: { name: PASSWORD, value: " + secret + " }\n"}),
		"patch, key twice":       with(t, map[string]string{"patches/10-a.yaml": "target: { kind: StatefulSet }\npatch: '[]'\nmore: { env: { name: PASSWORD, value: " + secret + ", value: " + secret + " } }\n"}),
		"patch, args":            patched("spec:\n  template:\n    spec:\n      containers:\n        - name: session-manager\n          args: { a: --password=" + secret + " }\n"),
		"file, beside":           with(t, map[string]string{"kora.yaml": good + "fronted: { password: " + secret + " }\n"}),
		"file, syntax":           with(t, map[string]string{"kora.yaml": good + "password: '" + secret + "\n"}),
		"patch, beside":          with(t, map[string]string{"patches/10-a.yaml": "target: { kind: Stateful } # " + secret + "\npatch: '[]'\n"}),
		"theme, credentials":     with(t, map[string]string{"theme.yaml": "logo: https://somebody:" + secret + "@cdn.example.com/a.png\n"}),
		"file, credentials":      with(t, map[string]string{"kora.yaml": good + "fronted: https://somebody:" + secret + "@x.example.com/\n"}),
		"a file of a long value": with(t, nil, parameter("chart", "oci://"+strings.Repeat(secret, 20))),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := cmpServer{}.generate(t, a)
			program := cmpServer{}.call(t, a, "sh", "-c", "kora cmp generate --diagnostics json >faults; s=$?; cat faults >&2; exit $s")
			if got.status != 1 || program.status != 1 || !json.Valid([]byte(strings.TrimSpace(program.words))) {
				t.Errorf("status %d, %d:\n%s\n%s", got.status, program.status, got.words, program.words)
			}
			for _, words := range []string{got.words, program.words} {
				if strings.Contains(strings.ToLower(words), strings.ToLower(secret)) {
					t.Errorf("a secret is printed:\n%s", words)
				}
			}
		})
	}
}
