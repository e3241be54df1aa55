package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// doubleDashes lets long flags begin with one dash, as Go's own flags do
// (R2): -agent-slug=coder is --agent-slug=coder. Only the exact name of a
// flag of the command is rewritten, and never the value of another flag.
func doubleDashes(root *cobra.Command, args []string) []string {
	command, _, err := root.Find(withoutFlags(args))
	if err != nil {
		command = root
	}
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(out, args[i:]...)
		}
		flag := lookup(command, strings.TrimLeft(arg, "-"))
		if flag != nil && strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && len(arg) > 2 {
			arg = "-" + arg
		}
		out = append(out, arg)
		if takesNext(command, flag, arg) && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return out
}

func lookup(command *cobra.Command, text string) *pflag.Flag {
	name, _, _ := strings.Cut(text, "=")
	if f := command.Flags().Lookup(name); f != nil {
		return f
	}
	return command.InheritedFlags().Lookup(name)
}

// takesNext reports whether the argument behind this one is its value.
func takesNext(command *cobra.Command, flag *pflag.Flag, arg string) bool {
	if !strings.HasPrefix(arg, "-") || strings.Contains(arg, "=") {
		return false
	}
	if flag == nil && len(arg) == 2 {
		flag = command.Flags().ShorthandLookup(arg[1:])
	}
	return flag != nil && flag.NoOptDefVal == ""
}

// withoutFlags leaves what can name a command.
func withoutFlags(args []string) []string {
	var out []string
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			return out
		}
		out = append(out, a)
	}
	return out
}
