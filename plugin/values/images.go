package values

import (
	"regexp"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// images checks every reference that reaches an agent's pods or a sandbox (R21,
// R30). An empty one is the release's.
func (c *checker) images() {
	block := c.tree.value("agents")
	for _, v := range []value{
		block.child("config", "sandboxImage"), block.child("config", "sessionManagerImage"),
		block.child("sandboxImages", "bundled", "go", "image"),
		block.child("sandboxImages", "bundled", "python", "image"),
		block.child("sandboxImages", "bundled", "node", "image"),
	} {
		c.reference(v, "an image reference such as ghcr.io/runkora/kora-sandbox-base:1.4.0")
	}
	for _, v := range block.child("sandboxImages", "registryPorts").items() {
		c.port(v)
	}
}

// reference refuses what no image or registry is called. The registry alone can
// say whether a reference that looks right is one.
func (c *checker) reference(v value, expected string) {
	text, message := v.text(), ""
	switch {
	case text == "":
		return
	case strings.Contains(text, "://"):
		message = "an image is named without a scheme"
	case strings.ContainsFunc(text, unprintable):
		message = "an image's name holds no blanks and no control characters"
	case strings.HasPrefix(text, "/") || strings.HasSuffix(text, "/"):
		message = "an image's name neither starts nor ends with a slash"
	default:
		return
	}
	f := v.fault(faults.WrongType, message)
	f.Expected = expected
	c.refuse(f)
}

func unprintable(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }

var tagForm = regexp.MustCompile(`^\w[\w.-]{0,127}$`)

// tag checks global.imageTag; an empty one is the release's (R21).
func (c *checker) tag(v value) {
	if v.text() == "" || tagForm.MatchString(v.text()) {
		return
	}
	f := v.fault(faults.WrongType, "not an image tag")
	f.Expected = "letters, digits, dots, hyphens and underscores, at most 128, such as 1.4.0"
	c.refuse(f)
}

// pullSecrets accepts both spellings of a Secret's name: the plain one, and the
// one of Kubernetes, which people copy from a pod (R21). A pod that names one twice
// cannot be applied by the server.
func (c *checker) pullSecrets(v value) {
	known := map[string]bool{}
	for _, item := range v.items() {
		name := item
		if item.node.Kind == source.Mapping {
			name = item.child("name")
			c.typed(item, struct {
				Name string `json:"name"`
			}{})
		}
		switch {
		case known[name.text()]:
			c.refuse(twice(item, name.text()))
		case name.text() != "":
			known[name.text()] = true
			c.name(name, "a Secret", validation.IsDNS1123Subdomain)
		case item.given() && (name == item || !name.given() || name.node.Tag == "!!str"):
			c.refuse(nameless(item)) // what is left is of the wrong type already
		}
	}
}

func twice(item value, name string) faults.Fault {
	f := item.fault(faults.BadValue, "the item is in the list twice")
	f.Found, f.Expected, f.Fix = short(name), "each Secret once", "remove one of the two"
	return f
}

func nameless(item value) faults.Fault {
	f := item.fault(faults.WrongType, "a pull secret is given by its name")
	f.Found, f.Expected = kind(item.node), "the name of a Secret, or a map {name: …}"
	return f
}

// secretNames are the names of the pull secrets, in order.
func (t *Tree) secretNames() []string {
	var out []string
	for _, item := range t.value("global", "imagePullSecrets").items() {
		if item.node.Kind == source.Mapping {
			item = item.child("name")
		}
		if item.text() != "" {
			out = append(out, item.text())
		}
	}
	return out
}
