package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Said is what a provenance claims of its build.
type Said struct {
	// Builder is the builder.id.
	Builder string
	// Sources are what it was started from, Dependencies what it used; one
	// without a repository is a commit of the source.
	Sources, Dependencies []Source
	// WorkflowRef is the reference of the workflow that was started, Workflows
	// its path, however often it is said.
	WorkflowRef string
	Workflows   []string
}

// Source is a repository as an https URL, with the reference and the commits
// that are said of it, "" and none where nothing is.
type Source struct {
	Repository, Ref string
	Commits         []string
}

// JudgeProvenance returns what a provenance claims against the certificate of
// who signed it, or against the builder asked for (R47). What the certificate
// does not say, as that of a key or of another issuer, contradicts nothing.
// Letters of owners and repositories may be of either case, and nothing else.
func (p Policy) JudgeProvenance(c Claims, s Said) []Mismatch {
	var out against
	if p.builder != "" && s.Builder != p.builder {
		out = append(out, Mismatch{"builder", s.Builder, fmt.Sprintf("%q", p.builder)})
	}
	for _, source := range s.Sources {
		out.compare("source repository", c.SourceRepository, sameURL, source.Repository)
		out.build(c, source)
	}
	for _, used := range s.Dependencies {
		if used.Repository == "" || used.of(c.SourceRepository) || slices.ContainsFunc(s.Sources, func(s Source) bool { return used.of(s.Repository) }) {
			out.build(c, used)
		}
	}
	started := workflowOf(c.BuildConfig)
	if started.ref == "" {
		started.ref = c.SourceRef
	}
	out.compare("reference of the workflow", started.ref, equal, s.WorkflowRef)
	if strings.HasPrefix(started.path, workflows) {
		same := func(said, _ string) bool { return started.called(said, c.SourceRepository) }
		out.compare("path of the workflow", started.path, same, s.Workflows...)
	}
	// Another workflow may stand for the one that signed; the same one of
	// another reference does not.
	for _, workflow := range []string{c.SignerWorkflow, c.BuildConfig} {
		if w := workflowOf(workflow); w.like(workflowOf(s.Builder)) {
			out.compare("builder", workflow, func(said, _ string) bool { return w.is(workflowOf(said)) }, s.Builder)
		}
	}
	return out
}

// against collects what a provenance says otherwise than its certificate.
type against []Mismatch

func (a *against) compare(field, certified string, same func(said, certified string) bool, said ...string) {
	for _, one := range said {
		if certified != "" && one != "" && !same(one, certified) {
			*a = append(*a, Mismatch{field + " of the provenance", one, fmt.Sprintf("%q, which the certificate says", certified)})
		}
	}
}

// build compares what is said of the repository that was built.
func (a *against) build(c Claims, s Source) {
	a.compare("source reference", c.SourceRef, equal, s.Ref)
	a.compare("commit", c.SourceDigest, equal, s.Commits...)
}

func (s Source) of(repository string) bool { return sameURL(s.Repository, repository) }

// called reports whether a path is that of the workflow: in the repository that
// was built, or with OWNER/REPO before it.
func (w workflow) called(path, built string) bool {
	if path == w.path {
		return built == "" || sameURL(w.repository, built)
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(w.repository, "https://"), "/")
	other := within(host + "/" + path)
	return other.path == w.path && sameURL(other.repository, w.repository)
}

// like reports whether two workflows have one file, or one that a careless
// reader takes for the same.
func (w workflow) like(other workflow) bool {
	return w.path != "" && sameURL(w.repository+"/"+w.path, other.repository+"/"+other.path)
}

func equal(a, b string) bool { return a == b }
