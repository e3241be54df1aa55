//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/runkora/kora/internal/testcluster"
)

// steps are the way, in order. Each says what it did; one that does not hold ends
// the run with status 1.
var steps = []struct {
	title string
	do    func(*world)
}{
	{"kora generate helmfile, and the facts of this cluster", generate},
	{"helmfile sync of all but kora", syncMesh},
	{"secrets, and kora preflight before anything of kora is there", preflightFirst},
	{"helmfile sync of everything", syncAll},
	{"charts ready", ready},
	{"the hook Job's command with the Job's own rights", hookJob},
	{"kora-operator with the rights of its account", operator},
	{"a tenant, a connection, a sandbox image", resources},
	{"an agent type from its preview", agent},
	{"upgrade: kora-crds, then kora", upgrade},
	{"rollback to the revision before", rollback},
	{"uninstall", uninstall},
}

// R19, R39, R40, R50 to R56: from a blank cluster to agents that are ready, up, back
// and away again, with each Helm.
func TestEndToEnd(t *testing.T) {
	both := []string{"helm-3", "helm-4"}
	only := os.Getenv("E2E_HELM")
	if only != "" && !slices.Contains(both, only) {
		t.Fatalf("E2E_HELM is %q: it is one of %q, or empty for both", only, both)
	}
	for _, helm := range both {
		if only != "" && only != helm {
			continue
		}
		t.Run(helm, func(t *testing.T) {
			w := blank(t, helm)
			for n, step := range steps {
				began := time.Now()
				fmt.Printf("== %s %d/%d: %s\n", helm, n+1, len(steps), step.title)
				step.do(w)
				if t.Failed() {
					t.FailNow()
				}
				fmt.Printf("   done in %.1f s\n", time.Since(began).Seconds())
			}
		})
	}
}

// blank starts a cluster that nobody else uses, and puts the programs together.
func blank(t *testing.T, helm string) *world {
	cluster, err := testcluster.Start(t.Context(), testcluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	folder, err := testcluster.Tool(t.Context(), helm)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, cluster: cluster, dir: t.TempDir(), bin: t.TempDir()}
	for name, target := range map[string]string{"helm": filepath.Join(folder, "helm"), "kubectl": filepath.Join(cluster.Binaries(), "kubectl")} {
		if err := os.Symlink(target, filepath.Join(w.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, pkg := range map[string]string{"kora": "../plugin", "kora-operator": "../operator"} {
		if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(w.bin, name), pkg).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	served, err := cluster.Client().Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("== %s on Kubernetes %s: a blank cluster\n", helm, served.GitVersion)
	w.charts, w.mirror, w.services = chartServer(w), imageServer(w), startServices(w)
	standInIstiod(w)
	return w
}
