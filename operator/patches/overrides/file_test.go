package overrides

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// line is a variable in one line, with its place.
func line(v Variable) string {
	name := strings.TrimPrefix(v.Name, Prefix)
	if v.Unreadable != "" {
		return fmt.Sprintf("%d:%d %s !%s", v.Pos.Line, v.Pos.Column, name, v.Unreadable)
	}
	return fmt.Sprintf("%d:%d %s=%q", v.Pos.Line, v.Pos.Column, name, v.Value)
}

func readAll(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	vars, found := FromFile(path, nil)
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	var out []string
	for _, v := range vars {
		out = append(out, line(v))
	}
	return strings.Join(out, "\n")
}

// R17: variables in a .env file, each with its place.
func TestR17ReadsADotenvFile(t *testing.T) {
	const text = `# a comment
export KORA_MANIFEST__a=1
  KORA_MANIFEST__b = two words # a comment

KORA_MANIFEST__c='single # "kept" \n'
KORA_MANIFEST__d="a\tb \"q\" \\ \$x \z"
OTHER="
KORA_MANIFEST__hidden=in another value
"
KORA_MANIFEST__e='first
second'
KORA_MANIFEST__f=
KORA_MANIFEST__g=a#b=c
KORA_MANIFEST__h
KORA_MANIFEST__i="never closed
KORA_MANIFEST__j=x
#KORA_MANIFEST__k=x
exported KORA_MANIFEST__l=x
`
	want := strings.Join([]string{
		`2:8 a="1"`, `3:3 b="two words"`, `5:1 c="single # \"kept\" \\n"`, `6:1 d="a\tb \"q\" \\ $x \\z"`,
		`10:1 e="first\nsecond"`, `12:1 f=""`, `13:1 g="a#b=c"`, `14:1 h !it stands there without a value`,
		`15:1 i !the quotes around its value are not closed`, `16:1 j="x"`,
	}, "\n")
	for _, name := range []string{"a.env", ".env", "settings"} {
		if got := readAll(t, name, text); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	if got := readAll(t, "dos.env", "A=1\r\nKORA_MANIFEST__a=1\r\n"); got != `2:1 a="1"` {
		t.Errorf("got %s", got)
	}
}

const manifests = `apiVersion: v1
kind: List
items:
  - apiVersion: apps/v1
    kind: Deployment
    spec:
      template:
        spec:
          containers:
            - name: kora-agents
              env:
                - name: OTHER
                  value: x
                - name: KORA_MANIFEST__a
                  value: "1"
                - {name: KORA_MANIFEST__b, valueFrom: {secretKeyRef: {name: s, key: k}}}
                - name: KORA_MANIFEST__c
                  valueFrom: {configMapKeyRef: {name: m, key: k}}
                - name: KORA_MANIFEST__d
                - name: KORA_MANIFEST__e
                  value: $(OTHER)/x
                - name: KORA_MANIFEST__f
                  value: $$(OTHER)/$$x
                - name: KORA_MANIFEST__g
                  value: 3
                - name: KORA_MANIFEST__h
                  valueFrom: {fieldRef: {fieldPath: metadata.name}}
---
kind: ConfigMap
data:
  KORA_MANIFEST__i: |
    a: b
  OTHER: x
---
kind: Secret
data: {KORA_MANIFEST__j: aHVudGVyMg==}
stringData: {KORA_MANIFEST__k: x}
---
agents:
  extraEnv:
    - name: KORA_MANIFEST__l
      value: x
  env:
    KORA_MANIFEST__m: true
    KORA_MANIFEST__n: {a: b}
`

// R17: variables in a Deployment, a ConfigMap and values, each with its place.
func TestR17ReadsManifestsAndValues(t *testing.T) {
	want := strings.Join([]string{
		`14:25 a="1"`, `16:26 b !its value comes from key k of Secret s`, `17:25 c !its value comes from key k of ConfigMap m`,
		`19:25 d=""`, `20:25 e !its value refers to another variable, which only the kubelet fills in`, `22:25 f="$(OTHER)/$x"`,
		`24:25 g="3"`, `26:25 h !its value comes from elsewhere (valueFrom)`, `31:3 i="a: b\n"`,
		`36:8 j !its value stands in a Secret, in base64`, `37:14 k="x"`, `41:13 l="x"`, `44:5 m="true"`, `45:5 n !its value is a map and no text`,
	}, "\n")
	if got := readAll(t, "all.yaml", manifests); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	vars, found := FromFile("-", strings.NewReader(manifests))
	if len(vars) != 14 || len(found) > 0 || vars[0].Pos.File.Name != "<stdin>" {
		t.Errorf("standard input: %d variables, %v", len(vars), found)
	}
}

// R17: only regular files of a bounded size are read, and nothing ever waits.
func TestR17ReadsRegularFilesAlone(t *testing.T) {
	dir := t.TempDir()
	fifo, long, bad := filepath.Join(dir, "fifo"), filepath.Join(dir, "long.env"), filepath.Join(dir, "bad.yaml")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(long, make([]byte, source.DefaultLimits.Bytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte("a: \""+secret+"\nb: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]faults.Code{
		fifo: faults.FileKind, dir: faults.FileKind, "/dev/null": faults.FileKind, "-": faults.FileMissing,
		filepath.Join(dir, "none"): faults.FileMissing, long: faults.YAMLLimit, bad: faults.YAMLSyntax,
	} {
		vars, found := FromFile(path, nil)
		if len(vars) != 0 || len(found) != 1 || found[0].Code != want {
			t.Errorf("%s: %d variables, %+v", path, len(vars), found)
		}
		if text := fmt.Sprintf("%+v", found); strings.Contains(text, secret) {
			t.Errorf("a value is told: %s", text)
		}
	}
}

// R17: the environment as a process has it.
func TestR17ReadsTheEnvironment(t *testing.T) {
	vars := FromEnviron([]string{"A=1", "KORA_MANIFEST__b=1=2", "XKORA_MANIFEST__c=3", "KORA_MANIFEST__d"})
	if len(vars) != 2 || line(vars[0]) != `0:0 b="1=2"` || line(vars[1]) != `0:0 d=""` {
		t.Errorf("got %v", vars)
	}
}
