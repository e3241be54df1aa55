package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/patches/overrides"
)

// migrateFlags are those of kora patches migrate-env.
type migrateFlags struct {
	files []string
	out   string
	force bool
}

// newMigrateEnv turns KORA_MANIFEST__ variables into patches (R17).
func newMigrateEnv(c *console) *cobra.Command {
	f := &migrateFlags{}
	cmd := &cobra.Command{
		Use:   "migrate-env [-f FILE]… [--out DIR] [--force]",
		Short: "turn KORA_MANIFEST__ environment variables into manifest patches",
		Long: "migrate-env reads the KORA_MANIFEST__<Kind>__<name>__<path> variables that older installs set\n" +
			"on the kora-agents pod, and writes one patch for each. They come from the environment, or from\n" +
			"a .env file or YAML (a Deployment, a ConfigMap, a values file). Each patch is tried before it is\n" +
			"written; a variable that cannot be translated is named, with the reason, never its value.",
		Example: "  kora patches migrate-env -f kora-agents.yaml --out patches\n" +
			"  kubectl get deploy kora-agents -o yaml | kora patches migrate-env -f - > manifest-patches.yaml",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return migrateEnv(c, f) },
	}
	cmd.Flags().StringArrayVarP(&f.files, "file", "f", nil, "a .env or YAML `FILE`, - for standard input (may be repeated; default the environment)")
	cmd.Flags().StringVar(&f.out, "out", "", "write each patch as KEY.yaml into the directory `DIR` (default print them as values)")
	cmd.Flags().BoolVar(&f.force, "force", false, "write over files that are there already")
	return cmd
}

func migrateEnv(c *console, f *migrateFlags) error {
	if i := slices.Index(f.files, "-"); i >= 0 && slices.Contains(f.files[i+1:], "-") {
		return usageError{errors.New(`standard input can be read once, and "-" is given twice`)}
	}
	vars, found := f.variables(c)
	if found.Refused() {
		return c.report(withFixes(found))
	}
	if len(vars) == 0 {
		fmt.Fprintln(c.err, "no KORA_MANIFEST__ variable found")
		return c.report(withFixes(found))
	}
	list, more := overrides.Translate(vars, kora.Version())
	return f.deliver(c, list, distinct(vars), append(found, more...))
}

// variables come from the files, where any are given, else from the environment.
func (f *migrateFlags) variables(c *console) ([]overrides.Variable, faults.List) {
	if len(f.files) == 0 {
		return overrides.FromEnviron(c.environ), nil
	}
	var vars []overrides.Variable
	var found faults.List
	for _, name := range f.files {
		v, more := overrides.FromFile(name, c.in)
		vars, found = append(vars, v...), append(found, more...)
	}
	return vars, found
}

func distinct(vars []overrides.Variable) int {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = v.Name
	}
	slices.Sort(names)
	return len(slices.Compact(names))
}

// deliver writes what could be translated into a directory. On stdout it is
// all or nothing: a refused run prints no result.
func (f *migrateFlags) deliver(c *console, list []overrides.Patch, count int, found faults.List) error {
	if f.out != "" && len(list) > 0 {
		more, err := overrides.Write(f.out, list, f.force)
		if err != nil {
			return err
		}
		found = append(found, more...)
	}
	err := c.report(withFixes(found))
	fmt.Fprintf(c.err, "translated %d of %d variables\n", len(list), count)
	switch {
	case f.out != "":
		return err
	case err != nil && len(list) > 0:
		fmt.Fprintln(c.err, "nothing is printed: --out DIR writes those that could be translated")
	case err == nil && len(list) > 0:
		_, err = io.WriteString(c.out, overrides.Values(list))
	}
	return err
}
