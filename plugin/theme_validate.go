package main

import (
	"io"

	"github.com/spf13/cobra"
)

func newThemeValidate(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate FILE",
		Short: "check a theme document, and list what it leaves at kora's default",
		Long: "validate checks a theme.yaml against this release of kora. It tells every fault at once, or\n" +
			"lists every entry that this release ignores and every value that stays at kora's default.\n" +
			"It never fetches a URL: whether an asset is there, only a browser can tell.",
		Example: "  kora theme validate theme.yaml\n  kora theme validate - < theme.yaml",
		Args:    oneFile,
		RunE:    func(_ *cobra.Command, args []string) error { return themeValidate(c, args[0]) },
	}
	cmd.Flags().BoolVar(&c.strict, "strict", false, "take a warning for an error")
	return cmd
}

func themeValidate(c *console, name string) error {
	c.judges = true
	t, found := readTheme(c, name)
	if err := c.report(found); err != nil || c.machine() {
		return err
	}
	_, err := io.WriteString(c.out, t.Summary())
	return err
}
