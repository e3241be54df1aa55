package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
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
		"a map of variables":   "agents: { extraEnv: { A: hunter2 } }",
		"texts for variables":  "agents:\n  extraEnv:\n    - OPENAI_API_KEY=hunter2\n    - \"A=hunter2\"",
		"a long text":          "agents: { extraEnv: ['OPENAI_API_KEY=hunter2" + strings.Repeat("x", 200) + "'] }",
		"a quote in a value":   "agents: { extraEnv: [{ name: A, value: 'x'' hunter2', y: 1 }] }",
		"an escaped quote":     `agents: { extraEnv: [{ name: A, value: "x\" hunter2", y: 1 }] }`,
		"a plain comma":        "agents:\n  extraEnv:\n    - name: A\n      value: a,hunter2\n      x: 1",
		"a source as a text":   "agents: { extraEnv: [{ name: A, valueFrom: hunter2 }] }",
		"another list":         "agents: { env: [{ name: A, value: hunter2 }] }",
		"a mistyped key":       "config: { redis: { pasword: hunter2 }, db: { sceret: hunter2 } }",
		"a query":              "global: { observability: { otlpEndpoint: 'http://h:4317/?token=hunter2' } }",
		"a query, no scheme":   "global: { observability: { otlpEndpoint: 'h:4317/?a=1&token=hunter2' } }",
		"broken YAML":          "config:\n  db:\n    password: hunter2: 3\n",
		"a duplicate":          "config: { db: { password: a, password: hunter2 } }",
		"a tag":                "config: { db: { password: !vault hunter2 } }",
		"a word":               "config: { db: { password: hunter2, tokn: on } }",
		"a theme":              "theme: { document: \"koraVersion: '1.4.0'\\nslots: { logo: { dark: 'https://u:hunter2@cdn/x.svg' } }\" }",
		"a patch":              "agents: { manifestPatches: { a: { target: { kind: Pod }, patch: '- {op: add, path: /spec/bogus, value: u:hunter2@h}' } } }",
	}
	for i, text := range attacks {
		files["attack "+strconv.Itoa(i)] = text
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
		"a text":           {Kind: values.Set, Text: "agents.extraEnv[0]=TOKEN=hunter2"},
		"a map":            {Kind: values.SetJSON, Text: `agents.extraEnv={"A":"hunter2"}`},
		"unfinished":       {Kind: values.SetJSON, Text: `agents.extraEnv=[{"name":"A","value":"hunter2"`},
		"what is no flag":  {Kind: values.Set, Text: "config.db.password=a,hunter2"},
		"broken JSON":      {Kind: values.SetJSON, Text: `config={"db":{"password":"hunter2`},
		"a host":           {Kind: values.Set, Text: "config.db.host=u:hunter2@pg"},
		"a list of a text": {Kind: values.Set, Text: "config.db.password[0]=hunter2"},
		"behind a comma":   {Kind: values.Set, Text: "config.db.password=a,hunter2=3"},
		"behind one's":     {Kind: values.Set, Text: "agents.extraEnv[0].value=a,hunter2=3"},
		"no equals sign":   {Kind: values.Set, Text: "config.db.password hunter2"},
		"no bracket":       {Kind: values.Set, Text: "config.db.password[hunter2=x"},
		"environment":      {Kind: values.Set, Text: "environment.OPENAI=hunter2"},
		"env in JSON":      {Kind: values.SetJSON, Text: `agents={"env":["A=hunter2"]}`},
		"a name":           {Kind: values.Set, Text: "agents.extraEnv[0].name=A=hunter2"},
	} {
		t.Run("flag/"+name, func(t *testing.T) { silent(t, "", flag) })
	}
}

// attacks are the forms that somebody came upon who looked for a hole.
var attacks = []string{
	"agents: { extraEnv: [{ name: A=hunter2 }] }",
	"agents: { extraEnv: { name: hunter2 } }",
	"agents: { extraEnv: { OPENAI_API_KEY=hunter2: ~ } }",
	"agents: { extraEnv: [{ name: { A: hunter2 } }] }",
	"agents: { extraEnv: [{ name: A, valueFrom: { value: hunter2 } }] }",
	"agents: { extraEnv: [{ name: A, valueFrom: { configMapKeyRef: { name: hunter2, key: a } } }] }",
	"agents: { extraEnv: [{ name: A, valueFrom: { secretKeyRef: { name: 'hunter2 x', key: a } } }] }",
	"agents: { extraEnv: [{ name: A, value: !bar hunter2 }] }",
	"agents: { extraEnv: [{ name: A, value: hunter2, value: hunter2 }] }",
	"agents: { extraEnv: [{ name: A, value: *hunter2 }] }",
	"agents:\n  extraEnv:\n    - name: A\n      value: *hunter2",
	"agents: { extraenv: [{ name: A, value: hunter2 }] }",
	"agents: { extraEnvs: [A=hunter2] }",
	"agents: { envs: [A=hunter2] }",
	"agents: { env: ['API_KEY=hunter2'] }",
	"agents: { environment: { OPENAI: hunter2 } }",
	"agents: { args: ['--db-password=hunter2', hunter2] }",
	"agents:\n  extraEnv:\n    - name: A\n      value: |\n        a\n       hunter2",
	"config:\n  db:\n    password: |\n      a\n\t hunter2",
	"config:\n  db:\n    password: >\n      a\n   hunter2 b",
	"config:\n  db:\n    password:\n      - {b: hunter2",
	"config:\n  db:\n    ? password\n    : {a: hunter2, a: hunter2}",
	"config:\n  db:\n    password: x\n     hunter2: y",
	"config: { db: {password:hunter2} }",
	"config: { db: {password hunter2} }",
	"config: { db: {password=hunter2: ~} }",
	"config: 'DB_PASSWORD=hunter2'",
	"policyService: { configOverrides: { internal/agents: 'password=hunter2' } }",
	"policyService: { configOverrides: ['password=hunter2'] }",
	"frontend: { existingSecret: 'hunter2!BFF' }",
	"gateway: { tls: { credentialName: \"-----BEGIN PRIVATE KEY-----\\nhunter2\" } }",
	"gateway: { tls: { credentialName: { tls.crt: hunter2 } } }",
	"gateway: { tls: { cert: '-----BEGIN CERTIFICATE----- hunter2' } }",
	"global: { imagePullSecrets: { dockerconfigjson: 'hunter2==' } }",
	"global: { observability: { otlpHeaders: 'api-key=hunter2' } }",
	"global: { observability: { headers: { Authorization: 'Bearer hunter2' } } }",
	"config: { db: { auth: hunter2 } }",
	`global: { observability: { otlpEndpoint: "http://h:4317/?token=abc,hunter2", foo: 1 } }`,
	`global: { observability: { otlpEndpoint: "http://h:4317/?token=a}hunter2", foo: 1 } }`,
	`global: { observability: { otlpEndpoint: "http://h:4317/?token=a'hunter2", foo: 1 } }`,
	`global: { observability: { otlpEndpoint: "http://h:4317/?token=a hunter2", foo: 1 } }`,
	"global: { observability: { otlpEndpoint: 'http://h:4317/?hunter2', foo: 1 } }",
	"global: { observability: { otlpEndpoint: 'http://h:4317/?api$key=hunter2', foo: 1 } }",
	"global: { observability: { otlpEndpoint: 'http://h:4317/?a;token=hunter2', foo: 1 } }",
	"global: { observability: { otlpEndpoint: 'http://h:4317/#token=hunter2', foo: 1 } }",
	"agents: { manifestPatches: { k: { target: { kind: Pod }, patch: '- {op: adda, path: /spec/x, value: {name: PASSWORD, value: hunter2}}' } } }",
	"agents: { manifestPatches: { k: { target: { kind: Pod }, patch: '- {op: add, path: /spec/x, value: [{name: PASSWORD, value: hunter2}' } } }",
	"agents: { manifestPatches: { k: { target: { kind: Pod }, patch: '- {op: add, path: /spec/x, value: [{name: A, value: hunter2}' } } }",
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

// R20: a value that is hidden does not show by what else is: of a line, what stands
// at its place, and not each sign like it.
func TestHiddenValuesDoNotShowByOthers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "v.yaml")
	if err := os.WriteFile(file, []byte(needs+"agents: { extraEnv: [{ name: AxNAME, value: x }, { name: B, value: NAME }] }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, found := values.Load(values.Input{Files: []string{file}})
	found = append(found, Check(tree, embedded(t))...)
	out := report(t, found)
	if !strings.Contains(out, "agents: { extraEnv: [{ name: AxNAME, value: *") || strings.Contains(out, "value: NAME") {
		t.Error(out)
	}
}
