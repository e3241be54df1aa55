package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/settings"
)

// modules are what a folder holds at least; change may alter one.
func modules(name, text string) fstest.MapFS {
	all := fstest.MapFS{
		"internal/operator.yaml":               {Data: []byte("systemNamespace: kora-system\nsyncPeriod: 10m\nleaderElection: { enabled: true, name: kora-operator }\nports: { webhooks: 9443, probes: 8081, metrics: 8082 }\nsandboxMount: { enabled: true, port: 20490 }\n")},
		"internal/platform/identity.yaml":      {Data: []byte("trustDomain: example.com\n")},
		"internal/platform/mesh.yaml":          {Data: []byte("outboundTrafficPolicy: REGISTRY_ONLY\n")},
		"internal/platform/observability.yaml": {Data: []byte("logFormat: json\n")},
	}
	if name != "" {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// R23: what the chart renders by default is what the operator reads, key for key.
func TestTheChartsSettingsAreRead(t *testing.T) {
	got := operatortest.Settings(t, map[string]any{
		"istio":    map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"},
		"operator": map[string]any{"syncPeriod": "1h"},
		"global": map[string]any{"imagePullSecrets": []any{"pull", map[string]any{"name": "other"}},
			"observability": map[string]any{"otlpEndpoint": "http://collector:4318", "collectorNamespace": "telemetry"}},
	})
	if got.SystemNamespace != operatortest.System || got.Sync() != time.Hour || !got.Mesh.RegistryOnly() || got.Identity.TrustDomain != "example.com" {
		t.Errorf("%+v", got)
	}
	if len(got.ImagePullSecrets) != 2 || got.ImagePullSecrets[1] != "other" || got.CollectorNamespace != "telemetry" {
		t.Errorf("%+v", got.Operator)
	}
	if port, err := got.CollectorPort(); port != 4318 || err != nil {
		t.Errorf("the collector's port is %d, %v", port, err)
	}
	if got.Sidecars.CPU.String() != "900m" || len(got.SandboxImages.Bundled) != 3 || got.SandboxImages.Base.Image == "" {
		t.Errorf("%+v", got.SandboxImages)
	}
}

// R23: each wrong setting is told with its file, line, column and field, and what
// to do, and all of them at once.
func TestWrongSettingsAreTold(t *testing.T) {
	const operator, observability = "internal/operator.yaml", "internal/platform/observability.yaml"
	const good = "systemNamespace: a\nsyncPeriod: 1m\n"
	for name, c := range map[string]struct {
		file, text string
		want       []string // "line:column field message … fix"
	}{
		"an unknown key":         {operator, good + "networkPolicies: true", []string{`3:1 networkPolicies unknown field "networkPolicies"…did you mean "networkPolicy"?`}},
		"a capital":              {operator, good + "leaderElection:\n  Enabled: true", []string{`4:3 leaderElection.Enabled unknown field "Enabled"…did you mean "enabled"?`}},
		"one of an image":        {operator, good + "sandboxImages: { bundled: { go: { imag: x } } }", []string{`3:35 sandboxImages.bundled.go.imag unknown field…did you mean "image"?`}},
		"one of Kubernetes' own": {operator, good + "sandboxPlacement:\n  tolerations:\n    - { key: a, effects: NoSchedule }", []string{`5:17 sandboxPlacement.tolerations[0].effects unknown field…did you mean "effect"?`}},
		"no YAML":                {"internal/platform/mesh.yaml", "a: b\n- {", []string{"2:"}},
		"a key twice":            {operator, good + "syncPeriod: 2m", []string{"3:1"}},
		"a second document":      {operator, good + "---\na: b", []string{"4:1  a config module is one document"}},
		"a wrong type":           {operator, good + "networkPolicy: maybe", []string{"3:16 networkPolicy the value is of the wrong type"}},
		"no quantity":            {operator, good + "sidecars: { cpu: much }", []string{"3:18 sidecars.cpu "}},
		"no map":                 {operator, "[]", []string{"1:1  the value is of the wrong type"}},
		"no namespace":           {operator, "syncPeriod: 10m", []string{"1:1 systemNamespace systemNamespace is no name of a namespace…write a name of lowercase letters"}},
		"a bad namespace":        {operator, "systemNamespace: My_kora\nsyncPeriod: 10m", []string{"1:18 systemNamespace systemNamespace is no name of a namespace…write a name of lowercase letters, digits and hyphens, with a letter or a digit at both ends"}},
		"parts without end":      {operator, "systemNamespace: a\nsyncPeriod: " + strings.Repeat("1h", 21), []string{"2:13 syncPeriod syncPeriod is too long a duration"}},
		"a period of nothing":    {operator, "systemNamespace: a\nsyncPeriod: 0s", []string{"2:13 syncPeriod syncPeriod is no duration of at least 1s…write it as 10m"}},
		"a period too long":      {operator, "systemNamespace: a\nsyncPeriod: 9999999h", []string{"2:13 syncPeriod syncPeriod is too long a duration…at most 99999h, 999999m or 99999999s"}},
		"a digit too many":       {operator, "systemNamespace: a\nsyncPeriod: 1h100000000s", []string{"2:13 syncPeriod syncPeriod is too long a duration"}},
		"a hundred digits":       {operator, "systemNamespace: a\nsyncPeriod: 1" + strings.Repeat("0", 100) + "m", []string{"2:13 syncPeriod syncPeriod is too long a duration"}},
		"zeros in front":         {operator, "systemNamespace: a\nsyncPeriod: 00000000010m", []string{"2:13 syncPeriod syncPeriod is no duration of whole hours, minutes and seconds, without zeros in front"}},
		"milliseconds":           {operator, "systemNamespace: a\nsyncPeriod: 99999999ms", []string{"2:13 syncPeriod syncPeriod is no duration of whole hours"}},
		"no lease":               {operator, good + "leaderElection: { enabled: true, name: '' }", []string{"3:40 leaderElection.name leaderElection.name is empty…kora-operator in the chart"}},
		"no election":            {operator, good + "leaderElection: { enabled: false, name: a }", []string{"3:28 leaderElection.enabled leaderElection.enabled lets two operators act at once…set it to true"}},
		"no ports":               {operator, good + "ports: { metrics: 70000, probes: -1 }", []string{"3:19 ports.metrics ports.metrics is no port", "3:34 ports.probes"}},
		"no URL":                 {observability, "otlpEndpoint: collector", []string{"1:15 otlpEndpoint otlpEndpoint leads nowhere: it is no URL…http://host:port"}},
		"no collector's port":    {observability, "logLevel: info\notlpEndpoint: http://a:99999", []string{"2:15 otlpEndpoint otlpEndpoint leads nowhere: 99999 is no port"}},
		"the collector as NFS":   {observability, "otlpEndpoint: http://a:20490", []string{"5:38 sandboxMount.port sandboxMount.port is a port that agents must reach…20490"}},
		"no collector's block":   {operator, good + "collectorCIDRs: [203.0.113.0/28, 203.0.113.1]", []string{"3:34 collectorCIDRs[1] collectorCIDRs[1] is not the block…203.0.113.0/28"}},
		"any address at all":     {operator, good + "collectorCIDRs: ['::/0']", []string{"3:18 collectorCIDRs[0] "}},
		"several": {operator, "syncPeriod: x\nnetworkPolicy: maybe\nport: {}", []string{
			"1:1 systemNamespace", "1:13 syncPeriod syncPeriod is no duration", "2:16 networkPolicy", `3:1 port unknown field…did you mean "ports"?`}},
		"a wrong type told once": {operator, "systemNamespace: a\nsyncPeriod: [1]", []string{"2:13 syncPeriod the value is of the wrong type"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := settings.Load(modules(c.file, c.text), "/config")
			if len(found) != len(c.want) {
				t.Fatalf("%d faults, want %d: %+v", len(found), len(c.want), found)
			}
			for i, f := range found {
				said := fmt.Sprintf("%d:%d %s %s %s", f.Line, f.Column, f.Field, f.Message, f.Fix)
				for part := range strings.SplitSeq(c.want[i], "…") {
					if !strings.Contains(said, part) {
						t.Errorf("got %s\nwant %s", said, c.want[i])
					}
				}
				if at := "/config/" + c.file; f.File != at && name != "the collector as NFS" {
					t.Errorf("in %s", f.File)
				}
			}
		})
	}
	if _, found := settings.Load(modules("", ""), ""); len(found) > 0 {
		t.Errorf("refused: %+v", found)
	}
	// Where nothing is said of it, one leads, by the chart's Lease (R50).
	for _, text := range []string{good, good + "leaderElection:", good + "leaderElection: {}", good + "leaderElection: { enabled: true }"} {
		if s, found := settings.Load(modules(operator, text), ""); len(found) > 0 || !s.LeaderElection.Enabled || s.LeaderElection.Name != "kora-operator" {
			t.Errorf("%q: %+v, %v", text, s.LeaderElection, found)
		}
	}
}

// R23: modules that are not there are told by their files, each of them, and are
// told apart from modules that are wrong.
func TestMissingModulesAreTold(t *testing.T) {
	_, found := settings.Load(fstest.MapFS{}, "/config")
	if len(found) != 4 {
		t.Fatalf("%+v", found)
	}
	for _, f := range found {
		if f.Code != faults.FileMissing || !strings.HasPrefix(f.File, "/config/internal/") || f.Found != "file does not exist" || !strings.Contains(f.Fix, "-config") {
			t.Errorf("%+v", f)
		}
	}
}

// R23: what is no file, or longer than a module can be, is refused with what it is, the
// bound and what to do, and is never waited for nor read whole: a test that hung would be
// ended by its own time limit.
func TestModulesThatAreNoFilesAreRefused(t *testing.T) {
	at := t.TempDir()
	endless := filepath.Join(at, "endless")
	all := errors.Join(os.MkdirAll(filepath.Join(at, "internal/platform"), 0o700), os.WriteFile(endless, nil, 0o600), os.Truncate(endless, 300<<20),
		syscall.Mkfifo(filepath.Join(at, "internal/operator.yaml"), 0o600), os.Symlink("/dev/zero", filepath.Join(at, "internal/platform/identity.yaml")),
		os.Mkdir(filepath.Join(at, "internal/platform/mesh.yaml"), 0o700), os.Symlink(endless, filepath.Join(at, "internal/platform/observability.yaml")))
	if all != nil {
		t.Fatal(all)
	}
	_, found := settings.Load(regular.Folder(at), "/config")
	want := []string{
		"/config/internal/operator.yaml KORA-Y004 it is a named pipe and not a regular file|a regular file, or a link to one|put the file there",
		"/config/internal/platform/identity.yaml KORA-Y004 it is a device and not a regular file|a regular file, or a link to one|put the file there",
		"/config/internal/platform/mesh.yaml KORA-Y004 it is a directory and not a regular file|a regular file, or a link to one|put the file there",
		"/config/internal/platform/observability.yaml KORA-Y003 it has more than 1048576 bytes|at most 1048576 bytes|mount the ConfigMap",
	}
	if len(found) != len(want) {
		t.Fatalf("%+v", found)
	}
	for i, f := range found {
		if got := fmt.Sprintf("%s %s %s|%s|%s", f.File, f.Code, f.Found, f.Expected, f.Fix); !strings.HasPrefix(got, want[i]) {
			t.Errorf("got %s\nwant %s", got, want[i])
		}
	}
	directory := fstest.MapFS{"internal/operator.yaml/x": {Data: []byte("a")}} // of any other file system too
	if _, found := settings.Load(directory, ""); len(found) != 4 || found[0].Code != faults.FileKind {
		t.Errorf("%+v", found)
	}
}

// R22, R50: the Secrets that services get variables of, extraEnv's too, are the
// platform's, each once.
func TestSecretsOfServicesAreThePlatforms(t *testing.T) {
	env := func(name, secret string) map[string]any {
		return map[string]any{"name": name, "valueFrom": map[string]any{"secretKeyRef": map[string]any{"name": secret, "key": "k"}}}
	}
	got := operatortest.Settings(t, map[string]any{
		"frontend":   map[string]any{"extraEnv": []any{env("A", "sso-client"), env("B", "kora-secrets")}},
		"mcpService": map[string]any{"extraEnv": []any{env("A", "sso-client"), env("B", "proxy-login")}},
	})
	if want := []string{"kora-secrets", "kora-frontend-secrets", "sso-client", "proxy-login"}; !slices.Equal(got.PlatformSecrets, want) {
		t.Errorf("got %q, want %q", got.PlatformSecrets, want)
	}
}
