package upgrade

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
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
	if r.Live == nil || len(r.Live.Kora) == 0 {
		return "PREVIOUS_REVISION"
	}
	return fmt.Sprint(r.Live.Kora[len(r.Live.Kora)-1].Number)
}

// back is the plan of a rollback, where the older version is that of the revision
// before; anything else is refused (R56).
func (p *Plan) back(r Request, from, to Version) (*Plan, faults.List) {
	if found := r.state(); found.Refused() {
		return nil, found
	}
	if previous, ok := r.previous(); ok && previous.Version == to.String() {
		p.Rollback = true
		p.check("the rollback is to the revision before", fmt.Sprintf("revision %d is kora %s", previous.Number, to), true)
		p.Notes = []string{"workloads alone go back: the database stays at the schema of " + from.String() + ", with which " + to.String() + " works, and kora-crds stays"}
		p.Helm = []string{fmt.Sprintf("helm rollback kora %d --namespace %s --wait --timeout 40m", previous.Number, quote(r.Namespace))}
		p.Helmfile = []string{p.Helm[0] + "   (helmfile itself has no rollback)"}
		p.ArgoCD = []string{"revert the commit that raised targetRevision in apps/kora.yaml; leave apps/kora-crds.yaml"}
		return p, nil
	}
	f := faults.New(faults.Downgrade, fmt.Sprintf("kora %s cannot follow %s", to, from))
	f.File = "--to " + to.String()
	if previous, ok := r.previous(); ok {
		f.Found = fmt.Sprintf("the revision before is %d, kora %s", previous.Number, previous.Version)
		f.Fix = fmt.Sprintf("the only way back is helm rollback kora %d --namespace %s", previous.Number, quote(r.Namespace))
	} else if r.Live == nil {
		f.Fix = "the only way back is to the revision before: give --kubeconfig to plan a rollback, or look at helm history kora"
	}
	return nil, faults.List{f}
}

// previous is the last revision before the one that runs that was deployed:
// Helm calls it superseded. One that failed in between does not count.
func (r Request) previous() (Revision, bool) {
	if r.Live == nil {
		return Revision{}, false
	}
	all := r.Live.Kora
	for i := len(all) - 2; i >= 0; i-- {
		if all[i].Status == "superseded" {
			return all[i], true
		}
	}
	return Revision{}, false
}
