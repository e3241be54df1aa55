package charts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
)

const aTenant = `
apiVersion: runkora.io/v1alpha1
kind: KoraTenant
metadata: { name: data }
spec: { oidc: { issuer: "https://login.example.com", clientID: kora } }
`

// a release of kora-crds by one version of Helm in the shared cluster.
type release struct {
	t          *testing.T
	run        func(...string) (string, error)
	kubeconfig string
	kubectl    string
	namespace  string
}

func (r release) helm(args ...string) string {
	r.t.Helper()
	out, err := r.run(append(args, "--namespace", r.namespace)...)
	if err != nil {
		r.t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// kube runs kubectl with a text as its standard input.
func (r release) kube(stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), r.kubectl, append([]string{"--kubeconfig", r.kubeconfig, "--cache-dir", r.t.TempDir()}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// definitions lists what the notes' selector selects.
func (r release) definitions() int {
	r.t.Helper()
	return strings.Count(r.kube("", "get", "crd", "-l", "app.kubernetes.io/name=kora-crds", "-o", "name"), "\n")
}

// R19, R40, R56: installed, upgraded and deleted by both Helms, the definitions and
// the tenants stay; the chart can be installed again; and what the notes say to
// remove everything does.
func TestDeletingTheReleaseKeepsTheTenants(t *testing.T) {
	for _, version := range helms {
		t.Run(version, func(t *testing.T) {
			cluster := testcluster.Shared(t)
			r := release{t, helm(t, version, cluster.Kubeconfig()), cluster.Kubeconfig(),
				filepath.Join(cluster.Binaries(), "kubectl"), cluster.Namespace(t, testcluster.Restricted)}

			notes := r.helm("upgrade", "--install", "kora-crds", CRDs)
			for _, said := range []string{"keeps the custom resource definitions", "kubectl delete crd -l app.kubernetes.io/name=kora-crds",
				"deletes every KoraTenant", "kubectl get kora --all-namespaces", "helm upgrade --install kora oci://", "kora-crds in " + r.namespace} {
				if !strings.Contains(notes, said) {
					t.Errorf("the notes lack %q:\n%s", said, notes)
				}
			}
			r.kube("", "wait", "--for=condition=Established", "--timeout=60s", "crd", "-l", "app.kubernetes.io/name=kora-crds")
			r.kube(aTenant, "create", "-f", "-")

			r.helm("upgrade", "--install", "kora-crds", changed(t))
			if out := r.kube("", "get", "crd", "koratenants.runkora.io", "-o", "jsonpath={.spec.names.shortNames}"); !strings.Contains(out, "upgraded") {
				t.Errorf("the upgrade did not reach the definition: %s", out)
			}

			r.helm("uninstall", "kora-crds")
			if n := r.definitions(); n != 6 {
				t.Errorf("%d definitions are left", n)
			}
			r.kube("", "get", "koratenant", "data")

			r.helm("upgrade", "--install", "kora-crds", CRDs)
			r.kube("", "get", "koratenant", "data")

			r.helm("uninstall", "kora-crds")
			// Also a wait: the API server tries a deletion again only after five
			// minutes when it has not opened the store of a changed definition yet.
			if out := r.kube("", "get", "kora", "--all-namespaces"); !strings.Contains(out, "koratenant.runkora.io/data") {
				t.Errorf("the tenant is not listed:\n%s", out)
			}
			r.kube("", "delete", "koratenant", "data")
			r.kube("", "delete", "crd", "-l", "app.kubernetes.io/name=kora-crds")
			if n := r.definitions(); n != 0 {
				t.Errorf("%d definitions are left after they were removed on purpose", n)
			}
		})
	}
}

// changed is a copy of the chart with a later version and one more short name.
func changed(t *testing.T) string {
	t.Helper()
	files, err := Open(CRDs)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), CRDs)
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	replace(t, filepath.Join(folder, "Chart.yaml"), "\nversion: 1.", "\nversion: 1.9")
	replace(t, filepath.Join(folder, "templates", "koratenants.yaml"), "    - kt\n", "    - kt\n    - upgraded\n")
	return folder
}

func replace(t *testing.T, file, old, new string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%s has not one %q", file, old)
	}
	// What is embedded is read-only, and so are its copies on some systems.
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}
