package environment

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

const least = "trustDomain: example.com\nfrontendHost: kora.example.com\n"

func read(text string) (*Environment, faults.List) {
	return Read(source.NewFile("environments/example.yaml", text))
}

// refusals are environment files, and the place, the field and a part of what
// Read says.
var refusals = map[string]struct{ text, place, field, says string }{
	"typo":                  {least + "istio:\n  revison: a\n", "4:3", "istio.revison", `did you mean "revision"?`},
	"type":                  {least + "argocd:\n  automated: sometimes\n", "4:14", "argocd.automated", "wrong type"},
	"missing":               {"frontendHost: a.example.com\n", "1:1", "trustDomain", "trustDomain is missing"},
	"null":                  {"trustDomain:\nfrontendHost: a.example.com\n", "1:1", "trustDomain", "trustDomain is missing"},
	"scheme":                {"trustDomain: spiffe://example.com\nfrontendHost: a.example.com\n", "1:14", "trustDomain", "not a trust domain"},
	"host":                  {"trustDomain: example.com\nfrontendHost: https://a.example.com\n", "2:15", "frontendHost", "not a host"},
	"template in a name":    {least + "systemNamespace: \"{{ exec }}\"\n", "3:18", "systemNamespace", "not a system namespace"},
	"quote in a host":       {"trustDomain: example.com\nfrontendHost: 'a\"b'\n", "2:15", "frontendHost", "not a host"},
	"line break":            {least + "clusterName: \"a\\nb\"\n", "3:14", "clusterName", "not a name"},
	"mode":                  {least + "workspace:\n  accessModes: [ReadWriteMay]\n", "4:17", "workspace.accessModes[0]", `did you mean "ReadWriteMany"?`},
	"policy":                {least + "istio: { outboundTrafficPolicy: REGISTRY }\n", "3:33", "istio.outboundTrafficPolicy", "not an outbound policy"},
	"size":                  {least + "workspace: { size: 0Gi }\n", "3:20", "workspace.size", "not a size"},
	"way out":               {least + "argocd: { values: { path: ../other } }\n", "3:27", "argocd.values.path", "not a path"},
	"theme outside":         {least + "theme: a/../../theme.yaml\n", "3:8", "theme", "not a file"},
	"relative nodes":        {least + "istio: { cni: { binDir: /opt/../etc } }\n", "3:25", "istio.cni.binDir", "not an absolute path"},
	"chart of git":          {least + "charts: { kora: git://example.com/x }\n", "3:17", "charts.kora", "not a chart repository"},
	"unit":                  {least + "workspace: { size: 1K }\n", "3:20", "workspace.size", "not a size"},
	"port":                  {least + "charts: { kora: 'https://example.com:port/x' }\n", "3:17", "charts.kora", "not a chart repository"},
	"user of https":         {least + "argocd: { apps: { url: 'https://me@git.example.com/x.git' } }\n", "3:24", "argocd.apps.url", "not a git url"},
	"long host":             {"trustDomain: example.com\nfrontendHost: " + strings.Repeat("a.", 124) + "com\n", "2:15", "frontendHost", "not a host"},
	"label without a value": {least + "nodePools: { sandbox: { nodeSelector: { a: } } }\n", "3:41", "nodePools.sandbox.nodeSelector.a", "no value"},
	"date":                  {least + "istio: { revision: 2024-01-01 }\n", "3:20", "istio.revision", "a date"},
	"query":                 {least + "charts: { kora: \"https://example.com/x?a=b\" }\n", "3:17", "charts.kora", "not a chart repository"},
	"duration":              {least + "argocd: { retry: { duration: soon } }\n", "3:30", "argocd.retry.duration", "not a duration"},
	"limit":                 {least + "argocd: { retry: { limit: -2 } }\n", "3:27", "argocd.retry.limit", "below"},
	"toleration":            {least + "nodePools: { sandbox: { tolerations: [{ kye: a }] } }\n", "3:41", "nodePools.sandbox.tolerations[0].kye", `did you mean "key"?`},
	"address":               {"trustDomain: example.com\nfrontendHost: 10.0.0.1\n", "2:15", "frontendHost", "not a host"},
	"number for a host":     {"trustDomain: example.com\nfrontendHost: '123'\n", "2:15", "frontendHost", "not a host"},
	"label key":             {least + "nodePools: { sandbox: { nodeSelector: { 'a b': c } } }\n", "3:41", `nodePools.sandbox.nodeSelector["a b"]`, "not a label key"},
	"long prefix of a key":  {least + "nodePools: { sandbox: { nodeSelector: { " + strings.Repeat("a.", 127) + "a/b: c } } }\n", "3:41", `nodePools.sandbox.nodeSelector["` + strings.Repeat("a.", 127) + `a/b"]`, "not a label key"},
	"label value":           {least + "nodePools: { sandbox: { nodeSelector: { a: 'x y' } } }\n", "3:44", "nodePools.sandbox.nodeSelector.a", "not a label value"},
	"line break in a label": {least + "nodePools: { sandbox: { nodeSelector: { a: \"x\\ny\" } } }\n", "3:44", "nodePools.sandbox.nodeSelector.a", "not a label value"},
	"needless value":        {least + "nodePools: { sandbox: { tolerations: [{ operator: Exists, value: x }] } }\n", "3:66", "nodePools.sandbox.tolerations[0].value", "every value"},
	"no key":                {least + "nodePools: { sandbox: { tolerations: [{ value: x }] } }\n", "3:39", "nodePools.sandbox.tolerations[0]", "every taint"},
	"taint":                 {least + "nodePools: { sandbox: { tolerations: [{ key: 'a b' }] } }\n", "3:46", "nodePools.sandbox.tolerations[0].key", "not a label key"},
	"taint's value":         {least + "nodePools: { sandbox: { tolerations: [{ key: a, value: '-' }] } }\n", "3:56", "nodePools.sandbox.tolerations[0].value", "not a label value"},
	"seconds without end":   {least + "nodePools: { sandbox: { tolerations: [{ key: a, tolerationSeconds: 5 }] } }\n", "3:68", "nodePools.sandbox.tolerations[0].tolerationSeconds", "evicts"},
	"seconds beyond JSON":   {least + "nodePools: { sandbox: { tolerations: [{ key: a, effect: NoExecute, tolerationSeconds: 9007199254740993 }] } }\n", "3:87", "nodePools.sandbox.tolerations[0].tolerationSeconds", "too long"},
	"limit beyond JSON":     {least + "argocd: { retry: { limit: 9007199254740993 } }\n", "3:27", "argocd.retry.limit", "too long"},
	"registry's port":       {least + "imageRegistry: reg.example.com:65536/x\n", "3:16", "imageRegistry", "not a registry"},
	"registry's port 0":     {least + "istio: { imageHub: 'reg.example.com:0' }\n", "3:20", "istio.imageHub", "not a registry"},
	"registry's folders":    {least + "imageRegistry: reg.example.com/x//y\n", "3:16", "imageRegistry", "not a registry"},
	"registry's end":        {least + "spire: { imageRegistry: reg.example.com/y.. }\n", "3:25", "spire.imageRegistry", "not a registry"},
	"no registry":           {least + "imageRegistry: kora/images\n", "3:16", "imageRegistry", "not a registry"},
	"port of charts":        {least + "charts: { kora: 'oci://example.com:99999/x' }\n", "3:17", "charts.kora", "not a chart repository"},
	"size beyond all":       {least + "workspace: { size: 99999999999Ei }\n", "3:20", "workspace.size", "not a size"},
	"size of 8Ei":           {least + "spire: { size: 8Ei }\n", "3:16", "spire.size", "not a size"},
	"namespace of Istio":    {least + "systemNamespace: istio-system\n", "3:18", "systemNamespace", `"istio-system" is a namespace of others`},
	"namespace of nodes":    {least + "systemNamespace: kube-node-lease\n", "3:18", "systemNamespace", "is a namespace of others"},
	"namespace of SPIRE":    {least + "systemNamespace: spire-server\n", "3:18", "systemNamespace", "is a namespace of others"},
	"namespace of Argo CD":  {least + "systemNamespace: argocd\n", "3:18", "systemNamespace", "is a namespace of others"},
	"shared namespace":      {least + "systemNamespace: gitops\nargocd: { namespace: gitops }\n", "4:22", "argocd.namespace", "one namespace"},
	"shared default":        {least + "argocd: { namespace: kora-system }\n", "3:22", "argocd.namespace", "one namespace"},
	"empty namespace":       {least + "systemNamespace: ''\n", "3:18", "systemNamespace", "systemNamespace is empty, and would hide the default"},
	"empty domain":          {"trustDomain: ''\nfrontendHost: a.example.com\n", "1:14", "trustDomain", "the text is empty"},
	"empty name":            {least + "imagePullSecrets: ['']\n", "3:20", "imagePullSecrets[0]", "the text is empty"},
	"two documents":         {least + "---\na: b\n", "1:1", "", "one YAML document"},
	"a list":                {"- a\n", "1:1", "", "wrong type"},
	"duplicate":             {least + "trustDomain: example.org\n", "3:1", "", "stands twice"},
}

// R38: a wrong fact is told with its place, its field and what to write.
func TestWrongFactsAreToldToTheLine(t *testing.T) {
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			env, found := read(c.text)
			if env != nil || !found.Refused() {
				t.Fatal("taken")
			}
			f := found.Sorted()[0]
			place := fmt.Sprintf("%d:%d", f.Line, f.Column)
			if place != c.place || f.Field != c.field || !strings.Contains(f.Message+f.Fix, c.says) || len(found) != 1 {
				t.Errorf("%d faults, the first: %+v", len(found), f)
			}
		})
	}
}

// R15, R38: all faults come in one run.
func TestEveryFaultComesAtOnce(t *testing.T) {
	_, found := read("trustDomain: UPPER\nclusterNam: a\nistio: { platform: mainframe, revision: '-' }\n")
	if len(found) != 5 { // both names, the host that is missing, two of istio
		t.Errorf("%d faults: %+v", len(found), found)
	}
}

// What people write into URLs is not shown again.
func TestPasswordInAURLIsNotShown(t *testing.T) {
	const secret = "hunter2"
	for _, text := range []string{
		"argocd: { apps: { url: \"https://me:" + secret + "@git.example.com/x.git\" } }\n",
		"charts: { kora: \"https://me:" + secret + "@example.com/charts\" }\n",
		"argocd: { destination: \"https://me:" + secret + "@example.com\" }\n",
	} {
		_, found := read(least + text)
		if !found.Refused() {
			t.Errorf("taken: %s", text)
		}
		for _, f := range found {
			if strings.Contains(f.Found+f.Message+f.Source+f.Fix, secret) {
				t.Errorf("the fault shows it: %+v", f)
			}
		}
	}
}

// R39: what Helmfile reads below a person's file is what Read fills in.
func TestDefaultsFileIsWhatReadFillsIn(t *testing.T) {
	env, found := read(least)
	if found.Refused() {
		t.Fatal(found)
	}
	var defaults, own map[string]any
	for text, into := range map[string]*map[string]any{Defaults(): &defaults, least: &own} {
		if err := yaml.UnmarshalStrict([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	maps.Copy(defaults, own)
	if diff := cmp.Diff(defaults, env.Map()); diff != "" {
		t.Errorf("(-Helmfile +Read):\n%s", diff)
	}
}

// accepted are environment files that hold what may be written.
var accepted = []string{
	least,
	least + "workspace: { storageClassName: shared-files, accessModes: [ReadWriteMany], size: 1.5Ti }\n",
	least + "nodePools: { sandbox: { nodeSelector: { workload-tier: kora-sandbox }, tolerations: [{ operator: Exists }] } }\n",
	least + "istio: { revision: 1-31-1, outboundTrafficPolicy: REGISTRY_ONLY, platform: gke, imageHub: registry.example.com:5000/istio }\n",
	least + "charts: { kora: oci://registry.example.com:5000/kora/charts, spire: http://127.0.0.1:8080, istio: https://mirror.example.com/istio/ }\n",
	least + "argocd: { apps: { url: 'git@git.example.com:platform/gitops.git', path: a/b }, syncOptions: [PruneLast=true], retry: { limit: -1 } }\n",
	least + "argocd: { apps: { url: 'ssh://git@git.example.com:2222/x.git', revision: v1.2.3 } }\ntheme: themes/northwind.yaml\n",
	least + "nodePools: { sandbox: { nodeSelector: { example.com/Team_1: '', a: B.c-d_e }, tolerations: [{ key: example.com/a, value: B }, { key: b, effect: NoExecute, tolerationSeconds: 999999999999999 }, { operator: Exists, value: '' }] } }\n",
	least + "imageRegistry: localhost:65535/a/b__c\nspire: { imageRegistry: 'registry:5000', size: 7.5Ei }\nworkspace: { size: '999999999999999999' }\n",
	least + "systemNamespace: kube\nargocd: { namespace: gitops }\n",
	"# facts\ntrustDomain: td_1.example\nfrontendHost: a\nimagePullSecrets: [one, two]\n",
}

// compiled is the schema for editors.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(Schema())))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("environment.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("environment.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// plain is a file as an editor reads it.
func plain(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// R38: editors and kora agree on what may be written; what is not YAML, or more
// than one text of it, no schema can say.
func TestSchemaAgreesWithRead(t *testing.T) {
	schema := compiled(t)
	judge := func(text string) error { return schema.Validate(plain(t, text)) }
	for _, text := range accepted {
		if _, found := read(text); found.Refused() {
			t.Errorf("Read refuses:\n%s%+v", text, found)
		}
		if err := judge(text); err != nil {
			t.Errorf("the schema refuses:\n%s%v", text, err)
		}
	}
	const secondLook = "two documents, duplicate, date, shared namespace, shared default"
	for name, r := range refusals {
		if strings.Contains(secondLook, name) {
			continue
		}
		if judge(r.text) == nil {
			t.Errorf("the schema takes what Read refuses: %s", name)
		}
	}
}

// R38: a template cannot name a fact that is not there.
func TestTemplateOfAnUnknownFactIsAnError(t *testing.T) {
	r := Default().NewRenderer()
	for _, text := range []string{"{{ .Values.trustdomain }}", "{{ .Values.istio.nothing }}", "{{ .Values.a", "{{ env \"HOME\" }}"} {
		if out, err := r.Render("t", text); err == nil {
			t.Errorf("%s renders to %q", text, out)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range accepted {
		f.Add(text)
	}
	for _, r := range refusals {
		f.Add(r.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		env, found := read(text)
		if (env == nil) != found.Refused() {
			t.Fatalf("an environment %v beside faults %v", env, found)
		}
		if env == nil {
			return
		}
		for _, v := range []string{env.TrustDomain, env.FrontendHost, env.SystemNamespace, env.Istio.Revision, env.ArgoCD.Apps.URL, env.Theme} {
			if strings.ContainsAny(v, "\"'{}\n\r\t $`\\") {
				t.Errorf("%q got through", v)
			}
		}
	})
}
