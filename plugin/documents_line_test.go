package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
)

// onlyOf are the lines of one Helm alone, which the text beside them names.
var onlyOf = map[string]string{
	"helm plugin install kora-1.4.0-linux-amd64.tgz --verify=false": "helm-4",
}

// ofHelmfile is what documents show of it: its binary is built by make test-helmfile
// alone.
const ofHelmfile = "  apply  x\n  sync  x\n  template  x\n  -e, --environment x\n  -l, --selector x\n"

var (
	others   = regexp.MustCompile("^(?:helm|kubectl|helmfile|make)(?: |$)")
	inline   = regexp.MustCompile("`([^`\n]+)`")
	ownChart = regexp.MustCompile(`^(?:oci://ghcr\.io/runkora/charts|(?:\./)?charts)/([^@:/]+)`)
	target   = regexp.MustCompile(`(?m)^([a-z0-9-]+):`)
)

// judges are the programs beside kora that documents show.
type judges struct {
	helms             map[string]*program
	kubectl, helmfile *program
	makefile          string
}

func newJudges(t *testing.T) *judges {
	t.Helper()
	out := &judges{helms: map[string]*program{}}
	for _, name := range []string{"helm-3", "helm-4"} {
		folder, err := testcluster.Tool(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		out.helms[name] = helped(t, name, filepath.Join(folder, "helm"))
	}
	folder, err := testcluster.Binaries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out.kubectl = helped(t, "kubectl", filepath.Join(folder, "kubectl"), "options")
	out.helmfile = &program{name: "helmfile", read: map[string]string{}, help: func(path []string) string {
		if len(path) > 0 {
			return strings.Join(strings.SplitAfter(ofHelmfile, "\n")[3:], "")
		}
		return ofHelmfile
	}}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	out.makefile = string(makefile)
	return out
}

// judge says what is wrong with one command line.
func (j *judges) judge(words []string) error {
	switch words[0] {
	case "make":
		return j.makes(words[1:])
	case "kubectl":
		_, _, err := j.kubectl.judge(words[1:])
		return err
	case "helmfile":
		_, _, err := j.helmfile.judge(words[1:])
		return err
	}
	for name, helm := range j.helms {
		if only := onlyOf[strings.Join(words, " ")]; only != "" && only != name {
			continue
		}
		_, values, err := helm.judge(words[1:])
		if err != nil {
			return err
		}
		if err := ours(values); err != nil {
			return err
		}
	}
	return nil
}

// makes judges targets and variables.
func (j *judges) makes(words []string) error {
	targets := target.FindAllString(j.makefile, -1)
	for _, word := range words {
		name, _, variable := strings.Cut(word, "=")
		switch {
		case variable && !regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(j.makefile):
			return fmt.Errorf("the Makefile has no variable %s", name)
		case !variable && !slices.Contains(targets, word+":"):
			return fmt.Errorf("the Makefile has no target %s", word)
		}
	}
	return nil
}

// ours judges what is kora's in a line of Helm's: its charts, and the values that
// are set.
func ours(values map[string][]string) error {
	for _, word := range values[""] {
		if m := ownChart.FindStringSubmatch(word); m != nil {
			if _, err := os.Stat(filepath.Join("..", "charts", m[1], "Chart.yaml")); err != nil {
				return fmt.Errorf("there is no chart %s: %w", m[1], err)
			}
		}
	}
	if sets := values["set"]; len(sets) > 0 {
		line := []string{"validate", "--set", "frontendHost=example.com", "--set", "global.trustDomain=example.com"}
		for _, set := range sets {
			line = append(line, "--set", set)
		}
		if status, _, words := ran(nil, line...); status == exitRefused {
			return fmt.Errorf("--set %v: %s", sets, words)
		}
	}
	return nil
}

// lines are the command lines of a text: of its blocks, fenced or indented, and of
// its inline code, each in words, without a comment, and apart where a shell would
// run them apart.
func lines(text string) [][]string {
	var shown []string
	fenced := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if fenced || strings.HasPrefix(line, "    ") {
			shown = append(shown, strings.TrimPrefix(strings.TrimSpace(line), "$ "))
		}
	}
	for _, m := range inline.FindAllStringSubmatch(text, -1) {
		shown = append(shown, m[1])
	}
	var out [][]string
	for _, line := range shown {
		for _, words := range shell(line) {
			if len(words) > 0 && others.MatchString(words[0]) {
				out = append(out, words)
			}
		}
	}
	return out
}

// shell splits as far as documents need it: quotes, comments, and what joins
// commands.
func shell(line string) [][]string {
	out, word, open, quote := [][]string{nil}, "", false, rune(0)
	end := func() {
		last := len(out) - 1
		switch {
		case !open:
		case slices.Contains([]string{"&&", "||", "|", ";"}, word):
			out = append(out, nil)
		default:
			out[last] = append(out[last], word)
		}
		word, open = "", false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case quote == 0 && r == ' ':
			end()
		case quote == 0 && r == '#' && !open:
			return out
		default:
			word, open = word+string(r), true
		}
	}
	end()
	return out
}
