package overrides

import (
	"strconv"
	"strings"
)

// segment takes the next part off the rest. In brackets it may be quoted, and
// then it is a key as it stands there.
func (p *path) segment(separators ...string) (text string, literal bool, _ *refusal) {
	if strings.HasPrefix(p.rest, "[") {
		text, rest, literal := bracket(p.rest[1:])
		if rest == nil {
			return "", false, refuse("a bracket in its path is not closed")
		}
		return text, literal, p.separate(*rest)
	}
	end := len(p.rest)
	for _, s := range append(separators, "[") {
		if i := strings.Index(p.rest, s); i >= 0 {
			end = min(end, i)
		}
	}
	if end == 0 {
		return "", false, refuse("a step of its path is empty")
	}
	text = p.rest[:end]
	return text, false, p.separate(p.rest[end:])
}

// bracket reads up to the closing bracket; there is no rest without one.
func bracket(text string) (inside string, rest *string, literal bool) {
	if quoted, err := strconv.QuotedPrefix(text); err == nil {
		if after, ok := strings.CutPrefix(text[len(quoted):], "]"); ok {
			inside, err = strconv.Unquote(quoted)
			return inside, &after, err == nil
		}
	}
	inside, after, ok := strings.Cut(text, "]")
	if !ok || inside == "" {
		return "", nil, false
	}
	return inside, &after, false
}

// separate passes by what stands before the next step.
func (p *path) separate(rest string) *refusal {
	p.rest = rest
	if rest == "" || rest[0] == '[' {
		return nil
	}
	after, ok := strings.CutPrefix(rest, separator)
	if !ok {
		after, ok = strings.CutPrefix(rest, ".")
	}
	if !ok || after == "" {
		return refuse("its path does not end in a field")
	}
	p.rest = after
	return nil
}
