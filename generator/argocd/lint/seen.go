package lint

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// Seen says what a run looked at.
type Seen struct{ Files, Applications, Sets, Templates, Definitions int }

// String says it in words: of what there is none, nothing.
func (s Seen) String() string {
	var parts []string
	say := func(n int, form string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(form, n))
		}
	}
	say(s.Applications, "%d Applications")
	say(s.Sets, "the templates of %d ApplicationSets")
	say(s.Definitions, "%d definitions")
	say(s.Templates, "of %d templates of charts the calls alone")
	return fmt.Sprintf("%s in %d files", strings.Join(parts, "; "), s.Files)
}

func (s *Seen) count(all *set) {
	s.Applications, s.Sets = len(all.apps), len(all.templates)
	for _, o := range all.objects {
		if o.definition() {
			s.Definitions++
		}
	}
}

func (s Seen) nothing() bool { return s.Applications+s.Sets+s.Templates+s.Definitions == 0 }

// nothing is told where there was nothing to check: silence would read as praise.
func nothing(name string, s Seen) faults.Fault {
	f := faults.New(faults.NothingToLint, "there is nothing here that could be checked")
	f.File, f.Found = name, fmt.Sprintf("%d files without an Application", s.Files)
	f.Expected = "Applications or ApplicationSets of argoproj.io/v1alpha1, definitions, or the templates of a chart"
	return f
}
