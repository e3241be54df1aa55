package argocd

import (
	"fmt"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/releases"
)

// The comments say what breaks without a setting: each is a trap that somebody
// has stepped into.

func parentNotes(e *environment.Environment) notes {
	return notes{
		"": fmt.Sprintf(`The app-of-apps: apply this one file, and Argo CD installs the rest from apps/.

Before: give Argo CD the health check of Applications, or every wave begins at
once (see argocd-cm-patch.yaml), and the credentials of private repositories:
  kubectl -n %s patch configmap argocd-cm --type merge --patch-file argocd-cm-patch.yaml
  argocd repo add ...

Order: Argo CD applies the children wave by wave, and goes on when all of a wave
are healthy. An ApplicationSet would not do: it makes its Applications all at
once and passes over their waves.

All of this was made of these facts, and of the defaults of those that are not here:
%s`, e.ArgoCD.Namespace, factLines(e)),
		"metadata/finalizers": "Deleting this Application deletes the children, the highest wave first.",
		"spec/syncPolicy": `No ServerSideApply here: a parent that has it does not wait between the waves of
its children (argoproj/argo-cd#13320). Children that need it have it themselves.`,
	}
}

func settingsNotes(e *environment.Environment) notes {
	return notes{
		"": fmt.Sprintf(`A patch of Argo CD's own settings, not a whole ConfigMap: merge it in.
  kubectl -n %s patch configmap argocd-cm --type merge --patch-file argocd-cm-patch.yaml

Since Argo CD 1.8 an Application has no health of its own, and no chart of Argo CD
restores it. Without this, the parent takes a child for healthy as soon as it
exists: the waves are applied seconds after each other, kora's hooks run before
there are its definitions, a mesh or identities, and the install only settles,
if at all, by retries. With it, a wave is over when all its children are healthy.`, e.ArgoCD.Namespace),
	}
}

func childNotes(r releases.Release, e *environment.Environment) notes {
	out := notes{
		"": "The release " + r.Name + ": " + r.Why + ".",
		"metadata/annotations": `The wave is the longest path of what the release needs. It only waits with the
health check of argocd-cm-patch.yaml.`,
		"spec/syncPolicy/managedNamespaceMetadata": "Labels of the namespace. Only CreateNamespace=true makes Argo CD write them.",
	}
	if r.CRDs {
		crdNotes(out, r, e)
	} else {
		out["metadata/finalizers"] = "Deleting this Application deletes what it installed."
	}
	if r.Webhooks {
		out["spec/ignoreDifferences"] = `The program writes caBundle and failurePolicy of its own webhooks. A path over
every entry: a pointer such as /webhooks/0 would reach the first alone. Without
RespectIgnoreDifferences=true below, a sync would still write over them.`
	}
	if r.Own {
		koraNotes(out, e)
	}
	return out
}

func crdNotes(out notes, r releases.Release, e *environment.Environment) {
	out[""] += `
It has no finalizer: deleting the Application must leave the definitions, and
with them every object of their kinds in the whole cluster.`
	if r.Name == releases.KoraCRDs {
		out[""] += `
On an upgrade generate with the new kora, commit this file first, and the others
when it is synced: kora upgrade plan prints the steps.`
	}
	if e.ArgoCD.Automated {
		out["spec/syncPolicy/automated"] = `prune: false, so that a definition that a version no longer has stays: removing
one deletes every object of its kind in every namespace.`
	}
	out["spec/syncPolicy/syncOptions"] = `ServerSideApply: client-side apply keeps a copy of the object in an annotation,
and the API server refuses annotations above 262144 bytes, which definitions
reach. On this child alone, never on the parent.`
}

func koraNotes(out notes, e *environment.Environment) {
	out[""] += `
Two sources: the chart, and the repository of your values, which the first one's
paths name as $values. That is read only at the start of a path, is relative to
the root of that repository, and its source may not be a chart.
Under Argo CD the hooks kora-preflight and kora-migrate are PreSync hooks and run
on every sync; both may run any number of times. The charts call neither random
functions nor Release.IsInstall, which Argo CD answers otherwise, and one lookup,
which gives without a cluster what it gives on a first install.
A gateway of type LoadBalancer is healthy when it has an address: where nothing
gives it one, the wave waits for ever; set ingressGateway.service.type then.`
	if e.Theme == "" {
		out[""] += `
A theme is one more key of helm, as --set-file: set theme in the environment.`
	}
}

func tenantNotes() notes {
	return notes{
		"": `Your KoraTenants, Connections, OAuthClients, MCPServers, ModelProviders and
SandboxImages: an Application of its own, so that its prune does not depend on
that of kora-crds, and after kora, whose webhooks judge them. The namespace of a
tenant is made by the operator: give what lies in it a later sync-wave than the
KoraTenant, and a retry covers the rest.`,
		"metadata/finalizers":         "Deleting this Application deletes the tenants.",
		"spec/syncPolicy/syncOptions": `The first sync would otherwise fail on kinds that the cluster does not know yet.`,
	}
}
