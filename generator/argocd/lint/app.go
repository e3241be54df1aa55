package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// check is what one Application tells by itself.
func (a *app) check(parent bool) faults.List {
	if a.spec == nil {
		return nil
	}
	found := slices.Concat(a.shape(), a.namespace(), a.ignores(), a.definitions())
	if at := a.has("ServerSideApply=true"); at != nil && parent {
		found = append(found, a.fault(at, faults.ParentApply, "spec.syncPolicy.syncOptions", "the parent of Applications is applied by server-side apply"))
	}
	for i, s := range a.sources() {
		found = append(found, a.values(s, i)...)
		found = append(found, a.references(s)...)
	}
	return found
}

func (a *app) shape() faults.List {
	var found faults.List
	one, several := a.spec.Get("source"), items(a.spec.Get("sources"))
	switch {
	case one == nil && len(several) == 0 && a.spec.Get("sourceHydrator") == nil:
		found = append(found, a.fault(key(a.root, "spec"), faults.AppShape, "spec", "the Application has no source"))
	case one != nil && len(several) > 0:
		found = append(found, a.fault(key(a.spec, "source"), faults.AppShape, "spec.source", "source is passed over where sources stands"))
	}
	if to := a.spec.Get("destination"); text(to, "server") != "" && text(to, "name") != "" {
		found = append(found, a.fault(key(to, "name"), faults.AppShape, "spec.destination", "the destination names its cluster twice, by server and by name"))
	}
	return found
}

func (a *app) namespace() faults.List {
	if m := a.policy().Get("managedNamespaceMetadata"); m == nil || a.has("CreateNamespace=true") != nil {
		return nil
	}
	return faults.List{a.fault(key(a.policy(), "managedNamespaceMetadata"), faults.NamespaceLabels, "spec.syncPolicy.managedNamespaceMetadata", "the namespace's labels are never written")}
}

// oneEntry is a path to a numbered webhook.
var oneEntry = regexp.MustCompile(`^/webhooks/[0-9]+/|^\.webhooks\[[0-9]+\]`)

func (a *app) ignores() faults.List {
	var found faults.List
	list := a.spec.Get("ignoreDifferences")
	if len(items(list)) > 0 && a.has("RespectIgnoreDifferences=true") == nil {
		found = append(found, a.fault(key(a.spec, "ignoreDifferences"), faults.IgnoredOnly, "spec.ignoreDifferences", "a sync writes over the fields that ignoreDifferences names"))
	}
	for _, each := range items(list) {
		if !strings.HasSuffix(text(each, "kind"), "WebhookConfiguration") {
			continue
		}
		for _, name := range []string{"jsonPointers", "jqPathExpressions"} {
			for _, p := range items(each.Get(name)) {
				if oneEntry.MatchString(p.Value) {
					f := a.fault(p, faults.OneWebhook, "spec.ignoreDifferences", "the path names one webhook by its number")
					f.Found, f.Expected = p.Value, "a path over every entry, such as .webhooks[]?.clientConfig.caBundle"
					found = append(found, f)
				}
			}
		}
	}
	return append(found, a.webhooks(list)...)
}

// webhooks asks for both fields of kora's own webhooks.
func (a *app) webhooks(list *source.Node) faults.List {
	if a.chart() != "kora" {
		return nil
	}
	var all []string
	for _, each := range items(list) {
		for _, p := range items(each.Get("jqPathExpressions")) {
			all = append(all, text(each, "kind")+p.Value)
		}
	}
	for _, kind := range []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"} {
		for _, field := range []string{"caBundle", "failurePolicy"} {
			if !slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, kind) && strings.HasSuffix(s, field) }) {
				f := a.fault(key(a.root, "spec"), faults.OneWebhook, "spec.ignoreDifferences", fmt.Sprintf("nothing leaves %s of kora's %s to the operator", field, kind))
				return faults.List{f}
			}
		}
	}
	return nil
}

// chart is the name of the Helm chart; of an OCI artifact the last part of its URL.
func (a *app) chart() string {
	for _, s := range a.sources() {
		if name := text(s, "chart"); name != "" {
			return name
		}
		if url := text(s, "repoURL"); strings.HasPrefix(url, "oci://") {
			return url[strings.LastIndex(url, "/")+1:]
		}
	}
	return ""
}

// definitions are never to be deleted by the way (R40).
func (a *app) definitions() faults.List {
	if chart := a.chart(); !strings.HasSuffix(chart, "-crds") && !(chart == "base" && strings.Contains(text(a.sources()[0], "repoURL"), "istio")) {
		return nil
	}
	var found faults.List
	if p := a.policy().Get("automated").Get("prune"); p != nil && p.Value == "true" {
		found = append(found, a.fault(p, faults.PrunedCRDs, "spec.syncPolicy.automated.prune", "a definition that a version no longer has is deleted, with every object of its kind"))
	}
	for _, f := range items(a.meta.Get("finalizers")) {
		if strings.HasPrefix(f.Value, "resources-finalizer.argocd.argoproj.io") {
			found = append(found, a.fault(f, faults.PrunedCRDs, "metadata.finalizers", "deleting the Application deletes the definitions, with every object of their kinds"))
		}
	}
	return found
}

// values that stand in two places of one source: one of them is not read.
func (a *app) values(s *source.Node, i int) faults.List {
	helm := s.Get("helm")
	if text(helm, "values") == "" || helm.Get("valuesObject").Null() {
		return nil
	}
	return faults.List{a.fault(key(helm, "values"), faults.HiddenValues, fmt.Sprintf("spec.sources[%d].helm.values", i), "values is not read, because valuesObject stands beside it")}
}

// referred is "$name" in a path.
var referred = regexp.MustCompile(`\$([A-Za-z0-9_-]+)`)

// references resolve only at the start of a path, to a source with that ref.
func (a *app) references(s *source.Node) faults.List {
	var found faults.List
	if ref := s.Get("ref"); ref != nil && text(s, "chart") != "" {
		found = append(found, a.fault(ref, faults.RefPlace, "spec.sources.ref", "a source with a chart cannot be referred to"))
	}
	helm := s.Get("helm")
	paths := slices.Clone(items(helm.Get("valueFiles")))
	for _, p := range items(helm.Get("fileParameters")) {
		if n := p.Get("path"); n != nil {
			paths = append(paths, n)
		}
	}
	for _, p := range paths {
		found = append(found, a.reference(p)...)
	}
	return found
}

func (a *app) reference(p *source.Node) faults.List {
	m := referred.FindStringSubmatchIndex(p.Value)
	if m == nil {
		return nil
	}
	name := p.Value[m[2]:m[3]]
	message := ""
	switch {
	case strings.HasPrefix(p.Value, "$ARGOCD_"):
		return nil // a variable of the build
	case m[0] != 0:
		message = fmt.Sprintf("$%s does not stand at the start of the path, and is a plain text there", name)
	case !strings.HasPrefix(p.Value[m[1]:], "/"):
		message = fmt.Sprintf("behind $%s there is no slash", name)
	case !slices.ContainsFunc(a.sources(), func(s *source.Node) bool { return text(s, "ref") == name }):
		message = fmt.Sprintf("no source has ref: %s", name)
	default:
		return nil
	}
	f := a.fault(p, faults.RefPlace, "spec.sources.helm", message)
	f.Found = p.Value
	return faults.List{f}
}

// unordered is about the template of an ApplicationSet: only RollingSync orders
// what it makes.
func (a *app) unordered() faults.List {
	w := a.meta.Get("annotations").Get(waveKey)
	if w == nil || text(a.root.Get("spec").Get("strategy"), "type") == "RollingSync" {
		return nil
	}
	f := a.fault(w, faults.UnorderedSet, "spec.template.metadata.annotations", "the wave orders nothing: the ApplicationSet makes all its Applications at once")
	f.Object = "ApplicationSet " + text(a.root.Get("metadata"), "name")
	return faults.List{f}
}
