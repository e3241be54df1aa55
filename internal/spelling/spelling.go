// Package spelling tells in kora's words what Kubernetes wants of a name, a key or a
// value, from what a rule of its library says of one (R20). A sentence of the library is
// no answer to "what do I write": it holds an expression, and begins with what is wrong.
//
//	spelling.Wanted(validation.IsDNS1123Label("My app"))
//	// a name of lowercase letters, digits and hyphens, with a letter or a digit at both ends, such as my-name
package spelling

import "strings"

// Wanted says what the rule wants that found the faults, so that it can follow
// "write". It is empty where there is none. A sentence that is not known here is given
// as it is, such as those of rules of kora's own.
func Wanted(faults []string) string {
	var all []string
	for _, fault := range faults {
		all = append(all, one(fault))
	}
	return strings.Join(all, ", and ")
}

// one translates one sentence. Keys of labels have two parts, which are told apart.
func one(fault string) string {
	if rest, ok := strings.CutPrefix(fault, "prefix part "); ok {
		return "before the slash " + one(rest)
	}
	if rest, ok := strings.CutPrefix(fault, "name part must be "); ok {
		return "after the slash, or without one, " + one("must be "+rest)
	}
	for _, k := range known {
		if strings.Contains(fault, k.says) {
			return k.wants
		}
	}
	if not, ok := strings.CutPrefix(fault, "must not be "); ok {
		return "another than " + not
	}
	if most, ok := strings.CutPrefix(fault, "must be no more than "); ok {
		return "at most " + most
	}
	return strings.Replace(fault, "must ", "one that must ", 1)
}

// ends are what most names and keys have in common.
const ends = ", with a letter or a digit at both ends, such as "

// known are the sentences of the library by what is in no other, the longer ones first.
var known = []struct{ says, wants string }{
	{"wildcard DNS-1123 subdomain must", "a domain behind one star, such as *.example.com"},
	{"RFC 1123 subdomain must", "a name of lowercase letters, digits, hyphens and dots" + ends + "example.com"},
	{"RFC 1123 label must", "a name of lowercase letters, digits and hyphens" + ends + "my-name"},
	{"DNS-1035 label must", "a name of lowercase letters, digits and hyphens that begins with a letter and ends with a letter or a digit, such as my-name"},
	{"name part must consist", "a key of letters, digits, hyphens, underscores and dots" + ends + "example.com/my.name"},
	{"valid label key must", "a key of letters, digits, hyphens, underscores and dots" + ends + "example.com/my.name"},
	{"valid label must", "a value of letters, digits, hyphens, underscores and dots" + ends + "my_value"},
	{"valid config key must", "a key of letters, digits, hyphens, underscores and dots, such as key.name"},
	{"variable name must consist only of printable ASCII", "a name of printable ASCII characters without an equals sign"},
	{"variable name must", "a name of letters, digits, hyphens, underscores and dots that begins with no digit, such as MY_NAME"},
	{"valid percent string must", "a percentage, such as 25%"},
	{"must not contain dots", "no dots"},
	{"must be non-empty", "at least one character"},
	{"only alpha-numeric characters (a-z, 0-9), and hyphens", "lowercase letters, digits and hyphens alone"},
	{"at least one letter (a-z)", "at least one letter"},
	{"must not contain consecutive hyphens", "no two hyphens in a row"},
	{"must not begin or end with a hyphen", "no hyphen at either end"},
}
