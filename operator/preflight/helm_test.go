package preflight

import "testing"

// R2, R55: each program is told the cluster in its own flags: kora has two of them,
// and Helm takes the others off its line.
func TestEachProgramIsToldTheClusterInItsFlags(t *testing.T) {
	v := &verdict{Settings: Settings{Namespace: "n", Flags: []string{"-f", "kora.yaml"}}}
	v.Place = []string{"--kubeconfig", "--as", "--context", "c", "--server", "https://a:1", "--as", "ann", "--as-group", "g", "--certificate-authority", "ca", "--tls-server-name", "b", "--insecure-skip-tls-verify=true"}
	helms := "--kube-apiserver https://a:1 --kube-as-user ann --kube-as-group g --kube-ca-file ca --kube-tls-server-name b --kube-insecure-skip-tls-verify"
	v.Program = []string{"helm", "kora"}
	for got, want := range map[string]string{
		v.on("kubectl", "x"): "kubectl --kubeconfig --as --context c --server https://a:1 --as ann --as-group g --certificate-authority ca --tls-server-name b --insecure-skip-tls-verify=true x",
		v.on("helm", "x"):    "helm --kubeconfig --as --kube-context c " + helms + " x",
		v.again("--wait"):    "helm kora preflight -f kora.yaml --kubeconfig --as --context c " + helms + " --wait",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	v.Program = nil
	if got := v.again("--wait"); got != "kora preflight -f kora.yaml --kubeconfig --as --context c --wait" {
		t.Errorf("%q", got)
	}
}
