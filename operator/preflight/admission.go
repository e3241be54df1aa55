package preflight

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/preflight/facts"
)

func admissionChecks() []Check {
	return []Check{
		{
			ID: "privileged-pods", Category: "admission",
			Why: "the node agent exports and mounts folders, which takes a privileged pod on the host's network", judge: privileged,
			applies: func(s Settings) string { return when(!s.SandboxMount.Enabled, "sandboxMount.enabled is false") },
		},
		{
			ID: "release", Category: "admission", Needs: []string{"system-namespace"},
			Why: "what the API server refuses of the release now it would refuse in the middle of the install", judge: release,
		},
	}
}

// tried reports whether the API server was asked, about what these settings
// would install. A file that does not say what was tried answers nothing.
func (v *verdict) tried(what string, of func(*facts.Asked) string) bool {
	asked := ""
	if v.facts.Asked != nil {
		asked = of(v.facts.Asked)
	}
	return v.meant(what, asked, of(v.Asked()))
}

func release(v *verdict) {
	const what = "what the API server says to the release"
	if !known(v, what, v.facts.Release) || !v.tried(what, func(a *facts.Asked) string { return a.Release }) {
		return
	}
	if len(v.facts.Release.Value) == 0 {
		v.unread(what, "no object was tried", v.again("--only", v.id))
	}
	v.unserved()
	v.unhoused()
	v.uncalled()
	v.lacking()
	for _, a := range v.facts.Release.Value {
		if a.Refused != "" && !ofKind.MatchString(a.Refused) && !byAbsence.MatchString(a.Refused) {
			v.fail(Finding{Message: "the API server refuses an object of the release", Object: a.Object, Found: a.Refused, Fix: v.refusalFix(a)})
		}
		if a.Untried != "" && !bySilence.MatchString(a.Untried) && !forbidden.MatchString(a.Untried) {
			v.unknown("what the API server says to "+a.Object, a.Untried)
		}
		if a.Short != "" {
			v.fail(Finding{Message: "a quota has no room for all of the release and its pods", Object: a.Object, Found: a.Short, Fix: v.roomier(a)})
		}
		v.owned(a)
		for _, w := range a.Warnings {
			v.warn(Finding{Message: "the API server warns of an object of the release", Object: a.Object, Found: w, Fix: v.warnedFix(a, w)})
		}
	}
}

// unserved tells once of each group of the API that is not there, with the objects
// that need it: what installs it is the same for all of them.
func (v *verdict) unserved() {
	objects, said := map[string][]string{}, map[string]string{}
	for _, a := range v.facts.Release.Value {
		if m := ofKind.FindStringSubmatch(a.Refused); m != nil {
			objects[m[1]] = append(objects[m[1]], a.Object)
			said[m[1]] = cmp.Or(said[m[1]], a.Refused)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(objects)) {
		v.fail(Finding{Message: "the API server serves none of what the release has of a group", Object: some(objects[group]), Found: said[group], Expected: group, Fix: v.definer(group)})
	}
}

// releaseName is that of the release, as every document of kora has it.
const releaseName = "kora"

// owned judges an object that is there already: Helm takes over none that says
// nothing of this release, and stops in the middle of the install. What Argo CD
// keeps of kora's chart has the chart's label, and no release: a mark of Argo CD
// alone may be of any other application.
func (v *verdict) owned(a facts.Answer) {
	if a.Unread != "" {
		v.unknown("who "+a.Object+" belongs to", a.Unread)
	}
	o := a.Owner
	if o == nil || o.ArgoCD && o.ManagedBy == "Helm" && o.Release == "" || o.ManagedBy == "Helm" && o.Release == releaseName && o.Namespace == v.Namespace {
		return
	}
	found := "app.kubernetes.io/managed-by: " + orNothing(o.ManagedBy) + ", release: " + orNothing(o.Namespace+"/"+o.Release)
	if o.Release == "" {
		found = "app.kubernetes.io/managed-by: " + orNothing(o.ManagedBy) + ", release: nothing"
	}
	v.fail(Finding{
		Message: "an object of the release is there already and belongs to somebody else", Object: a.Object, Found: found,
		Expected: "app.kubernetes.io/managed-by: Helm, release: " + v.Namespace + "/" + releaseName, Fix: v.adopt(a.Object, *o),
	})
}

// adopt gives an object, titled "Kind namespace/name" or "Kind name", to the
// release, where nobody says that it is theirs; else it is theirs to give.
func (v *verdict) adopt(object string, o facts.Owner) string {
	kind, name, _ := strings.Cut(object, " ")
	in, names := []string(nil), []spelled{kindName(kind)}
	if namespace, rest, inside := strings.Cut(name, "/"); inside {
		in, name, names = []string{"-n", namespace}, rest, append(names, label(namespace))
	}
	names = append(names, rbacName(name))
	if o.Release != "" || o.Namespace != "" || o.ArgoCD || o.ManagedBy != "" && o.ManagedBy != "Helm" {
		return sound(v.on("kubectl", append(in, "describe", kind, name)...)+" # tells whose it is: remove it by the means of whoever made it, or give kora a name of its own", names...)
	}
	mark := func(verb string, marks ...string) string {
		return v.on("kubectl", slices.Concat(in, []string{verb, kind, name}, marks)...)
	}
	return sound(mark("label", "app.kubernetes.io/managed-by=Helm")+" && "+
		mark("annotate", "meta.helm.sh/release-name="+releaseName, "meta.helm.sh/release-namespace="+v.Namespace)+
		" # gives it to the release; or delete it, where nobody needs it", append(names, label(v.Namespace))...)
}

// What the API server says of who or what refused.
var (
	byPolicy     = regexp.MustCompile(`(ValidatingAdmissionPolicy|MutatingAdmissionPolicy) '([^']*)'`)
	byWebhook    = regexp.MustCompile(`admission webhook "([^"]*)"`)
	bySilence    = regexp.MustCompile(`webhook "([^"]*)"(?: of Service ([^/ ]*)/([^ ]*))? does not answer`)
	byQuota      = regexp.MustCompile(`(?:exceeded|failed) quota: ([^,]+),`)
	ofKind       = regexp.MustCompile(`no matches for kind "[^"]*" in version "([^"/]*)/`)
	attempter    = regexp.MustCompile(`user "([^"]*)" .*is attempting to grant RBAC permissions`)
	byEnd        = regexp.MustCompile(`namespace "([^"]*)" is being deleted`)
	byAbsence    = regexp.MustCompile(`is refused: namespace "([^"]*)" is not there`)
	byLimit      = regexp.MustCompile(`a LimitRange: `)
	wouldViolate = regexp.MustCompile(`would violate PodSecurity "`)
	byLevel      = regexp.MustCompile(`violates PodSecurity "(\w+):`)
)

// refusedBy shows the rule of the cluster that refused: it has to admit kora's
// objects, and no right of an account goes around it. Empty: no rule did.
func (v *verdict) refusedBy(text string) string {
	const behind = " # it has to admit kora's objects"
	if m := byPolicy.FindStringSubmatch(text); m != nil {
		return sound(v.on("kubectl", "get", strings.ToLower(m[1]), m[2], "-o", "yaml")+behind, subdomain(m[2]))
	}
	if m := byWebhook.FindStringSubmatch(text); m != nil {
		return sound(v.configured(m[1])+behind, subdomain(m[1]))
	}
	if m := byEnd.FindStringSubmatch(text); m != nil {
		return v.leaving(m[1])
	}
	return ""
}

// configured shows where a webhook is set up.
func (v *verdict) configured(webhook string) string {
	return v.on("kubectl", "get", "validatingwebhookconfigurations,mutatingwebhookconfigurations", "-o", "yaml") + " | grep -F -B 5 -A 60 -- " + quoted("name: "+webhook)
}

// answering shows the webhook that gave no answer and what its Service leads to: no
// value of kora's mends that. Empty: the text is of something else.
func (v *verdict) answering(text string) string {
	m := bySilence.FindStringSubmatch(text)
	switch {
	case m == nil:
		return ""
	case m[3] == "":
		return sound(v.configured(m[1])+" # what its clientConfig names has to answer", subdomain(m[1]))
	}
	return sound(v.configured(m[1])+" && "+v.on("kubectl", "-n", m[2], "describe", "service", m[3])+" # its Endpoints have to be there and to answer", subdomain(m[1]), label(m[2]), label(m[3]))
}

// uncalled tells once of each webhook that gave no answer, with the objects that
// nobody could try for that.
func (v *verdict) uncalled() {
	objects, said := map[string][]string{}, map[string]string{}
	for _, a := range v.facts.Release.Value {
		if m := bySilence.FindStringSubmatch(a.Untried); m != nil {
			objects[m[0]] = append(objects[m[0]], a.Object)
			said[m[0]] = cmp.Or(said[m[0]], a.Untried)
		}
	}
	for _, silent := range slices.Sorted(maps.Keys(objects)) {
		v.found = append(v.found, Finding{State: Unchecked, Message: "a webhook of admission does not answer, so nobody knows what the API server says to objects of the release",
			Object: some(objects[silent]), Found: said[silent], Expected: "an answer of the webhook", Fix: v.answering(silent)})
	}
}

// refusalFix knows the reasons that have a usual way out.
func (v *verdict) refusalFix(a facts.Answer) string {
	if fix := v.refusedBy(a.Refused); fix != "" {
		return fix
	}
	if m := byQuota.FindStringSubmatch(a.Refused); m != nil {
		return v.quota(a.Namespace(), m[1])
	}
	if byLimit.MatchString(a.Refused) {
		return sound(v.on("kubectl", "-n", a.Namespace(), "get", "limitranges", "-o", "yaml")+" # it has to admit what the values ask for, or the values less", label(a.Namespace()))
	}
	if m := byLevel.FindStringSubmatch(a.Refused); m != nil {
		if v.ofMount(a.Namespace()) {
			return v.mountLevel()
		}
		return sound(v.on("kubectl", "get", "namespace", a.Namespace(), "--show-labels")+" # its level "+quoted(m[1])+" is stricter than the values and patches are: change those", label(a.Namespace()))
	}
	if m := ofKind.FindStringSubmatch(a.Refused); m != nil {
		return v.definer(m[1])
	}
	if m := attempter.FindStringSubmatch(a.Refused); m != nil {
		return v.installer(m[1])
	}
	if fix := v.grant(a.Refused); fix != "" {
		return fix
	}
	return v.rendered()
}

// roomier opens a quota that is too small.
func (v *verdict) roomier(a facts.Answer) string {
	_, name, _ := strings.Cut(a.Object, "/")
	return v.quota(a.Namespace(), name)
}

func (v *verdict) quota(namespace, name string) string {
	return sound(v.on("kubectl", "-n", namespace, "edit", "resourcequota", name)+" # or lower replicas and resources in the values, where it is pods that ask for more", label(namespace), subdomain(name))
}

// definer installs what serves an API group.
func (v *verdict) definer(group string) string {
	switch {
	case strings.HasSuffix(group, "istio.io"):
		return v.installIstio()
	case group == "spire.spiffe.io":
		return v.installSpire()
	case strings.HasSuffix(group, "runkora.io"):
		return sound(v.on("helm", "upgrade", "--install", "kora-crds", "oci://ghcr.io/runkora/charts/kora-crds", "-n", v.Namespace), label(v.Namespace))
	}
	return sound(v.on("kubectl", "api-resources", "--api-group="+group)+" # whatever serves this group is not there", subdomain(group))
}
