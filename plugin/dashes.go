package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// line is a command line on its way to cobra: the command that its words name
// so far, and the arguments in the form that cobra reads.
type line struct {
	command *cobra.Command
	path    []string // the words that name the command
	rest    []string
	words   int // arguments that name no command: behind one there are no more
}

// doubleDashes lets long flags begin with one dash, as Go's own flags do
// (R2): -agent-slug=coder is --agent-slug=coder. It puts the command first,
// so that a flag may stand before it. The value of a flag is never touched.
func doubleDashes(root *cobra.Command, args []string) []string {
	l := &line{command: root}
	for len(args) > 0 && args[0] != "--" {
		args = args[l.take(args):]
	}
	return append(append(l.path, l.rest...), args...)
}

// flagBefore reports whether a flag stands before the words that name a command.
func flagBefore(cmd *cobra.Command, args []string, name string) bool {
	l := &line{command: cmd.Root()}
	for len(args) > 0 && args[0] != "--" && l.command != cmd {
		if strings.HasPrefix(args[0], "-") && nameOf(args[0]) == name {
			return true
		}
		args = args[l.take(args):]
	}
	return false
}

// take reads the first argument, with the value behind it where it is a flag
// that has one, and returns how many it took.
func (l *line) take(args []string) int {
	arg := args[0]
	if !strings.HasPrefix(arg, "-") || arg == "-" {
		l.word(arg)
		return 1
	}
	flag := l.flag(arg)
	if !strings.HasPrefix(arg, "--") && (flag == nil || len(arg) > 2 && flag.Name == nameOf(arg)) && len(arg) > 2 {
		arg = "-" + arg // one that no command has too: it is then named in full
	}
	l.rest = append(l.rest, arg)
	if len(args) > 1 && flag != nil && flag.NoOptDefVal == "" && separate(arg) {
		l.rest = append(l.rest, args[1])
		return 2
	}
	return 1
}

// word goes down to a command, as long as the words name one.
func (l *line) word(text string) {
	if l.words == 0 {
		for _, c := range l.command.Commands() {
			if c.Name() == text || c.HasAlias(text) {
				l.command, l.path = c, append(l.path, text)
				return
			}
		}
	}
	l.words++
	l.rest = append(l.rest, text)
}

// flag is what an argument sets, nil where no flag has the name. Before the
// command is known it may be a flag of any.
func (l *line) flag(arg string) *pflag.Flag {
	var found *pflag.Flag
	for _, set := range flagSets(l.command) {
		if f := set.Lookup(nameOf(arg)); f != nil {
			return f
		}
		if f := shorthand(set, arg); f != nil && found == nil {
			found = f
		}
	}
	return found
}

// shorthand is a flag of one letter, alone or with its value right behind it.
func shorthand(set *pflag.FlagSet, arg string) *pflag.Flag {
	if strings.HasPrefix(arg, "--") || arg[1] >= 0x80 {
		return nil
	}
	f := set.ShorthandLookup(arg[1:2])
	if f == nil || len(arg) == 2 {
		return f
	}
	if _, apart := f.Value.(*factsFlag); apart || f.NoOptDefVal != "" {
		return nil // -help is no -h with something behind it, nor -explian a file
	}
	return f
}

// flagSets are the flags of a command, of those above it, and of those below.
func flagSets(c *cobra.Command) []*pflag.FlagSet {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	out := []*pflag.FlagSet{c.Flags(), c.InheritedFlags()}
	for _, below := range c.Commands() {
		out = append(out, flagSets(below)...)
	}
	return out
}

func nameOf(arg string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return name
}

// separate is true of a flag whose value is the next argument: -f x, --file x,
// and neither --file=x nor -fx.
func separate(arg string) bool {
	return !strings.Contains(arg, "=") && (len(arg) == 2 || strings.HasPrefix(arg, "--"))
}
