package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

func newValidate(c *console) *cobra.Command {
	var in values.Input
	var ns string
	f := &releaseFlags{}
	cmd := &cobra.Command{
		Use:   "validate -f FILE…",
		Short: "check values, patches, theme and every object of the release",
		Long: "validate makes every check that render makes, and prints no manifest: the values and patches\n" +
			"to the line, the theme, the chart's own refusals, and each object of the release against its\n" +
			"Kubernetes type. It says in one line what was found good. It needs no cluster and no network.",
		Example: "  kora validate -f kora.yaml\n" +
			"  kora validate -f kora.yaml -f prod.yaml --set-file theme.document=theme.yaml --diagnostics sarif",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.judges = true
			f.complete(c, in, ns)
			out := release.Render(cmd.Context(), f.request)
			if err := c.report(withFixes(out.Found)); err != nil {
				return err
			}
			c.say(good(out, f.request))
			return nil
		},
	}
	bindValues(cmd.Flags(), &in)
	f.bind(cmd.Flags())
	cmd.Flags().StringVar(&ns, "namespace", "", "the `NAMESPACE` of the release (default kora-system)")
	cmd.Flags().BoolVar(&c.strict, "strict", false, "take warnings for errors")
	return cmd
}

// good says what was checked.
func good(r *release.Result, asked release.Request) string {
	kube := asked.KubeVersion
	if kube == "" {
		kube = release.DefaultKubeVersion
	}
	line := fmt.Sprintf("valid: the values, and all %d objects of %s for Kubernetes %s", len(r.Objects), r.Chart, strings.TrimPrefix(kube, "v"))
	if len(r.Unchecked) > 0 {
		line += "; not compared with a type, because kora has none of their kinds: " + strings.Join(r.Unchecked, ", ")
	}
	return line
}
