package environment

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// holds is the condition, in the language of templates, that $v is what a text, a
// boolean or a number may be.
func (s spec) holds() string {
	switch s.kind {
	case reflect.Bool:
		return `eq (kindOf $v) "bool"`
	case reflect.Int64:
		return whole(fmt.Sprintf("-1|[0-9]{1,%d}", mostDigits))
	}
	rule, optional := forms()[s.form], "?"
	if s.filled() {
		optional = ""
	}
	if rule.values != nil {
		return matched("(" + strings.Join(rule.values, "|") + ")" + optional)
	}
	out := matched("(?:" + rule.pattern + ")" + optional)
	if rule.never != "" {
		out += fmt.Sprintf(" (not (regexMatch %s (print $v)))", quoted(rule.never))
	}
	return out + fmt.Sprintf(" (le (len (print $v)) %d)", rule.most)
}

// Holds is the condition, in the language of templates, that $v has the form of a
// fact at the root of an environment, such as "theme".
func Holds(fact string) string {
	all := specs()
	return all[slices.IndexFunc(all, func(s spec) bool { return s.key == fact })].holds()
}

const limits = "-1 for no limit, or a number from 0 of at most 15 digits"

func (s spec) wanted() string {
	switch s.kind {
	case reflect.Bool:
		return "true or false"
	case reflect.Int64:
		return limits
	}
	return forms()[s.form].expected()
}

// matched: a text of that pattern, which is one group, from end to end.
func matched(group string) string {
	return fmt.Sprintf(`and (eq (kindOf $v) "string") (regexMatch %s (print $v))`, quoted("^"+group+"$"))
}

// whole: a whole number of that pattern.
func whole(pattern string) string {
	return fmt.Sprintf(`and (regexMatch "^u?int[0-9]*$" (kindOf $v)) (regexMatch %s (print $v))`, quoted("^("+pattern+")$"))
}

// quoted is a text in the language of templates, which has Go's raw ones too.
func quoted(text string) string {
	if strings.Contains(text, "`") {
		return strconv.Quote(text)
	}
	if strings.Contains(text, `\`) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
