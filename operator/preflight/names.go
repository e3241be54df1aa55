package preflight

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation"
)

// A quoted word can still be an option of the program that it is given to: what
// is called --all is no name to it. So every name in a fix has to be one that
// Kubernetes takes, and where one is not there is nothing to run, only words.

// spelled is a name and what is wrong with it, empty: nothing.
type spelled struct{ text, wrong string }

func spelling(text string, by func(string) []string) spelled {
	return spelled{text, strings.Join(by(text), ", ")}
}

// label is a name such as that of a namespace.
func label(text string) spelled { return spelling(text, validation.IsDNS1123Label) }

// subdomain is a name such as that of a Secret, a node or a class.
func subdomain(text string) spelled { return spelling(text, validation.IsDNS1123Subdomain) }

// rbacName is that of a role or of what one grants, which may hold a colon.
func rbacName(text string) spelled {
	return spelling(text, func(s string) []string {
		if s == "" || strings.HasPrefix(s, "-") {
			return []string{"it is empty or begins like an option"}
		}
		return content.IsPathSegmentName(s)
	})
}

// kindName is a kind of the API, such as ServiceAccount.
func kindName(text string) spelled {
	return spelling(text, func(s string) []string { return validation.IsDNS1035Label(strings.ToLower(s)) })
}

// labelValue is what a label may hold.
func labelValue(text string) spelled { return spelling(text, validation.IsValidLabelValue) }

// sound is a fix whose names are all such as Kubernetes takes, and otherwise
// words with the first that is none.
func sound(fix string, names ...spelled) string {
	for _, n := range names {
		if n.wrong != "" {
			return words(fmt.Sprintf("look at it by hand: %q is no name that Kubernetes takes there, so no command is made of it", n.text))
		}
	}
	return fix
}

// words are a fix that nothing can run: to a shell they are a remark.
func words(text string) string { return strings.TrimPrefix(remark(text), " ") }
