package policy

import "strings"

// workflow is a workflow by its parts. The zero value is none.
type workflow struct {
	repository string // a URL: "https://github.com/runkora/kora"
	path       string // in the repository: ".github/workflows/release.yml"
	ref        string // "refs/tags/v1.4.0", "" for any
}

// workflowOf parts https://HOST/OWNER/REPO/PATH@REF; of anything else it is none.
func workflowOf(text string) workflow {
	before, ref, _ := cutReference(text)
	rest, ok := strings.CutPrefix(before, "https://")
	w := within(rest)
	if !ok || w.path == "" {
		return workflow{}
	}
	w.ref = ref
	return w
}

// within parts HOST/OWNER/REPO/PATH.
func within(text string) workflow {
	parts := strings.SplitN(text, "/", 4)
	if len(parts) < 4 || parts[0] == "" || parts[1] == "" || parts[2] == "" {
		return workflow{}
	}
	return workflow{repository: "https://" + strings.Join(parts[:3], "/"), path: parts[3]}
}

// is reports whether a claimed workflow is the one asked for. GitHub takes the
// letters of owners and repositories in either case, and those of paths and
// references as they are. A claim always has its reference.
func (w workflow) is(claimed workflow) bool {
	return w.path != "" && claimed.ref != "" && sameURL(w.repository, claimed.repository) &&
		w.path == claimed.path && (w.ref == "" || w.ref == claimed.ref)
}

func (w workflow) String() string {
	text := w.repository + "/" + w.path
	if w.ref != "" {
		text += "@" + w.ref
	}
	return text
}

// cutReference parts a workflow from its reference. A reference may hold an @
// itself, as refs/tags/@acme/foo@1.0.0 does, and so may the name of a file; but
// no file of a workflow lies in a directory whose name could be "…@refs". A
// commit in the place of a reference holds none.
func cutReference(text string) (before, ref string, found bool) {
	at := strings.Index(text, "@refs/")
	if at < 0 {
		at = strings.LastIndex(text, "@")
	}
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}
