package lint

import (
	"fmt"
	"path"
	"regexp"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

const (
	mutating   = "MutatingWebhookConfiguration"
	validating = "ValidatingWebhookConfiguration"
)

// oneEntry is a pointer to a numbered webhook.
var oneEntry = regexp.MustCompile(`^/webhooks/[0-9-]+(/|$)`)

func (a *app) ignores() faults.List {
	var found faults.List
	list := a.spec.Get("ignoreDifferences")
	if len(items(list)) > 0 && a.has("RespectIgnoreDifferences=true") == nil {
		found = append(found, a.fault(key(a.spec, "ignoreDifferences"), faults.IgnoredOnly, "spec.ignoreDifferences", "a sync writes over the fields that ignoreDifferences names"))
	}
	left := map[string]bool{} // what is left to others: kind and field
	for _, each := range items(list) {
		found = append(found, a.entry(each)...)
		if ofKind(each, mutating) || ofKind(each, validating) {
			found = append(found, a.ignore(each, left)...)
		}
	}
	return append(found, a.webhooks(left)...)
}

// ofKind reports whether an entry is about a kind: Argo CD matches globs.
func ofKind(each *source.Node, kind string) bool {
	ok, err := path.Match(text(each, "kind"), kind)
	return ok && err == nil
}

// ofGroup: an empty group matches the core group alone.
func ofGroup(each *source.Node) bool {
	ok, err := path.Match(text(each, "group"), "admissionregistration.k8s.io")
	return ok && err == nil
}

func (a *app) ignore(each *source.Node, left map[string]bool) faults.List {
	var found faults.List
	for _, p := range items(each.Get("jsonPointers")) {
		if oneEntry.MatchString(p.Value) {
			found = append(found, a.partial(p))
		}
		if p.Value == "/webhooks" {
			found = append(found, a.whole(p))
			leave(each, left, "caBundle", "failurePolicy")
		}
	}
	for _, p := range items(each.Get("jqPathExpressions")) {
		may, spent := a.paths.spend(a, p)
		if found = append(found, spent...); !may {
			leave(each, left, "caBundle", "failurePolicy") // as it may do
			continue
		}
		r := reaches(p.Value)
		switch {
		case placeholder(p.Value):
		case r.unjudged:
			found = append(found, a.unjudged(p))
			leave(each, left, "caBundle", "failurePolicy")
		case r.err != nil:
			found = append(found, a.cannotRun(p, r.err))
		case r.whole:
			found = append(found, a.whole(p))
		case r.some && !r.all:
			found = append(found, a.partial(p))
		}
		for field, ok := range r.fields {
			if ok {
				leave(each, left, field)
			}
		}
	}
	if len(items(each.Get("managedFieldsManagers"))) > 0 { // whatever they wrote is theirs
		leave(each, left, "caBundle", "failurePolicy")
	}
	return found
}

func leave(each *source.Node, left map[string]bool, names ...string) {
	for _, kind := range []string{mutating, validating} {
		for _, name := range names {
			left[kind+name] = left[kind+name] || ofGroup(each) && ofKind(each, kind)
		}
	}
}

func (a *app) partial(p *source.Node) faults.Fault {
	f := a.fault(p, faults.OneWebhook, "spec.ignoreDifferences", "the path reaches some of the webhooks and not every one")
	f.Found, f.Expected = p.Value, "a path over every entry, such as .webhooks[]?.clientConfig.caBundle"
	return f
}

// unjudged is a path that is not run: whether it reaches every webhook is not known.
func (a *app) unjudged(p *source.Node) faults.Fault {
	f := a.fault(p, faults.NothingToLint, "spec.ignoreDifferences.jqPathExpressions", "the jq path builds values, or goes on too long, and was not run over webhooks: whether it reaches every one was not judged")
	f.Severity, f.Found, f.Expected = faults.Warning, p.Value, "steps, choices and comparisons, such as .webhooks[]?.clientConfig.caBundle"
	f.Fix = "write it without sums, products, texts of texts, reduce and functions of its own, or see yourself that it reaches every entry"
	return f
}

// whole is a path that hides all of what it may have been meant to hide a field of.
func (a *app) whole(p *source.Node) faults.Fault {
	f := a.fault(p, faults.OneWebhook, "spec.ignoreDifferences", "the path takes every webhook as a whole: Argo CD no longer sees nor mends its rules, selectors and service")
	f.Severity, f.Found, f.Expected = faults.Warning, p.Value, "a path to the field that another writes, such as .webhooks[]?.clientConfig.caBundle"
	return f
}

// webhooks asks for both fields of kora's own webhooks.
func (a *app) webhooks(left map[string]bool) faults.List {
	if !a.installs("kora") {
		return nil
	}
	for _, kind := range []string{mutating, validating} {
		for _, field := range []string{"caBundle", "failurePolicy"} {
			if !left[kind+field] {
				return faults.List{a.fault(key(a.root, "spec"), faults.OneWebhook, "spec.ignoreDifferences", fmt.Sprintf("nothing leaves %s of kora's %s to the operator", field, kind))}
			}
		}
	}
	return nil
}
