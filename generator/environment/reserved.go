package environment

import (
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// Reserved is the pattern of the namespaces where others run: Kubernetes, Istio,
// SPIRE in both of its layouts, Argo CD, and kora's privileged node agent, which has
// one to itself (R31). Two installs in one would fight about its
// labels, and its policies would hold for both (R21). The chart has the same.
const Reserved = `^(kube-.*|istio-system|spire-system|spire-server|argocd|kora-sandbox-mount)$`

const another = "another namespace than systemNamespace"

// shared refuses Argo CD in the namespace of the platform, wherever both are.
func shared(root *source.Node) faults.List {
	at := root.Get("argocd").Get("namespace")
	system := textOf(root, "systemNamespace")
	if root.Get("systemNamespace") == nil {
		system = Default().SystemNamespace
	}
	if at == nil || !isText(at) || system == "" || at.Value != system {
		return nil
	}
	f := at.Pos.Fault(faults.EnvironmentForm, "Argo CD and the platform cannot have one namespace")
	f.Field, f.Found, f.Expected, f.Fix = "argocd.namespace", at.Value, another, "give kora a namespace of its own, such as kora-system"
	return faults.List{f}
}

// shared is the same in the guard: the facts of argocd are in $argocd.
func (g *guard) shared() {
	g.line(`$system := index $facts "systemNamespace"`)
	g.wrong(`and (eq (kindOf $argocd) "map") (eq (kindOf $system) "string") (ne (print $system) "") (eq (print (index $argocd "namespace")) (print $system))`, "argocd.namespace must be "+another)
}
