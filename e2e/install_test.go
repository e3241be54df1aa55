//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	real "github.com/runkora/kora/internal/testcluster/helmfile"
)

// facts are those of this cluster: the environment e2e.
const facts = `trustDomain: td.example.com
frontendHost: kora.example.com
clusterName: e2e
theme: theme.yaml
charts: { kora: CHARTS, spire: CHARTS, istio: CHARTS }
`

// values are a person's.
const values = `config:
  db: { host: 127.0.0.1, port: DBPORT, name: kora, user: kora }
  redis: { host: 127.0.0.1, port: REDISPORT, tls: { caSecret: kora-redis-ca } }
  platformSecretName: kora-secrets
networkPolicy:
  externalServices: [{ cidr: 127.0.0.1/32, ports: [DBPORT, REDISPORT] }]
gateway:
  create: true
  tls: { enabled: true, credentialName: kora-gateway-tls }
ingressGateway:
  service: { type: ClusterIP } # there is no load balancer
operator:
  syncPeriod: 5s
agents:
  sandboxImages:
    registryMirrors: { ghcr.io: MIRROR, registry.example.com: MIRROR }
  manifestPatches:
    10-team:
      target: { kind: StatefulSet }
      patch: |
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: { name: any }
        spec:
          template:
            metadata: { annotations: { example.com/team: platform } }
            spec: { nodeSelector: { kubernetes.io/os: linux } }
`

// generate makes the folder as a person does, and writes the two files that are theirs.
func generate(w *world) {
	w.do("kora", "generate", "helmfile", "-o", "helmfile")
	theme, err := os.ReadFile("../testdata/theme/northwind.yaml")
	if err != nil {
		w.Fatal(err)
	}
	w.write("helmfile/environments/e2e.yaml", strings.ReplaceAll(facts, "CHARTS", w.charts))
	here := strings.NewReplacer("MIRROR", w.mirror, "DBPORT", strconv.Itoa(w.services.database.port), "REDISPORT", strconv.Itoa(w.services.cache.port))
	w.write("helmfile/values/kora.yaml", here.Replace(values))
	w.write("helmfile/values/theme.yaml", string(theme))
	out := w.do("kora", "generate", "helmfile", "-o", "helmfile", "--check")
	w.say("the folder is as generated, with files of one's own beside it %s", strings.TrimSpace(out))
}

// helmfile runs the real one in the generated folder.
func (w *world) helmfile(args ...string) string {
	w.Helper()
	args = append([]string{"--file", filepath.Join(w.dir, "helmfile", "helmfile.yaml.gotmpl"), "-e", "e2e"}, args...)
	return w.do(real.Binary(w), args...)
}

func syncMesh(w *world) {
	w.helmfile("-l", "name!=kora", "sync")
	for _, r := range [][2]string{{"spire-crds", "spire-system"}, {"spire", "spire-system"}, {"istio-base", "istio-system"}, {"istio-cni", "istio-system"}, {"istiod", "istio-system"}, {"kora-crds", system}} {
		w.deployed(r[0], r[1])
	}
}

// deployed holds a release to its state.
func (w *world) deployed(release, namespace string) {
	w.Helper()
	var status struct {
		Info struct {
			Status string `json:"status"`
		} `json:"info"`
		Version int `json:"version"`
	}
	text := w.do("helm", "status", release, "-n", namespace, "-o", "json")
	if err := yaml.Unmarshal([]byte(text), &status); err != nil || status.Info.Status != "deployed" {
		w.Fatalf("%s in %s is %q: %v", release, namespace, status.Info.Status, err)
	}
	w.say("%s is deployed in %s, revision %d", release, namespace, status.Version)
}

// given are the values and the facts over them, as the Helmfile has them.
func (w *world) given() []string {
	return []string{"-e", "helmfile/environments/e2e.yaml", "-f", "helmfile/values/kora.yaml"}
}

func preflightFirst(w *world) {
	if out, err := w.command(nil, "", "kora", append([]string{"preflight"}, w.given()...)...); err == nil || !strings.Contains(out, "FAIL  platform-secret") || !strings.Contains(out, "skip  postgres: blocked by platform-secret") {
		w.Fatalf("preflight passes without the Secrets: %v\n%s", err, out)
	}
	w.say("without the Secrets it fails, and says so")
	secrets(w)
	serviceErrors(w)
}

// preflight has to be green, warnings aside, and to have connected to both services.
func (w *world) preflight() {
	w.Helper()
	out := strings.TrimSpace(w.do("kora", append([]string{"preflight", "--wait", "60s"}, w.given()...)...))
	if !strings.Contains(out, "pass  postgres\n") || !strings.Contains(out, "pass  redis\n") {
		w.Fatalf("not everything passed:\n%s", out)
	}
	w.say("preflight: %s", out[strings.LastIndex(out, "\n")+1:])
}

func syncAll(w *world) {
	w.helmfile("sync")
	w.deployed("kora-crds", system)
	w.deployed("kora", system)
	w.preflight()
	if got := w.path("{.data.theme\\.yaml}", "configmap", "kora-frontend-theme", "-n", system); !strings.Contains(got, "Northwind Agents") {
		w.Fatalf("the theme is not there: %q", got)
	}
	if got := w.path("{.data.10-team\\.yaml}", "configmap", "kora-agents-manifest-patches", "-n", system); !strings.Contains(got, "example.com/team: platform") {
		w.Fatalf("the patch is not there: %q", got)
	}
	w.say("the theme and the patch are where kora-frontend and kora-agents read them")
}

func ready(w *world) {
	for _, namespace := range []string{"spire-system", "istio-system", system} {
		all := strings.Fields(w.do("kubectl", "get", "deployments,daemonsets,statefulsets", "-n", namespace, "-o", "name"))
		for _, workload := range all {
			w.do("kubectl", "rollout", "status", "-n", namespace, workload, "--timeout=120s")
		}
		w.say("%d workloads of %s are ready", len(all), namespace)
	}
	for _, job := range []string{"kora-preflight", "kora-migrate"} {
		if got := w.path("{.status.succeeded}", "job", job, "-n", system); got != "1" {
			w.Fatalf("the hook Job %s succeeded %q times", job, got)
		}
	}
	w.do("helm", "test", "kora", "-n", system, "--timeout", "2m")
	w.say("the hook Jobs have succeeded, and helm test passes")
}

// hookJob runs the hook Job's own command line, with the file that its ConfigMap
// holds and the token of its account, as its container would.
func hookJob(w *world) {
	var command []string
	for _, o := range documents(w, w.do("helm", "get", "hooks", "kora", "-n", system)) {
		name, _ := at(o, "metadata", "name").(string)
		if name != "kora-preflight" {
			continue
		}
		switch o["kind"] {
		case "Job":
			containers, _ := at(o, "spec", "template", "spec", "containers").([]any)
			words, _ := at(containers[0].(map[string]any), "command").([]any)
			for _, word := range words {
				command = append(command, fmt.Sprint(word))
			}
		case "ConfigMap":
			w.write("job/kora.yaml", fmt.Sprint(at(o, "data", "kora.yaml")))
		default:
			text, err := yaml.Marshal(o)
			if err != nil {
				w.Fatal(err)
			}
			w.apply(string(text))
		}
	}
	if len(command) < 2 {
		w.Fatal("the release has no hook Job kora-preflight with a command")
	}
	for i, word := range command {
		command[i] = strings.Replace(word, "/etc/kora/preflight", filepath.Join(w.dir, "job"), 1)
	}
	out, err := w.command([]string{"KUBECONFIG=" + w.kubeconfig("kora-preflight")}, "", command[0], command[1:]...)
	if err != nil || strings.Contains(out, "????") {
		w.Fatalf("%v: %v\n%s", command, err, out)
	}
	w.do("kubectl", "delete", "clusterrole,clusterrolebinding", "kora-preflight")
	w.do("kubectl", "delete", "-n", system, "role,rolebinding,serviceaccount", "kora-preflight")
	out = strings.TrimSpace(out)
	w.say("%s", strings.Join(command, " "))
	w.say("decides: %s", out[strings.LastIndex(out, "\n")+1:])
}

// kubeconfig is one with the token of an account of the system namespace.
func (w *world) kubeconfig(account string) string {
	w.Helper()
	config, err := w.cluster.ConfigOf(w.Context(), system, account)
	if err != nil {
		w.Fatal(err)
	}
	file := clientcmdapi.NewConfig()
	file.Clusters["e2e"] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	file.AuthInfos["e2e"] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	file.Contexts["e2e"] = &clientcmdapi.Context{Cluster: "e2e", AuthInfo: "e2e"}
	file.CurrentContext = "e2e"
	at := filepath.Join(w.dir, account+".kubeconfig")
	if err := clientcmd.WriteToFile(*file, at); err != nil {
		w.Fatal(err)
	}
	return at
}
