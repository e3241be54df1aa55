package preflight

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A fix is something that runs, or YAML, as it is printed. The names in it come
// from values, from a cluster and from files of strangers, so each is one quoted
// word of the shell, or one quoted scalar: none begins a command of its own.

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoted is one word of a POSIX shell.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// command is a command line of these words.
func command(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quoted(w)
	}
	return strings.Join(out, " ")
}

// remark is words behind a command, which the shell leaves out: they end with the
// line, so a name in them stays on it.
func remark(words string) string {
	return " # " + strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, words)
}

// on is a command of kubectl or helm on the cluster that was judged.
func (v *verdict) on(program string, words ...string) string {
	place := v.Place
	if program == "helm" {
		place = ofHelm(place)
	}
	return command(slices.Concat([]string{program}, place, words)...)
}

// kubectl is a command about something in the system namespace.
func (v *verdict) kubectl(words ...string) string {
	return v.on("kubectl", append([]string{"-n", v.Namespace}, words...)...)
}

// aboutSecret is a fix about a Secret of the system namespace.
func (v *verdict) aboutSecret(name, fix string) string {
	return sound(fix, label(v.Namespace), subdomain(name))
}

// setting is one value of a chart as YAML, at a path such as
// istio.revision, and in a comment whose values it belongs to.
func setting(whose, path string, value any) string {
	keys := strings.Split(path, ".")
	text, err := json.Marshal(value) // JSON is YAML, and every text in it is quoted
	if err != nil {
		return ""
	}
	out := string(text)
	for i := len(keys) - 1; i > 0; i-- {
		out = "{" + keys[i] + ": " + out + "}"
	}
	return keys[0] + ": " + out + " # in the values of " + whose
}

// The charts that settings go into.
const (
	ofKora   = "kora"
	ofIstiod = "Istio's chart istiod"
	ofSpire  = "SPIRE's chart spire"
)

// again is this run once more, with other flags behind: for what could not be
// told now. What was collected is collected once more: to judge it again tells
// nothing, and this machine may know another cluster.
func (v *verdict) again(flags ...string) string {
	if v.Collected {
		return v.own("preflight", slices.Concat([]string{"collect"}, v.values(), []string{"--to", "collected"})...) + remark("where the cluster is; then judge that folder with --bundle")
	}
	return v.own("preflight", slices.Concat(v.values(), v.ofKora(), flags)...)
}

// rendered prints what the values make, for whoever has to change one.
func (v *verdict) rendered() string {
	return v.own("render", v.values()...) + " # the object as the values make it: change the one that sets this"
}

// own is a command of kora, as this one was called. Values that came on its
// standard input it has to be given there once more.
func (v *verdict) own(name string, words ...string) string {
	program := v.Program
	if program == nil {
		program = []string{"kora"}
	}
	out := command(slices.Concat(program, []string{name}, words)...)
	for i, w := range words {
		if w == "-f" && i+1 < len(words) && words[i+1] == "-" {
			return out + " # with the same values on its standard input"
		}
	}
	return out
}

func (v *verdict) values() []string {
	if len(v.Flags) > 0 {
		return v.Flags
	}
	return []string{"-f", "kora.yaml", "--namespace", v.Namespace}
}
