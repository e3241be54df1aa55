package charts

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// contexts are values under which a value may show what it does: most show it
// where everything is on, some only without, or behind one's own gateway.
var contexts = []string{`
global:
  trustDomain: other.example
  observability: { otlpEndpoint: "http://collector.telemetry.svc:4318", collectorNamespace: telemetry }
frontendHost: other.example
config:
  db: { host: db.example.internal }
  redis: { host: cache.example.internal, tls: { caSecret: other-ca } }
gateway: { byo: { namespace: istio-ingress } }
istio: { outboundTrafficPolicy: REGISTRY_ONLY }
agents:
  workspace: { accessModes: [ReadWriteMany] }
  environments: { maxSize: { cpu: "8", memory: 64Gi, disk: 100Gi } }
  sandboxWarming: { mode: capacity }
  autoscaling: { enabled: true }
frontend: { autoscaling: { enabled: true } }
policyService: { autoscaling: { enabled: true } }
identityService: { autoscaling: { enabled: true } }
inferenceService: { autoscaling: { enabled: true } }
mcpService: { autoscaling: { enabled: true } }
triggersService: { autoscaling: { enabled: true } }
egressGateway: { autoscaling: { enabled: true } }
operator: { autoscaling: { enabled: true } }
sandboxMount: { enabled: true }
`, `
global: { trustDomain: other.example }
frontendHost: other.example
`, `
global: { trustDomain: other.example }
frontendHost: other.example
gateway: { create: false, byo: { namespace: own } }
`}

// components are the values keys of services, with what their objects are called.
var components = map[string]string{
	"agents": "kora-agents", "egressGateway": "kora-egress", "frontend": "kora-frontend",
	"identityService": "kora-identity", "inferenceService": "kora-inference", "mcpService": "kora-mcp",
	"operator": "kora-operator", "policyService": "kora-policy", "triggersService": "kora-triggers",
}

// R20: every value is used: its example, which the schema takes, changes an object.
// The values that preflight is given do not count, because those are all of them.
// What every service has is tried on all services at once, and must change each.
func TestKoraUsesEveryValue(t *testing.T) {
	t.Parallel()
	run := helm(t, helms[0], os.DevNull)
	render := func(t *testing.T, values ...map[string]any) map[string]string {
		var flags []string
		for _, v := range values {
			flags = append(flags, "--values", fileOf(t, v))
		}
		// The text is enough to tell that something changed, and quick to read.
		all := map[string]string{}
		for text := range strings.SplitSeq(template(t, run, "kora-system", flags...), "\n---\n") {
			all[called(text)] += text
		}
		delete(all, "ConfigMap/kora-preflight")
		return all
	}
	type context struct {
		values  map[string]any
		objects map[string]string
	}
	var tried []context
	for _, text := range contexts {
		var values map[string]any
		if err := yaml.UnmarshalStrict([]byte(text), &values); err != nil {
			t.Fatal(err)
		}
		tried = append(tried, context{values, render(t, values)})
	}
	for path, batch := range batches(schema(t)) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			unused := batch.owners
			for _, c := range tried {
				objects := render(t, c.values, batch.values)
				unused = slices.DeleteFunc(slices.Clone(unused), func(owner string) bool { return changedFor(owner, c.objects, objects) })
				if len(unused) == 0 {
					return
				}
			}
			t.Errorf("its example changes nothing of %q", unused)
		})
	}
}

// batch is values to try together, and whose objects they must change: "" is any.
type batch struct {
	values map[string]any
	owners []string
}

// batches gives each value's example a batch of its own, but puts together what
// every service has.
func batches(root node) map[string]batch {
	all := map[string]batch{}
	for _, l := range root.leaves("") {
		first, rest, _ := strings.Cut(l.path, ".")
		owner := components[first]
		path := "<service>." + rest
		if _, shared := root.Properties["policyService"].Properties[strings.Split(rest, ".")[0]]; owner == "" || !shared {
			owner, path = "", l.path
		}
		b, ok := all[path]
		if !ok {
			b = batch{values: map[string]any{}}
		}
		put(b.values, l.path, l.node.Examples[0])
		b.owners = append(b.owners, owner)
		all[path] = b
	}
	return all
}

func put(values map[string]any, path string, value any) {
	first, rest, more := strings.Cut(path, ".")
	if !more {
		values[first] = value
		return
	}
	below, ok := values[first].(map[string]any)
	if !ok {
		below = map[string]any{}
		values[first] = below
	}
	put(below, rest, value)
}

var kindAndName = regexp.MustCompile(`(?s)(?:^|\n)kind: (\S+).*?\n  name: "?([^"\n]*)`)

// called is the kind and name of one rendered document.
func called(text string) string {
	found := kindAndName.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1] + "/" + found[2]
}

// changedFor reports whether an object of that name, or any where there is none,
// came, went or became another.
func changedFor(owner string, before, after map[string]string) bool {
	if owner == "" {
		return !maps.Equal(before, after)
	}
	for _, o := range []map[string]string{before, after} {
		for title := range o {
			if strings.HasSuffix(title, "/"+owner) && before[title] != after[title] {
				return true
			}
		}
	}
	return false
}
