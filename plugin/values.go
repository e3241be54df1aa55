package main

import (
	"github.com/spf13/pflag"

	"github.com/runkora/kora/plugin/values"
)

// bindValues gives a command Helm's flags for values, kept in the order of
// the command line, since a later one wins.
func bindValues(flags *pflag.FlagSet, in *values.Input) {
	flags.VarP(&factsFlag{in: in}, "environment", "e", "the facts of the cluster, as the generated Helmfile and Argo CD have them over the values: a `FILE` such as environments/example.yaml")
	flags.StringArrayVarP(&in.Files, "values", "f", nil, "a values `FILE`, - for standard input (may be repeated)")
	for _, f := range []struct {
		name string
		kind values.FlagKind
		help string
	}{
		{"set", values.Set, "a value, as helm reads it (may be repeated)"},
		{"set-string", values.SetString, "a value that stays a text"},
		{"set-json", values.SetJSON, "a value in JSON"},
		{"set-file", values.SetFile, "a value that is the text of the file VALUE"},
	} {
		flags.Var(&setFlag{&in.Flags, f.kind}, f.name, f.help)
	}
}

// setFlag appends to one list whatever flag of the family is used.
type setFlag struct {
	list *[]values.Flag
	kind values.FlagKind
}

func (f *setFlag) Set(text string) error {
	*f.list = append(*f.list, values.Flag{Kind: f.kind, Text: text})
	return nil
}

func (f *setFlag) String() string { return "" }
func (f *setFlag) Type() string   { return "KEY=VALUE" }
