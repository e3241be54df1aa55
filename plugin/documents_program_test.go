package main

import (
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// command is a line of a list of commands in a --help; flag one of its flags, with
	// what it takes: "string" in Helm's words, "=''" in kubectl's.
	commandForm = regexp.MustCompile(`(?m)^  ([a-z][a-z0-9-]*)  +\S`)
	flagForm    = regexp.MustCompile(`(?m)^ +(?:-(\w), )?--([a-z][a-z0-9-]*)( \S|=\S+:)?`)
)

// program is one whose command line a document shows: its tree is read from its own
// --help, each part of it once.
type program struct {
	name string
	help func(path []string) string
	read map[string]string
}

func helped(t *testing.T, name, path string, globals ...string) *program {
	t.Helper()
	run := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	return &program{name: name, read: map[string]string{}, help: func(path []string) string {
		text := run(append(slices.Clone(path), "--help")...)
		if len(globals) > 0 {
			text += "\n" + run(globals...)
		}
		return text
	}}
}

func (p *program) of(path []string) string {
	key := strings.Join(path, " ")
	if _, there := p.read[key]; !there {
		p.read[key] = p.help(path)
	}
	return p.read[key]
}

func (p *program) commands(path []string) []string {
	var out []string
	for _, m := range commandForm.FindAllStringSubmatch(p.of(path), -1) {
		out = append(out, m[1])
	}
	return out
}

// flags are the names of a command's flags, each with whether it takes a value.
func (p *program) flags(path []string) map[string]bool {
	out := map[string]bool{}
	for _, m := range flagForm.FindAllStringSubmatch(p.of(path), -1) {
		takes := m[3] != "" && m[3] != "=false:" && m[3] != "=true:"
		for _, name := range m[1:3] {
			if name != "" {
				out[name] = takes
			}
		}
	}
	return out
}

// judge reads a command line down to its command, that one's flags and their
// values. It returns both, and an error for what the program does not know.
func (p *program) judge(words []string) (path []string, values map[string][]string, err error) {
	values = map[string][]string{}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if !strings.HasPrefix(word, "-") {
			below := p.commands(path)
			switch {
			case slices.Contains(below, word):
				path = append(path, word)
			case len(below) > 0:
				return path, values, fmt.Errorf("%s %s has no command %q", p.name, strings.Join(path, " "), word)
			default:
				values[""] = append(values[""], word)
			}
			continue
		}
		name, value, assigned := strings.Cut(strings.TrimLeft(word, "-"), "=")
		known := p.flags(path)
		takes, there := known[name]
		if !there {
			return path, values, fmt.Errorf("%s %s has no flag %s: there is %v", p.name, strings.Join(path, " "), word, slices.Sorted(maps.Keys(known)))
		}
		if takes && !assigned {
			if i++; i == len(words) {
				return path, values, fmt.Errorf("%s has no value", word)
			}
			value = words[i]
		}
		values[name] = append(values[name], value)
	}
	return path, values, nil
}
