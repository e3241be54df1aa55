package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
)

// planted is a password that no output may hold.
const planted = "hunter2"

// printed is what every format prints of faults.
func printed(t *testing.T, found faults.List) string {
	t.Helper()
	var out bytes.Buffer
	for _, format := range faults.Formats() {
		p, err := faults.NewPrinter(format, &out, faults.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := found.Print(p); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// R20, R22, security.md: a password that somebody writes into values, where none
// belongs, is repeated by no fault, no line of the source and no flag, in no format.
func TestNoOutputHoldsAPassword(t *testing.T) {
	files := map[string]string{
		"registry":             "global: { imageRegistry: 'user:hunter2@reg.example.com:5000/Kora', foo: 1 }",
		"database":             "config: { db: { host: 'u:hunter2@pg', prt: 1 } }",
		"database, plain":      "config: { db: { host: u:hunter2@pg } }",
		"redis":                "config: { redis: { host: rediss://:hunter2@cache } }",
		"frontendHost":         "frontendHost: u:hunter2@example.com",
		"endpoint":             "global: { observability: { otlpEndpoint: 'http://u:hunter2@otel' } }",
		"image":                "policyService: { image: { repository: 'u:hunter2@reg/a', digest: x } }",
		"mirror":               "agents: { sandboxImages: { registryMirrors: { docker.io: 'http://u:hunter2@mirror/' } } }",
		"issuer":               "policyService: { configOverrides: { internal/platform/identity: { issuer: 'http://u:hunter2@a' } } }",
		"a password":           "config: { db: { password: hunter2, user: 1 } }",
		"a password in quotes": `config: { db: { "password": "hunter2\x41", user: 1 } }`,
		"a block of text":      "config:\n  db:\n    password: |\n      hunter2\n    user: 1",
		"a map of secrets":     "frontend: { existingSecret: { BFF_SESSION_SECRET: hunter2 } }",
		"a list of tokens":     "global: { tokens: [hunter2, 1], foo: hunter2 }",
		"an API key":           "apiKey: hunter2\nfoo: 1",
		"a signing key":        "config:\n  platformSecret: { KORA_TOKEN_SIGNING_KEY: hunter2 }",
		"a variable":           "agents: { extraEnv: [{ name: POD_NAME, value: hunter2 }, { name: POD_NAME, value: hunter2 }] }",
		"a variable in lines":  "agents:\n  extraEnv:\n    - name: POD_NAME\n      value: hunter2",
		"broken YAML":          "config:\n  db:\n    password: hunter2: 3\n",
		"a duplicate":          "config: { db: { password: a, password: hunter2 } }",
		"a tag":                "config: { db: { password: !vault hunter2 } }",
		"a word":               "config: { db: { password: hunter2, tokn: on } }",
		"a theme":              "theme: { document: \"koraVersion: '1.4.0'\\nslots: { logo: { dark: 'https://u:hunter2@cdn/x.svg' } }\" }",
		"a patch":              "agents: { manifestPatches: { a: { target: { kind: Pod }, patch: '- {op: add, path: /spec/bogus, value: u:hunter2@h}' } } }",
	}
	for name, text := range files {
		t.Run(name, func(t *testing.T) { silent(t, text) })
	}
	for name, flag := range map[string]values.Flag{
		"a registry":       {Kind: values.Set, Text: "global.imageRegistry=user:hunter2@reg/Kora"},
		"a password":       {Kind: values.Set, Text: "config.db.password=hunter2"},
		"among others":     {Kind: values.SetString, Text: "a=b,config.db.password=x\\,hunter2,c=d"},
		"a list":           {Kind: values.Set, Text: "tokens={a,hunter2}"},
		"JSON":             {Kind: values.SetJSON, Text: `config={"db":{"password":"hunter2","prt":1}}`},
		"a variable":       {Kind: values.Set, Text: "agents.extraEnv[0].name=A,agents.extraEnv[0].value=hunter2"},
		"what is no flag":  {Kind: values.Set, Text: "config.db.password=a,hunter2"},
		"broken JSON":      {Kind: values.SetJSON, Text: `config={"db":{"password":"hunter2`},
		"a host":           {Kind: values.Set, Text: "config.db.host=u:hunter2@pg"},
		"a list of a text": {Kind: values.Set, Text: "config.db.password[0]=hunter2"},
	} {
		t.Run("flag/"+name, func(t *testing.T) { silent(t, "", flag) })
	}
}

// silent: there is a fault, and none prints what was planted.
func silent(t *testing.T, text string, flags ...values.Flag) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "v.yaml")
	if err := os.WriteFile(file, []byte(needs+text), 0o600); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(text, "frontendHost") {
		if err := os.WriteFile(file, []byte("global: { trustDomain: example.com }\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, found := values.Load(values.Input{Files: []string{file}, Flags: flags})
	found = append(found, Check(tree, embedded(t))...)
	if !found.Refused() {
		t.Error("nothing is refused")
	}
	if out := printed(t, found); strings.Contains(out, planted) {
		t.Errorf("%s", report(t, found))
	}
}

// R20: nor does any file of the corpus.
func TestNoCaseOfTheCorpusPrintsAPassword(t *testing.T) {
	at, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, c := range corpus(t) {
		if input := c.archive.Files[:len(c.archive.Files)-1]; !holds(input, planted) {
			continue
		}
		count++
		tree, found := c.load(t)
		if out := printed(t, append(found, Check(tree, embedded(t))...)); strings.Contains(out, planted) {
			t.Errorf("%s", c.path)
		}
		t.Chdir(at)
	}
	if count < 3 {
		t.Errorf("%d cases", count)
	}
}
