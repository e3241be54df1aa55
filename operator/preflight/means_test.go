package preflight

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// judged are the outcomes by their names.
func judged(f *facts.Facts, s Settings) map[string]Outcome {
	out := map[string]Outcome{}
	for _, o := range Judge(Checks(), f, s) {
		out[o.ID] = o
	}
	return out
}

// collected is what a file keeps of facts.
func collected(t *testing.T, f *facts.Facts) *facts.Facts {
	t.Helper()
	var file bytes.Buffer
	if err := facts.Write(&file, f); err != nil {
		t.Fatal(err)
	}
	out, err := facts.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// R55, --bundle: what the services answered is judged although of the Secret only
// keys and lengths are known; where the password was not there they are not.
func TestABundleJudgesTheServices(t *testing.T) {
	f := goodFacts(t)
	f.Database.Value, f.Redis.Value.ReadOnly = facts.Database{Version: 12, TLS: true}, true
	all := judged(collected(t, f), goodSettings())
	if all["platform-secret"].State != Unchecked || all["postgres"].State != Failed || len(all["postgres"].Findings) != 2 || all["redis"].State != Failed {
		t.Errorf("%+v", all)
	}
	const bare = `"form":1,"database":{"value":{"version":12,"create":false,"tls":true}}`
	for _, nobody := range []string{`{` + bare + `}`, `{` + bare + `,"asked":null}`} {
		f, err := facts.Read(strings.NewReader(nobody))
		if err != nil {
			t.Fatal(err)
		}
		if o := judged(f, goodSettings())["postgres"]; o.State != Unchecked || len(o.Findings) != 1 {
			t.Errorf("of a file that does not say what it is for: %+v", o)
		}
	}
	f, err := facts.Read(strings.NewReader(`{` + bare + `,"asked":{"database":"` + goodSettings().Asked().Database + `"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if o := judged(f, goodSettings())["postgres"]; o.State != Failed || len(o.Findings) != 2 {
		t.Errorf("of a file with no more than that: %+v", o)
	}
	f = goodFacts(t)
	f.Namespaces.Value = map[string]facts.Namespace{}
	if o := judged(f, goodSettings())["postgres"]; o.State != Skipped {
		t.Errorf("without the namespace: %+v", o)
	}
	f = goodFacts(t)
	delete(f.Secrets["kora-system/kora-secrets"].Value.Values, "DB_PASSWORD")
	if o := judged(collected(t, f), goodSettings())["postgres"]; o.State != Skipped {
		t.Errorf("%+v", o)
	}
	f = goodFacts(t)
	f.Secrets["kora-system/kora-secrets"] = facts.Unknown[*facts.Secret]("secrets is forbidden")
	if o := judged(f, goodSettings())["postgres"]; o.State != Skipped || o.Unmet {
		t.Errorf("asked without a password: %+v", o)
	}
}

// R55, --bundle: facts that were collected for other values, or for none that
// they name, answer nothing of these.
func TestFactsOfOtherValuesAnswerNothing(t *testing.T) {
	for id, other := range map[string]func(*Settings){
		"release":                       func(s *Settings) { s.Release = "sha256:other" },
		"privileged-pods":               func(s *Settings) { s.SandboxMount.Namespace = "other" },
		"postgres":                      func(s *Settings) { s.Database.Host = "other" },
		"redis":                         func(s *Settings) { s.Redis.TLS = "disable" },
		"postgres, by another password": func(s *Settings) { s.PlatformSecret = "other" },
		"redis, by another password":    func(s *Settings) { s.PlatformSecret = "other" },
		"system-namespace":              func(s *Settings) { s.Namespace = "default" },
		"platform-secret":               func(s *Settings) { s.PlatformSecret = "other" },
	} {
		s := goodSettings()
		other(&s)
		id, _, _ = strings.Cut(id, ",")
		if o := judged(goodFacts(t), s)[id]; o.State != Unchecked || o.Findings[0].Fix == "" {
			t.Errorf("%s: %+v", id, o)
		}
	}
	f := goodFacts(t)
	f.Asked = nil
	if all := judged(f, goodSettings()); all["release"].State != Unchecked || all["privileged-pods"].State != Unchecked {
		t.Errorf("%+v", all)
	}
}

// R55, --bundle: a file that holds nothing passes nothing and fails nothing.
func TestAnEmptyFileAnswersNothing(t *testing.T) {
	f, err := facts.Read(strings.NewReader(`{"form":1}`))
	if err != nil {
		t.Fatal(err)
	}
	for id, o := range judged(f, goodSettings()) {
		if o.State != Unchecked && (o.State != Skipped || len(o.BlockedBy) == 0) {
			t.Errorf("%s is %s: %+v", id, o.State, o.Findings)
		}
	}
}

// R55, Istio's chart: which labels of the system namespace let which revision
// inject. The old label goes first, and shuts every revision out.
func TestWhichLabelsInject(t *testing.T) {
	for _, c := range []struct{ old, revision, set, want string }{
		{"enabled", "", "", "passed"}, {"", "default", "", "passed"}, {"enabled", "canary", "", "passed"}, {"", "", "", "failed"}, {"disabled", "default", "", "failed"}, {"", "canary", "", "failed"},
		{"", "canary", "canary", "passed"}, {"enabled", "canary", "canary", "failed"}, {"enabled", "", "canary", "failed"}, {"disabled", "canary", "canary", "failed"}, {"", "", "canary", "failed"},
		{"", "prod", "canary", "passed"}, {"", "canary", "prod", "passed"}, {"", "prod", "prod", "passed"}, {"enabled", "prod", "prod", "failed"},
	} {
		f, s := goodFacts(t), goodSettings()
		s.Revision, f.Tags.Value["prod"] = c.set, "canary"
		f.Revisions.Value = append(f.Revisions.Value, facts.Revision{Name: "canary", Ready: 1, Versions: []string{"1.31.1"}, TrustDomain: facts.Known("example.com"), CNI: facts.Known(true), Injection: facts.Known(&facts.Injection{Policy: "enabled"})})
		labels := f.Namespaces.Value["kora-system"].Labels
		delete(labels, labelInjection)
		for key, value := range map[string]string{labelInjection: c.old, labelRevision: c.revision} {
			if value != "" {
				labels[key] = value
			}
		}
		if o := judged(f, s)["system-namespace"]; string(o.State) != c.want {
			t.Errorf("%+v: %s %+v", c, o.State, o.Findings)
		}
	}
}

// R55: what is not served is told once, however many objects need it.
func TestAGroupThatIsNotServedIsToldOnce(t *testing.T) {
	f := goodFacts(t)
	for _, name := range []string{"a", "b", "c"} {
		f.Release.Value = append(f.Release.Value, facts.Answer{Object: "Gateway kora-system/" + name, Refused: refusals()["istio"]})
	}
	f.Release.Value = append(f.Release.Value, facts.Answer{Object: "ClusterSPIFFEID x", Refused: refusals()["spire"]})
	o := judged(f, goodSettings())["release"]
	if len(o.Findings) != 2 || o.Findings[0].Object != "Gateway kora-system/a, Gateway kora-system/b, Gateway kora-system/c" || o.Findings[1].Expected != "spire.spiffe.io" {
		t.Errorf("%+v", o.Findings)
	}
}

// R55: a webhook that gives no answer is told once, by its name, however many objects
// it is asked about; it refused nothing, and no value mends it.
func TestAWebhookThatDoesNotAnswerIsToldOnce(t *testing.T) {
	f := goodFacts(t)
	const silent = ` was not judged: webhook "object.sidecar-injector.istio.io" of Service istio-system/istiod does not answer`
	for _, name := range []string{"a", "b", "c"} {
		f.Release.Value = append(f.Release.Value, facts.Answer{Object: "Pod kora-system/" + name, Untried: `pods "` + name + `"` + silent})
	}
	f.Release.Value = append(f.Release.Value, facts.Answer{Object: "Secret kora-system/d", Untried: `secrets "d" was not judged: webhook "by.url.example" does not answer`})
	f.Privileged = facts.Unknown[facts.Answer](`pods "privileged-check"` + silent)
	all := judged(f, goodSettings())
	o := all["release"]
	if o.State != Unchecked || len(o.Findings) != 2 || !strings.HasSuffix(o.Findings[1].Object, "Pod kora-system/c") {
		t.Fatalf("%+v", o)
	}
	const fix = "-- 'name: object.sidecar-injector.istio.io' && kubectl -n istio-system describe service istiod"
	if !strings.Contains(o.Findings[1].Fix, fix) || !strings.Contains(o.Findings[0].Fix, "'name: by.url.example' # what its clientConfig names") {
		t.Errorf("%+v", o.Findings)
	}
	if p := all["privileged-pods"]; p.State != Unchecked || !strings.Contains(p.Findings[0].Fix, fix) {
		t.Errorf("%+v", p)
	}
}

// R55: a system namespace that is there blocks nothing, whatever its labels are; one
// that is not there or goes leaves nothing to read.
func TestOnlyAnAbsentNamespaceBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(map[string]facts.Namespace)
		blocks bool
	}{
		"a level":    {func(n map[string]facts.Namespace) { n["kora-system"].Labels[security] = "baseline" }, false},
		"no level":   {func(n map[string]facts.Namespace) { delete(n["kora-system"].Labels, security) }, false},
		"injection":  {func(n map[string]facts.Namespace) { delete(n["kora-system"].Labels, labelInjection) }, false},
		"no label":   {func(n map[string]facts.Namespace) { n["kora-system"] = facts.Namespace{} }, false},
		"absent":     {func(n map[string]facts.Namespace) { delete(n, "kora-system") }, true},
		"is leaving": {func(n map[string]facts.Namespace) { n["kora-system"] = facts.Namespace{Leaving: true} }, true},
	} {
		f := goodFacts(t)
		c.spoil(f.Namespaces.Value)
		f.Secrets["kora-system/kora-frontend-secrets"].Value.Values["BFF_SESSION_SECRET"] = facts.Value{Length: 5, Bytes: []byte("short")}
		all := judged(f, goodSettings())
		blocked := 0
		for _, o := range all {
			if slices.Contains(o.BlockedBy, "system-namespace") {
				blocked++
			}
		}
		if all["system-namespace"].State != Failed || (blocked > 0) != c.blocks || (all["frontend-secret"].State == Failed) == c.blocks {
			t.Errorf("%s: %d blocked, %+v", name, blocked, all["frontend-secret"])
		}
	}
}

func only(key, operator string, values ...string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: metav1.LabelSelectorOperator(operator), Values: values}}}
}

func with(key, value string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
}

// R55: a ClusterSPIFFEID of others that takes a pod of kora's is one too many, by
// whichever selectors; one that takes none is not.
func TestWhomAClusterSPIFFEIDTakes(t *testing.T) {
	for name, c := range map[string]struct {
		namespaces, pods *metav1.LabelSelector
		want             State
	}{
		"everything":               {nil, nil, Failed},
		"all but a few namespaces": {only(namespaceName, "NotIn", "kube-system"), nil, Failed},
		"no label that nobody has": {nil, only("nosuch", "DoesNotExist"), Failed},
		"kora's namespace":         {with(namespaceName, "kora-system"), nil, Failed},
		"some tenant":              {with(namespaceName, "kora-tenant-acme"), nil, Failed},
		"tenants":                  {only("runkora.io/tenant", "Exists"), nil, Failed},
		"some agents":              {nil, with("runkora.io/agent-slug", "coder"), Failed},
		"kora's parts":             {nil, with("app.kubernetes.io/part-of", "kora"), Failed},
		"a service":                {only(namespaceName, "In", "kora-system"), with("app.kubernetes.io/name", "kora-gateway"), Failed},
		"another namespace":        {with(namespaceName, "shop"), nil, Passed},
		"other pods":               {nil, with("app.kubernetes.io/name", "shop"), Passed},
		"all but kora's":           {only(namespaceName, "NotIn", "kora-system"), only("app.kubernetes.io/part-of", "NotIn", "kora"), Passed},
		"a tenant beside another":  {only(namespaceName, "In", "default", "kora-tenant-acme"), nil, Failed},
		"other namespaces":         {only(namespaceName, "In", "default", "shop"), nil, Passed},
		"a Deployment's pods":      {nil, only("pod-template-hash", "Exists"), Failed},
		"a StatefulSet's pods":     {nil, only("controller-revision-hash", "Exists"), Failed},
		"pods by their name":       {nil, only("statefulset.kubernetes.io/pod-name", "Exists"), Failed},
		"first pods":               {nil, with("apps.kubernetes.io/pod-index", "0"), Failed},
		"Istio's canonical name":   {nil, only("service.istio.io/canonical-name", "Exists"), Failed},
		"the mesh":                 {nil, with("security.istio.io/tlsMode", "istio"), Failed},
		"another kind of mesh":     {nil, with("security.istio.io/tlsMode", "other"), Passed},
		"all but two agents":       {nil, only("app.kubernetes.io/instance", "NotIn", "sample", "agent-sample"), Failed},
		"all but some slugs":       {nil, only("runkora.io/agent-slug", "NotIn", "sample"), Failed},
		"an agent of nobody":       {nil, only("runkora.io/agent-slug", "In"), Unchecked},
		"what is no selector":      {only("x", "Likes", "y"), nil, Unchecked},
	} {
		f, s := goodFacts(t), goodSettings()
		part := func(name string) map[string]string {
			return map[string]string{"app.kubernetes.io/part-of": "kora", "app.kubernetes.io/name": name}
		}
		agent := part("kora-agent")
		agent["runkora.io/agent-slug"] = "sample"
		s.Pods = []Pod{{Name: "Deployment kora-gateway", Namespace: "kora-system", Labels: part("kora-gateway")}, {Name: "StatefulSet agent-sample", Tenant: true, Labels: agent}}
		f.Spire.IDs.Value = append(f.Spire.IDs.Value, facts.SpiffeID{Name: "other", Class: s.SpireClass, Namespaces: c.namespaces, Pods: c.pods})
		if o := judged(f, s)["spire-fallback"]; o.State != c.want {
			t.Errorf("%s: %s %+v", name, o.State, o.Findings)
		}
		f.Spire.IDs.Value[1].Fallback = true
		if o := judged(f, s)["spire-fallback"]; o.State != Passed {
			t.Errorf("%s, as a fallback: %s", name, o.State)
		}
	}
}

// R55: what the release has already, what Argo CD keeps, and what is not there
// yet, is nobody else's.
func TestWhatTheReleaseOwns(t *testing.T) {
	for _, o := range []*facts.Owner{nil, {ManagedBy: "Helm", Release: "kora", Namespace: "kora-system"}, {ManagedBy: "Helm", ArgoCD: true}} {
		f := goodFacts(t)
		f.Release.Value[0].Owner = o
		if got := judged(f, goodSettings())["release"]; got.State != Passed {
			t.Errorf("%+v: %+v", o, got)
		}
	}
}

// R55: a mark of Argo CD does not make an object kora's, and what somebody else has
// is not taken over by a fix.
func TestWhatOthersOwn(t *testing.T) {
	for _, o := range []facts.Owner{
		{ArgoCD: true}, {ManagedBy: "kustomize", ArgoCD: true}, {ManagedBy: "Helm", Release: "other", Namespace: "default", ArgoCD: true}, {ManagedBy: "Helm", Release: "other", Namespace: "default"},
		{ManagedBy: "Helm", Release: "kora", Namespace: "default"}, {ManagedBy: "kustomize"},
	} {
		f := goodFacts(t)
		f.Release.Value[0].Owner = &o
		got := judged(f, goodSettings())["release"]
		if got.State != Failed || !strings.HasPrefix(got.Findings[0].Fix, "kubectl -n kora-system describe Deployment kora-agents #") {
			t.Errorf("%+v: %+v", o, got)
		}
	}
}

// R55, --only and --skip: what was asked for and left out, by its own name or by
// what it needs, is told apart from what nobody asked for.
func TestAskedForAndLeftOut(t *testing.T) {
	for _, c := range []struct {
		only, skip, want []string
	}{
		{[]string{"postgres"}, []string{"platform-secret"}, []string{"postgres"}},
		{[]string{"services"}, []string{"secrets"}, []string{"postgres", "redis"}},
		{[]string{"kubernetes"}, []string{"kubernetes"}, []string{"kubernetes-version", "system-namespace"}},
		{[]string{"storage", "istio"}, []string{"istio"}, []string{"istio-cni", "istio-injection", "istio-revision", "istio-running", "istio-trust-domain", "istio-version"}},
		{[]string{"istio"}, []string{"istio-cni"}, nil},
		{nil, []string{"admission"}, nil},
		{[]string{"secrets"}, []string{"platform-secret", "frontend-secret"}, []string{"frontend-secret", "gateway-certificate", "platform-secret", "pull-secrets", "redis-ca"}},
		{[]string{"secrets", "kubernetes"}, []string{"platform-secret", "frontend-secret"}, []string{"frontend-secret", "platform-secret"}},
		{[]string{"admission"}, []string{"release"}, []string{"privileged-pods", "release"}},
		{[]string{"redis-ca"}, nil, []string{"redis-ca"}},
		{[]string{"secrets"}, []string{"platform-secret"}, nil},
		{nil, []string{"platform-secret"}, []string{"postgres", "redis"}},
		{nil, []string{"services", "platform-secret"}, nil},
	} {
		checks, err := Select(c.only)
		if err != nil {
			t.Fatal(err)
		}
		if checks, err = Skip(checks, c.skip); err != nil {
			t.Fatal(err)
		}
		var got []string
		s := goodSettings() // where four checks are for nothing
		s.PullSecrets, s.RedisCA, s.Certificate, s.SandboxMount = nil, "", "", Mount{}
		f := goodFacts(t)
		f.Asked = s.Asked()
		for _, o := range Judge(checks, f, s) {
			if o.Unmet {
				got = append(got, o.ID)
			}
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("--only %v --skip %v: %v, want %v", c.only, c.skip, got, c.want)
		}
	}
}
