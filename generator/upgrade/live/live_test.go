package live

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/generator/upgrade"
	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/internal/testcluster"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// chart writes a chart of that name and version with one ConfigMap.
func chart(t *testing.T, name, version string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for file, text := range map[string]string{
		"Chart.yaml":        "apiVersion: v2\nname: " + name + "\nversion: " + version + "\n",
		"templates/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }} }\ndata: { version: {{ .Chart.Version | quote }} }\n",
	} {
		at := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// R56: what both Helms have written is read back: versions, states, the values
// that were given; and a plan is made from it, forwards and one revision back.
func TestReleasesOfBothHelmsAreRead(t *testing.T) {
	for _, version := range []string{"helm-3", "helm-4"} {
		t.Run(version, func(t *testing.T) {
			cluster := testcluster.Shared(t)
			folder, err := testcluster.Tool(t.Context(), version)
			if err != nil {
				t.Fatal(err)
			}
			namespace, home := cluster.Namespace(t, testcluster.Restricted), t.TempDir()
			helm := func(args ...string) {
				t.Helper()
				cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "helm"), append(args, "--namespace", namespace)...)
				cmd.Env = append(os.Environ(), "KUBECONFIG="+cluster.Kubeconfig(), "HOME="+home, "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home, "HELM_PLUGINS="+home)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
				}
			}
			helm("install", "kora-crds", chart(t, "kora-crds", "1.3.2"))
			helm("install", "kora", chart(t, "kora", "1.3.2"), "--set", "global.trustDomain=example.com")
			helm("upgrade", "kora", chart(t, "kora", "1.4.0"), "--set", "global.trustDomain=example.com")

			client, err := Connect(t.Context(), kube.Place{Kubeconfig: cluster.Kubeconfig()})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Read(cluster.Context(t), client, namespace)
			if err != nil {
				t.Fatal(err)
			}
			values := map[string]any{"global": map[string]any{"trustDomain": "example.com"}}
			want := &upgrade.Live{
				Kora: []upgrade.Revision{{Number: 1, Status: "superseded", Version: "1.3.2", Values: values}, {Number: 2, Status: "deployed", Version: "1.4.0", Values: values}},
				CRDs: []upgrade.Revision{{Number: 1, Status: "deployed", Version: "1.3.2"}},
			}
			got.CRDs[0].Values = nil // {} or null, as the Helm likes
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			for to, rollback := range map[string]bool{"1.5.0": false, "1.3.2": true} {
				plan, found := upgrade.Make(upgrade.Request{To: to, Kora: "1.4.0", Live: got, Namespace: namespace, Charts: "oci://ghcr.io/runkora/charts"})
				if found.Refused() || plan.Rollback != rollback {
					t.Errorf("to %s: %+v %+v", to, plan, found)
				}
			}
			if plan, _ := upgrade.Make(upgrade.Request{To: "1.3.2", Kora: "1.4.0", Live: got, Namespace: namespace}); plan != nil {
				command := strings.Fields(plan.Helm[0])
				helm(slices.DeleteFunc(command[1:], func(w string) bool { return w == "--namespace" || w == namespace })...)
			}
		})
	}
}

func packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []byte(base64.StdEncoding.EncodeToString(b.Bytes()))
}

// A record that is none is an error that does not show it: it may hold secrets.
func TestRecordsThatAreNoneAreErrors(t *testing.T) {
	const secret = "hunter2"
	for _, data := range [][]byte{nil, []byte(secret), []byte(base64.StdEncoding.EncodeToString([]byte(secret))), packed(t, secret), packed(t, "["+secret)} {
		if _, err := decode(data); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", data, err)
		}
	}
	if _, err := decode(packed(t, strings.Repeat(" ", maxRecord+1))); err == nil {
		t.Error("a record without end is taken")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(packed(f, `{"version":3,"info":{"status":"deployed"},"chart":{"metadata":{"version":"1.4.0"}},"config":{"a":{"b":[1]}}}`))
	f.Add(packed(f, `{"version":"x"}`))
	f.Add([]byte("H4sI"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := decode(data); err != nil && (r.Number != 0 || r.Values != nil) {
			t.Errorf("%+v beside %v", r, err)
		}
	})
}
