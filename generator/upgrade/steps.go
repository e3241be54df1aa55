package upgrade

import (
	"fmt"
	"strings"
)

// steps are the exact commands, in the order that R56 asks for.
func (p *Plan) steps(r Request, to Version) {
	p.Helm = []string{
		fmt.Sprintf("helm upgrade --install kora-crds %s/kora-crds --namespace %s --version %s --wait", quote(r.Charts), quote(r.Namespace), to),
		"kubectl wait --for=condition=Established crd --selector app.kubernetes.io/name=kora-crds --timeout 60s",
		fmt.Sprintf("helm upgrade kora %s/kora --namespace %s --version %s%s --wait --timeout 40m", quote(r.Charts), quote(r.Namespace), to, r.files()),
	}
	p.Helmfile = []string{
		"kora generate helmfile -o helmfile",
		"cd helmfile",
		"helmfile -e NAME -l name=kora-crds apply",
		"helmfile -e NAME -l name=kora apply",
	}
	p.ArgoCD = []string{
		fmt.Sprintf("in apps/kora-crds.yaml set targetRevision to %s, commit and push", to),
		"argocd app wait kora-crds --sync --health",
		fmt.Sprintf("in apps/kora.yaml set targetRevision to %s, commit and push", to),
		"argocd app wait kora --sync --health --timeout 2400",
	}
	p.Back = []string{
		fmt.Sprintf("helm rollback kora %s --namespace %s --wait", r.before(), quote(r.Namespace)),
		"with Argo CD: revert the commit of apps/kora.yaml alone",
	}
}

func (r Request) files() string {
	if len(r.Files) == 0 {
		return " --values kora.yaml"
	}
	var b strings.Builder
	for _, f := range r.Files {
		b.WriteString(" --values " + quote(f))
	}
	return b.String()
}

// quote makes a word of a shell's line.
func quote(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/@:+-") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// before is the revision that the new one follows, which is the one that runs.
func (r Request) before() string {
	if runs, ok := r.deployed(); ok {
		return fmt.Sprint(runs.Number)
	}
	return "PREVIOUS_REVISION"
}
