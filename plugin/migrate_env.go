package main

import (
	"github.com/spf13/cobra"
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
	cmd.Flags().StringArrayVarP(&f.files, "file", "f", nil, "a .env or YAML file to read, - for standard input (may be repeated; default the environment)")
	cmd.Flags().StringVar(&f.out, "out", "", "write each patch as KEY.yaml into this directory (default print them as values)")
	cmd.Flags().BoolVar(&f.force, "force", false, "write over files that are there already")
	return cmd
}

func migrateEnv(*console, *migrateFlags) error { return nil }
