package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/generator/agreement"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// factsFlag is -e of the commands that take values: an environment file, whose
// facts lie over the files of -f and below --set, as in the generated tree (R38). A
// file that says otherwise is warned about; kora generate refuses it.
type factsFlag struct {
	once
	file string
	in   *values.Input
	env  environment.Placed // what the file says, once it was read
}

func (f *factsFlag) Set(text string) error {
	if text == "-" {
		return errors.New("an environment is a file: standard input has no name, and is for values")
	}
	f.text = &f.file
	return f.once.Set(text)
}

// takeFacts reads what -e names. What is wrong in it is told with what is wrong
// in the values, by whatever reads those.
func (c *console) takeFacts(cmd *cobra.Command) error {
	flag := cmd.Flags().Lookup("environment")
	if flag == nil || !flag.Changed {
		return nil
	}
	f, ok := flag.Value.(*factsFlag)
	if !ok {
		return nil // of generate, which reads it itself
	}
	var found faults.List
	f.env, found = f.read()
	f.in.Found = append(f.in.Found, found...)
	if f.env.Environment == nil {
		return nil
	}
	c.system = f.env.SystemNamespace
	return f.over(f.env)
}

func (f *factsFlag) read() (environment.Placed, faults.List) {
	text, found := readText(nil, f.file, environment.Limits.Bytes)
	if found.Refused() {
		return environment.Placed{}, found
	}
	return readFacts(source.NewFile(f.file, text))
}

// over lays the facts over the values. The theme is a file beside kora.yaml, the
// first of -f: a flag, as the generated trees have it, that a later one wins over.
func (f *factsFlag) over(env environment.Placed) error {
	root, err := agreement.Values(env)
	if err != nil {
		return err
	}
	f.in.More = append(f.in.More, root)
	f.in.Agree = func(files *values.Tree) faults.List { return passedOver(files, env) }
	if env.Theme == "" {
		return nil
	}
	if len(f.in.Files) == 0 || f.in.Files[0] == "-" {
		return usageError{errors.New("the environment names a theme, which lies beside kora.yaml: name that file with -f")}
	}
	if found := unthemed(env, beside(env, []place{{filepath.Dir(f.in.Files[0]), filepath.Base(f.in.Files[0])}})); len(found) > 0 {
		f.in.Found = append(f.in.Found, found...)
		return nil
	}
	path := filepath.Join(filepath.Dir(f.in.Files[0]), env.Theme)
	theme := values.Flag{Kind: values.SetFile, Text: "theme.document=" + literal.Replace(path)}
	f.in.Flags = append([]values.Flag{theme}, f.in.Flags...)
	return nil
}

// passedOver warns of what the files say otherwise: the environment wins, as it
// does in both generated trees.
func passedOver(files *values.Tree, env environment.Placed) faults.List {
	found := files.Hushed(agreement.Check(files.Root(), env))
	for i := range found {
		found[i].Severity = faults.Warning
	}
	return found
}

// systemNamespace is where a release goes: what --namespace says, of kora or of
// Helm; else the environment's, which is where the generated trees install it; else
// the default. Where the first two differ it is said, whatever the command.
func (c *console) systemNamespace(flag string) string {
	given := c.givenNamespace(flag)
	if c.system != "" && given != "" && given != c.system {
		c.say(fmt.Sprintf("note: --namespace %s is taken, and not the systemNamespace of the environment, %s", plain(given), c.system))
	}
	return cmp.Or(given, c.system, release.DefaultNamespace)
}

// givenNamespace is the one that a person gave, empty for none. Helm hands over the
// kubeconfig's as well, which nobody gave beside an environment.
func (c *console) givenNamespace(flag string) string {
	if flag != "" {
		return flag
	}
	given := namespace(c, "")
	if given != "" && c.system != "" && given == kube.Namespace(kube.Place{Given: kube.OfHelm(c.getenv)}) {
		return ""
	}
	return given
}

// literal keeps what Helm's flags read as the end of a value.
var literal = strings.NewReplacer(`\`, `\\`, `,`, `\,`)
