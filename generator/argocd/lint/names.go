package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

const (
	prefix     = "argocd.argoproj.io/"
	optionsKey = prefix + "sync-options"
)

// syncOptions are the names that Argo CD knows, up to 3.2, and their values.
func syncOptions() map[string][]string {
	onOff := []string{"true", "false"}
	return map[string][]string{
		"Validate": onOff, "CreateNamespace": onOff, "PruneLast": onOff, "Replace": onOff, "Force": onOff,
		"ServerSideApply": onOff, "ServerSideDiff": onOff, "FailOnSharedResource": onOff, "RespectIgnoreDifferences": onOff,
		"ApplyOutOfSyncOnly": onOff, "SkipDryRunOnMissingResource": onOff, "ClientSideApplyMigration": onOff,
		"Prune": {"true", "false", "confirm"}, "Delete": {"true", "false", "confirm"},
		"PrunePropagationPolicy": {"foreground", "background", "orphan"},
	}
}

// annotations are those that Argo CD acts on, up to 3.2.
func annotations() []string {
	return []string{
		"sync-wave", "sync-options", "hook", "hook-delete-policy", "compare-options", "refresh", "hydrate", "tracking-id",
		"manifest-generate-paths", "managed-by", "managed-by-url", "installation-id", "ignore-healthcheck", "ignore-resource-updates", "skip-reconcile",
		"application-set-refresh", "ignore-default-labels", "client-side-apply-migration-manager", "deletion-approved",
	}
}

// placeholder reports a text that an ApplicationSet fills in.
func placeholder(s string) bool { return strings.Contains(s, "{{") }

// options are those of the Application that Argo CD does not know: it passes
// them over without a word.
func (a *app) options() faults.List {
	var found faults.List
	for _, item := range items(a.policy().Get("syncOptions")) {
		found = append(found, judgeOption(item, item.Value, a.name(), "spec.syncPolicy.syncOptions")...)
	}
	return found
}

func judgeOption(at *source.Node, each, object, field string) faults.List {
	each = strings.TrimSpace(each)
	if placeholder(each) || each == "" {
		return nil
	}
	known, all := syncOptions(), []string(nil)
	for name := range known {
		all = append(all, name)
	}
	slices.Sort(all)
	name, value, _ := strings.Cut(each, "=")
	values, ok := known[name]
	if ok && slices.Contains(values, value) {
		return nil
	}
	f := at.Pos.Fault(faults.AppShape, "Argo CD knows no such value of the sync option, and passes it over")
	f.Object, f.Field, f.Found, f.Expected = object, field, each, name+"="+strings.Join(values, " or ")
	if !ok {
		f = at.Pos.Fault(faults.UnknownField, "Argo CD knows no sync option "+strconv.Quote(name)+", and passes it over")
		f.Object, f.Field, f.Found, f.Expected = object, field, each, "one of "+strings.Join(all, ", ")
		if near := fields.Nearest(name, all); near != "" {
			f.Fix = `did you mean "` + near + `"?`
		}
	}
	return faults.List{f}
}

// annotated judges Argo CD's annotations on anything: misspelt ones, which mean
// nothing to it, waves that are no number, and options.
func annotated(root, meta *source.Node) faults.List {
	var found faults.List
	list := meta.Get("annotations")
	if list == nil {
		return nil
	}
	object := text(root, "kind") + " " + text(meta, "name")
	for _, each := range list.Fields {
		name, ours := strings.CutPrefix(each.Key.Value, prefix)
		near := fields.Nearest(name, annotations())
		switch {
		case !ours:
			found = append(found, elsewhere(each, object)...)
		case name == "sync-wave":
			found = append(found, wave(each.Value, object)...)
		case name == "sync-options":
			for option := range strings.SplitSeq(each.Value.Value, ",") {
				found = append(found, judgeOption(each.Value, option, object, "metadata.annotations")...)
			}
		case !slices.Contains(annotations(), name) && near != "":
			found = append(found, misspelt(each, object, prefix+near))
		}
	}
	return found
}

// elsewhere is an annotation of Argo CD's under a prefix that is nearly its own.
func elsewhere(each source.Field, object string) faults.List {
	group, name, _ := strings.Cut(each.Key.Value, "/")
	if !slices.Contains(annotations(), name) || fields.Nearest(group+"/", []string{prefix, "argoproj.io/"}) == "" {
		return nil
	}
	return faults.List{misspelt(each, object, prefix+name)}
}

func misspelt(each source.Field, object, near string) faults.Fault {
	f := each.Key.Pos.Fault(faults.UnknownField, "Argo CD knows no such annotation, and passes it over")
	f.Object, f.Field, f.Found, f.Expected = object, "metadata.annotations", each.Key.Value, near
	f.Fix = `did you mean "` + near + `"?`
	return f
}

func wave(value *source.Node, object string) faults.List {
	if _, err := strconv.Atoi(value.Value); err == nil || placeholder(value.Value) {
		return nil
	}
	f := value.Pos.Fault(faults.WaveOrder, "the wave is no whole number, and Argo CD takes it for 0")
	f.Object, f.Field, f.Found, f.Expected = object, "metadata.annotations", value.Value, `a whole number in quotes, such as "1"`
	return faults.List{f}
}
