package overrides

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/patches"
)

// Patch is one override as a manifest patch.
type Patch struct {
	// Key is its key under agents.manifestPatches, and its file's name less .yaml.
	Key string
	// Text is the whole text of that file.
	Text     string
	Variable Variable
}

// candidate is a variable on its way to a patch.
type candidate struct {
	Patch
	kind  string
	slug  string // of the agent type that it is for, empty for all
	field fields.Path
	entry patches.Entry
	index int // among all the variables
	why   *refusal
	doubt *refusal // what is wrong with it unless other patches mend it
}

// Translate turns each variable into a patch for kora of the given version
// ("1.4.0"), in the order of the names. For each variable that it cannot
// translate there is a fault, KORA-P302, that says why (R17). A patch that is
// returned compiles, and kora accepts it together with all the others.
func Translate(vars []Variable, version string) ([]Patch, faults.List) {
	vars, found := sorted(vars)
	if len(vars) > patches.MaxEntries {
		f := faults.New(faults.PatchLimit, "too many variables for patches")
		f.Found, f.Expected = strconv.Itoa(len(vars)), fmt.Sprintf("at most %d", patches.MaxEntries)
		return nil, append(found, f)
	}
	all := kinds(version)
	list := make([]*candidate, len(vars))
	for i, v := range vars {
		c := &candidate{Patch: Patch{Variable: v}, index: i}
		if c.why = c.translate(all); c.why == nil {
			c.Key = key(c, len(vars))
		}
		list[i] = c
	}
	if !prove(list, version) {
		return nil, append(found, tooManyTypes(list))
	}
	return results(list, found)
}

func tooManyTypes(list []*candidate) faults.Fault {
	f := faults.New(faults.PatchLimit, "too many variables for too many agent types to try them all together")
	f.Found = fmt.Sprintf("%d variables for %d agent types", len(list), len(slugs(list))-1)
	f.Expected = fmt.Sprintf("at most %d, counting a variable once for each agent type it is for", maxApplied)
	f.Fix = "translate the variables of some agent types at a time, and those for all with each of them"
	return f
}

func results(list []*candidate, found faults.List) ([]Patch, faults.List) {
	var out []Patch
	for _, c := range list {
		if c.why != nil {
			found = append(found, c.why.fault(c.Variable, c.kind, c.field))
			continue
		}
		out = append(out, c.Patch)
	}
	return out, found
}

func (c *candidate) translate(all []kind) *refusal {
	if nameEnd(c.Variable.Name) < len(c.Variable.Name) {
		return refuse("its name holds a character that no variable's name has").
			expecting("NAME=value, and in NAME letters, digits and _ - . / [ ] alone").
			fixed("correct the name, or " + byHand)
	}
	word, name, rest, r := split(c.Variable.Name)
	if r != nil {
		return r
	}
	k, r := findKind(word, all)
	if r != nil {
		return r
	}
	c.kind = k.name
	if c.slug, r = slugOf(name, k); r != nil {
		return r
	}
	p := newPath(rest, k)
	r = p.read()
	c.field = p.at
	switch {
	case r != nil:
		return r
	case c.Variable.Unreadable != "":
		return refuse("%s", c.Variable.Unreadable).fixed("look the value up and " + byHand)
	}
	return c.write(k, p)
}

func (c *candidate) write(k *kind, p *path) *refusal {
	node, r := value(c.Variable.Value, p.f.Type)
	if r != nil {
		return r
	}
	doc, r := document(k, p.steps, node)
	if r != nil {
		return r
	}
	patch := strings.Join(indented(lines(doc), "  ", "  "), "\n")
	c.Text = c.comment() + c.target() + "patch: |\n" + patch + "\n"
	return nil
}

func (c *candidate) comment() string {
	text := "# from " + visible(c.Variable.Name) + "\n"
	if c.slug != "" {
		text += "# for the agent type " + c.slug + " alone\n"
	}
	return text
}

// target selects by the name that kora gives the object. A sandbox has another
// name in each run, so it is the label that finds those of an agent type.
func (c *candidate) target() string {
	text := "target:\n  kind: " + c.kind + "\n"
	switch {
	case c.slug == "":
		return text
	case c.kind == "Pod":
		return text + "  labelSelector: " + word(agents.LabelAgentSlug+"="+c.slug) + "\n"
	}
	return text + "  name: " + word(regexp.QuoteMeta(objectName(c.kind, c.slug))) + "\n"
}
