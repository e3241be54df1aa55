package lint

import (
	"encoding/json"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
)

// source is what one source says that does not go together. What some version of
// Argo CD may make sense of is a warning.
func (a *app) source(s *source.Node) faults.List {
	var found faults.List
	tell := func(at, message, fix string, severity faults.Severity) {
		f := a.fault(key(s, at), faults.AppShape, "spec.source."+at, message)
		f.Severity, f.Fix = severity, fix
		found = append(found, f)
	}
	if types := tools(s); len(types) > 1 {
		tell(types[1], "one source is for "+strings.Join(types, " and ")+", and Argo CD takes one of them alone", "keep the settings of the tool that is meant", faults.Error)
	}
	if text(s, "chart") == "" {
		return found
	}
	switch version := text(s, "targetRevision"); {
	case version == "":
		f := a.fault(key(s, "chart"), faults.AppShape, "spec.source.targetRevision", "the chart has no version, which Argo CD refuses")
		found = append(found, f)
	case strings.EqualFold(version, "HEAD"):
		tell("targetRevision", "a chart has versions, and none that is called "+version, "name a version of the chart, or a range such as 1.*", faults.Error)
	}
	if strings.HasPrefix(text(s, "repoURL"), "oci://") {
		tell("repoURL", "beside a chart the registry stands without oci://; with it, the URL is the whole of an artifact's", "remove oci://, or remove chart and put its name behind the URL", faults.Warning)
	}
	if text(s, "path") != "" {
		tell("path", "the path is not read, because a chart stands beside it", "remove the path, or the chart", faults.Warning)
	}
	return found
}

// tools are those that a source has settings for, as Argo CD counts them: empty
// ones it drops.
func tools(s *source.Node) []string {
	var typed argo.ApplicationSource
	var all []string
	as := func(name string, into any) bool {
		n := s.Get(name)
		if n == nil || n.Kind != source.Mapping {
			return false
		}
		text, err := json.Marshal(n.Any())
		return err == nil && json.Unmarshal(text, into) == nil
	}
	if as("helm", &typed.Helm) && !typed.Helm.IsZero() {
		all = append(all, "helm")
	}
	if as("kustomize", &typed.Kustomize) && !typed.Kustomize.IsZero() {
		all = append(all, "kustomize")
	}
	if as("directory", &typed.Directory) && !typed.Directory.IsZero() {
		all = append(all, "directory")
	}
	if as("plugin", &typed.Plugin) && !typed.Plugin.IsZero() {
		all = append(all, "plugin")
	}
	return all
}
