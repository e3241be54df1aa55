package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
	"github.com/runkora/kora/verify/lock"
)

// generateFlags are those of kora generate helmfile and argocd.
type generateFlags struct {
	environment string
	lock        string
	values      string
	output      string
	check       bool
	force       bool
	plan        string
	lint        string // of argocd alone
}

// newGenerate is the group of what kora generates (R38 to R42).
func newGenerate(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "write the reference install as a Helmfile or as an Argo CD app-of-apps",
		Args:  cobra.ArbitraryArgs,
		RunE:  needsCommand,
	}
	cmd.AddCommand(newGenerateHelmfile(c), newGenerateArgoCD(c), newGenerateSchema(c))
	return cmd
}

func newGenerateSchema(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "print the JSON Schema of an environment file, for editors",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := c.out.Write(environment.Schema())
			return err
		},
	}
}

func (f *generateFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.environment, "environment", "e", "", "the facts of the cluster: a `FILE` such as environments/example.yaml (default the example's)")
	flags.StringVar(&f.lock, "lock", "", "pin kora's charts by the digests of a lock `FILE`, as kora verify release writes it")
	flags.StringVarP(&f.values, "values", "f", "", "compare your values of kora with the facts: a `FILE` (default DIR/values/kora.yaml, where there is one)")
	flags.StringVarP(&f.output, "output", "o", "", "write into the folder `DIR`")
	flags.BoolVar(&f.check, "check", false, "write nothing: print the differences to DIR, and exit 1 when there are any")
	flags.BoolVar(&f.force, "force", false, "write over files that were changed by hand")
	flags.StringVar(&f.plan, "plan", "", "write nothing: print the waves as a `FORMAT`, table or mermaid")
	flags.Lookup("plan").NoOptDefVal = "table"
}

func (f *generateFlags) complete() error {
	switch {
	case f.plan != "" && f.plan != "table" && f.plan != "mermaid":
		return usageError{fmt.Errorf("no form of plan %q: use --plan=table or --plan=mermaid", f.plan)}
	case f.plan != "" && (f.check || f.force):
		return usageError{errors.New("--plan prints the waves and writes nothing: leave --check and --force out")}
	case f.check && f.force:
		return usageError{errors.New("--check writes nothing, so there is nothing to --force")}
	case f.environment == "-" && f.values == "-":
		return usageError{errors.New("standard input can be read once, and both -e and -f name it: put one of the two into a file")}
	case f.plan == "" && f.output == "":
		return usageError{errors.New("-o, --output, is required: the folder to write into")}
	}
	return nil
}

// facts are the environment file's name, text and content, and the name of the
// values that were compared with it.
type facts struct {
	file, text string
	env        environment.Placed
	compared   string
	builtIn    bool // it is in no folder
}

// called is the file in faults: one that is in no folder says so.
func (f facts) called() string {
	if f.builtIn {
		return "the built-in example.yaml"
	}
	return f.file
}

// name is what Helmfile calls the environment: its file's name.
func (f facts) name() string {
	if f.file == "-" {
		return "example" // from standard input, which has no name
	}
	base := filepath.Base(f.file)
	return strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml")
}

// read reads the environment, the lock and a person's values, which places says
// where to look for, and puts the releases in order; nil where the environment or
// the lock cannot be taken.
func (f *generateFlags) read(stdin io.Reader, in facts, places func(*environment.Environment) []place) (facts, *releases.Graph, faults.List) {
	var found faults.List
	if f.environment != "" {
		in.file, in.builtIn = f.environment, false
		in.text, found = readText(stdin, f.environment, environment.Limits.Bytes)
	}
	if !found.Refused() {
		in.env, found = environment.ReadPlaced(source.NewFile(in.called(), in.text))
	}
	pins, more := f.pins(in.env.Environment)
	found = append(found, more...)
	unread := found.Refused()
	in.compared, more = f.own(stdin, in.env, places(in.env.Environment))
	found = append(found, more...)
	if unread {
		return in, nil, found
	}
	graph, err := releases.Reference(pins)
	if err != nil {
		return in, nil, append(found, faults.New(faults.ReleaseGraph, err.Error()))
	}
	return in, graph, found
}

// example is the environment without -e: the one that a person starts with.
func example() facts {
	return facts{file: "example.yaml", text: releases.ExampleEnvironment(), builtIn: true}
}

// pins are those of a lock for the charts of the environment; without one, which
// is refused anyway, the lock is read all the same, for its own faults.
func (f *generateFlags) pins(env *environment.Environment) (releases.Pins, faults.List) {
	if f.lock == "" {
		return releases.Pins{Version: kora.Version()}, nil
	}
	file, err := regular.Open(f.lock)
	if err != nil {
		return releases.Pins{}, faults.List{unreadableFile(f.lock, err)}
	}
	file.Close()
	l, found := lock.Read(f.lock)
	if found.Refused() || env == nil {
		return releases.Pins{}, found
	}
	return releases.Locked(l, f.lock, kora.Version(), env.Charts.Kora)
}

// deliver writes a set, unless something was refused, or says how the folder
// differs from it, beside all else that was found.
func (f *generateFlags) deliver(c *console, set output.Set, found faults.List) error {
	if f.check && set.Files != nil {
		difference, more := set.Check(f.output)
		if _, err := io.WriteString(c.out, difference); err != nil {
			return err
		}
		return c.report(values.Unjudged(append(found, more...)))
	}
	if err := c.report(values.Unjudged(found)); err != nil {
		return err
	}
	changes, found := set.Write(f.output, f.force)
	if err := c.report(withFixes(found)); err != nil {
		return err
	}
	for _, each := range changes {
		if _, err := fmt.Fprintf(c.out, "%-9s %s\n", each.What, filepath.Join(f.output, filepath.FromSlash(each.Path))); err != nil {
			return err
		}
	}
	return nil
}

func printPlan(c *console, form string, g *releases.Graph, found faults.List) error {
	if err := c.report(values.Unjudged(found)); err != nil {
		return err
	}
	text := g.Table()
	if form == "mermaid" {
		text = g.Mermaid()
	}
	_, err := io.WriteString(c.out, text)
	return err
}

// readText reads a file, or standard input for "-", up to a limit: one byte more
// tells that it was too long.
func readText(stdin io.Reader, name string, limit int) (string, faults.List) {
	in := stdin
	if name != "-" {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			fault := faults.New(faults.FileKind, "this is a folder, not a file")
			fault.File, fault.Found, fault.Expected, fault.Fix = name, "a folder", "a file", "name the file itself"
			return "", faults.List{fault}
		}
		f, err := regular.Open(name)
		if err != nil {
			return "", faults.List{unreadableFile(name, err)}
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, int64(limit)+1))
	if err != nil {
		return "", faults.List{unreadableFile(name, err)}
	}
	return string(text), nil
}

func unreadableFile(name string, err error) faults.Fault {
	f := outOfReach(name, err)
	f.Message = strings.Replace(f.Message, "the theme", "the file", 1)
	return f
}
