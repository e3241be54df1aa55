package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// hosted lets a command tree call itself as it is called: as a plugin of Helm all
// of its help says helm kora.
func hosted(root *cobra.Command, c *console) {
	if c.getenv("HELM_PLUGIN_DIR") == "" || c.getenv("HELM_PLUGIN_NAME") != root.Name() {
		return
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "helm " + root.Name()}
	throughout(root, func(cmd *cobra.Command) {
		cmd.Example = strings.ReplaceAll("\n"+cmd.Example, "\n  kora ", "\n  helm kora ")[1:]
		cmd.Example = strings.ReplaceAll(cmd.Example, "&& kora ", "&& helm kora ")
	})
}
