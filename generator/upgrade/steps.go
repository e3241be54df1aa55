package upgrade

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// steps are the exact commands, in the order that R56 asks for.
func (p *Plan) steps(r Request, to Version) {
	p.Helm = []string{
		fmt.Sprintf("helm upgrade --install kora-crds %s --namespace %s --version %s --wait", r.chart("kora-crds"), quote(r.Namespace), to),
		"kubectl wait --for=condition=Established crd --selector app.kubernetes.io/name=kora-crds --timeout 60s",
		fmt.Sprintf("helm upgrade kora %s --namespace %s --version %s%s%s --wait --timeout 40m", r.chart("kora"), quote(r.Namespace), to, r.files(), r.Facts.sets()),
	}
	p.Helmfile = []string{
		"kora generate helmfile" + r.Facts.flag("") + " -o helmfile" + withVersion(to),
		"cd helmfile",
		"helmfile -e " + r.Facts.name() + " -l name=kora-crds apply",
		"helmfile -e " + r.Facts.name() + " -l name=kora apply",
	}
	p.ArgoCD = argocdSteps(to, r.Facts.flag(" -e ENVIRONMENT"))
	p.Back = []string{
		fmt.Sprintf("helm rollback kora %s --namespace %s --wait --timeout 40m", r.before(), quote(r.Namespace)),
		r.unserved(),
		"with Argo CD: revert the commit of apps/kora.yaml and the rest, and leave that of apps/kora-crds.yaml",
	}
}

// unserved says what Helm's --wait waits for besides pods: an address, which nobody
// gives to a Service where no load balancer is served.
func (r Request) unserved() string {
	return "where nothing gives Services of type LoadBalancer an address, without --wait, and then kubectl rollout status deployment --namespace " + quote(r.Namespace)
}

// argocdSteps generate with the version that shall run, since a file that is changed
// by hand is refused the next time; commit kora-crds before the rest; and wait for
// the parent, which alone brings a child its new source, before the child (R41, R56).
func argocdSteps(to Version, environment string) []string {
	steps := []string{
		"kora generate argocd" + environment + " -o argocd" + withVersion(to),
		fmt.Sprintf("git add argocd/apps/kora-crds.yaml && git commit -m 'kora-crds %s' && git push", to),
	}
	steps = append(steps, taken("kora-crds")...)
	steps = append(steps, fmt.Sprintf("git add argocd && git commit -m 'kora %s' && git push   (argocd/apps/kora.yaml and the rest)", to))
	steps = append(steps, taken("kora")...)
	return append(steps, "where argocd.automated is false: argocd app sync NAME in the place of each argocd app wait NAME")
}

// withVersion says which kora generates, and that a lock is given again: without it
// what is pinned is refused (R38).
func withVersion(to Version) string {
	return fmt.Sprintf("   (with kora %s, and --lock where there is one)", to)
}

// taken waits until a commit has reached a child. Without the refresh what was
// compared minutes ago would pass for synced.
func taken(child string) []string {
	return []string{
		"argocd app get kora-platform --refresh",
		"argocd app wait kora-platform --sync --operation --timeout 2400",
		"argocd app get " + child + " --refresh",
		"argocd app wait " + child + " --sync --health --timeout 2400",
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

// chart is where helm finds one: below an oci:// URL or a folder, or in the index of
// another URL.
func (r Request) chart(name string) string {
	if strings.HasPrefix(r.Charts, "https://") || strings.HasPrefix(r.Charts, "http://") {
		return name + " --repo " + quote(r.Charts)
	}
	return quote(strings.TrimRight(r.Charts, "/") + "/" + name)
}

// quote makes a word of a shell's line. What a terminal would obey is written out.
func quote(word string) string {
	if shown := faults.Visible(word); shown != word {
		return "$'" + strings.ReplaceAll(faults.Visible(strings.ReplaceAll(word, `\`, `\\`)), "'", `\'`) + "'"
	}
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
