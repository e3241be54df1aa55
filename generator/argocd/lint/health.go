package lint

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/source"
)

// healthKey is where argocd-cm has the health check of Applications.
const healthKey = "resource.customizations.health.argoproj.io_Application"

// inTemplate is the key in a template of a chart, which is no YAML yet.
var inTemplate = regexp.MustCompile(`(?m)^\s*["']?` + regexp.QuoteMeta(healthKey) + `["']?:`)

// hasHealth reports a health check of Applications in the data of argocd-cm, in the
// key of its own or in the old one that holds all.
func hasHealth(data *source.Node) bool {
	if v := data.Get(healthKey); v != nil && strings.TrimSpace(v.Value) != "" {
		return true
	}
	return ofOld(text(data, "resource.customizations"))
}

func ofOld(all string) bool {
	return strings.Contains(all, "argoproj.io/Application:") && strings.Contains(all, "health.lua")
}

// enliven keeps the namespace of what gives Applications a health, in whatever form
// it comes to argocd-cm (R41).
func (s *set) enliven(doc *source.Node) {
	if namespace, ok := enlivens(text(doc, "kind"), text(doc.Get("metadata"), "name"), doc); ok {
		s.health = append(s.health, namespace)
	}
}

// enlivens reports whether an object of a kind gives Applications a health, and the
// namespace of the Argo CD that has it; empty where that is not known.
func enlivens(kind, name string, doc *source.Node) (string, bool) {
	own, spec := text(doc.Get("metadata"), "namespace"), doc.Get("spec")
	switch kind {
	case "ConfigMap":
		return own, name == "argocd-cm" && hasHealth(doc.Get("data"))
	case "ArgoCD": // of the operator
		return own, byOperator(spec)
	case "Application":
		return text(spec.Get("destination"), "namespace"), ofSources(spec)
	case "ApplicationSet":
		return "", ofSources(spec.Get("template").Get("spec"))
	case "HelmRelease":
		return text(spec, "targetNamespace"), inValues(spec.Get("values"))
	case "": // a file of values
		return "", inValues(doc)
	}
	return "", false
}

func byOperator(spec *source.Node) bool {
	checks := slices.ContainsFunc(items(spec.Get("resourceHealthChecks")), func(c *source.Node) bool {
		return text(c, "group") == argoGroup && text(c, "kind") == "Application" && strings.TrimSpace(text(c, "check")) != ""
	})
	return checks || hasHealth(spec.Get("extraConfig")) || ofOld(text(spec, "resourceCustomizations"))
}

// inValues reports it in the values of Argo CD's chart, or of one that has that as
// a dependency, under whatever name.
func inValues(values *source.Node) bool {
	if ofChart(values) {
		return true
	}
	return values != nil && slices.ContainsFunc(values.Fields, func(f source.Field) bool { return ofChart(f.Value) })
}

func ofChart(values *source.Node) bool {
	return hasHealth(values.Get("configs").Get("cm")) || hasHealth(values.Get("server").Get("config"))
}

func ofSources(spec *source.Node) bool {
	return slices.ContainsFunc((&app{spec: spec}).sources(), func(s *source.Node) bool {
		helm := s.Get("helm")
		return inValues(helm.Get("valuesObject")) || slices.ContainsFunc(parsed(text(helm, "values")), inValues) ||
			slices.ContainsFunc(items(helm.Get("parameters")), ofParameter)
	})
}

func ofParameter(p *source.Node) bool {
	before, is := strings.CutSuffix(strings.ReplaceAll(text(p, "name"), `\.`, "."), "."+healthKey)
	return is && text(p, "value") != "" && (strings.HasSuffix(before, "configs.cm") || strings.HasSuffix(before, "server.config"))
}

func parsed(text string) []*source.Node {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	docs, _ := source.Parse(source.NewFile("text", text), limits)
	return docs
}

// generates reports it in a ConfigMap or a chart that a kustomization makes itself.
func generates(doc *source.Node) bool {
	for _, g := range items(doc.Get("configMapGenerator")) {
		for _, each := range slices.Concat(items(g.Get("literals")), items(g.Get("files"))) {
			key, value, named := strings.Cut(each.Value, "=")
			if !named {
				key, value = path.Base(key), key
			}
			if text(g, "name") == "argocd-cm" && key == healthKey && value != "" {
				return true
			}
		}
	}
	return slices.ContainsFunc(items(doc.Get("helmCharts")), func(c *source.Node) bool { return inValues(c.Get("valuesInline")) })
}
