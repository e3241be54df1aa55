package values

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// cutOff ends a flag that the rest of is not shown.
const cutOff = "***"

// hushed hides what a key that smells of a secret is set to, and all behind it:
// where a value ends only the parser knows (R22).
func (f Flag) hushed() string {
	for _, at := range segment.FindAllStringSubmatchIndex(f.Text, -1) {
		name, rest := f.Text[at[2]:at[3]], f.Text[at[3]:]
		quoted := at[2] > 0 && f.Text[at[2]-1] == '"'
		if quoted && !keyEnds.MatchString(rest) || !smells(name) && !holdsVariables(name) || holdsVariables(name) && harmlessPath.MatchString(rest) || name == "environments" && sizePath.MatchString(rest) {
			continue
		}
		shown := at[3] + len(below.FindString(rest))
		return f.Text[:shown] + cutOff
	}
	return f.Text
}

var (
	// segment is one of a key's names, in a path or in JSON.
	segment = regexp.MustCompile(`(?:^|[,./{"\s\[])([\w-]+)`)
	// keyEnds is what stands behind a key of JSON.
	keyEnds = regexp.MustCompile(`^"\s*:`)
	// below is the rest of a path up to its value.
	below = regexp.MustCompile(`^(?:(?:\[\d{1,4}\]|\.\w+)*\s*=|"\s*:)\s*`)
	// harmlessPath is a variable's name, or one of a Secret or of a key in it.
	harmlessPath = regexp.MustCompile(`^\[\d{1,4}\](?:\.valueFrom\.secretKeyRef)?\.(?:name|key|optional)=[\w.-]*(?:,[^=]*[.\]]|$)`)
)

// sizePath is behind environments what sets an amount of a sandbox's size, and no
// variable, whatever the key sounds like.
var sizePath = regexp.MustCompile(`^\.(?:defaultSize|maxSize)\.(?:cpu|memory|disk)=`)

// behindFlag takes out of a fault of a flag what the flag itself does not show.
func behindFlag(f *faults.Fault) {
	if !strings.HasPrefix(f.File, "--set") || !strings.HasSuffix(f.File, cutOff) || f.Found == "" || f.Found == cutOff || strings.Contains(f.File, f.Found) || slices.Contains(shapes, f.Found) {
		return
	}
	if f.Code == faults.UnknownField {
		f.Message, f.Field, f.Found = "unknown field: a key of this flag", "", ""
		f.Fix = fix(*f)
		return
	}
	f.Message = strings.ReplaceAll(unsaid(f.Message, f.Found), strconv.Quote(f.Found), cutOff)
	f.Fix, f.Found = unsaid(f.Fix, f.Found), cutOff
}

// shapes are what Found says of a value and not the value.
var shapes = []string{"a scalar", "a map", "a list", "null"}
