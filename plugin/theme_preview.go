package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/runkora/kora"
	"github.com/runkora/kora/plugin/theme"
)

func newThemePreview(c *console) *cobra.Command {
	out := "-"
	cmd := &cobra.Command{
		Use:   "preview FILE [-o PAGE]",
		Short: "draw the login screen and the dashboard with a theme, as one HTML page",
		Long: "preview draws the login screen and the dashboard in dark and in light with the theme's names,\n" +
			"colours and assets, the contrast of each pair of colours by WCAG 2.2, and what is still kora's.\n" +
			"The page holds no script. kora fetches nothing; the browser that opens the page loads the assets.",
		Example: "  kora theme preview theme.yaml -o page.html",
		Args:    oneFile,
		RunE:    func(_ *cobra.Command, args []string) error { return themePreview(c, args[0], out) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", "-", "write the page to this file, - for standard output")
	return cmd
}

func themePreview(c *console, name, out string) error {
	if out == "" {
		return usageError{errors.New("--output needs the name of a file, or - for standard output")}
	}
	if name != "-" && out != "-" && sameFile(name, out) {
		return usageError{fmt.Errorf("%s is the theme, and the page would take its place: name another file with -o", out)}
	}
	t, found := readTheme(c, name)
	if err := c.report(found); err != nil {
		return err
	}
	var page bytes.Buffer
	if err := theme.Preview(&page, t, kora.Version()); err != nil {
		return err
	}
	if out == "-" {
		_, err := c.out.Write(page.Bytes())
		return err
	}
	return writePage(out, page.Bytes())
}

// writePage replaces a regular file or makes a new one. Anything else is left
// alone, so that a link or a device is never written through; the file is
// moved into its place as a whole.
func writePage(name string, page []byte) error {
	info, err := os.Lstat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return usageError{fmt.Errorf("%s is there already and is no regular file: name another with -o", name)}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("look at %s: %w", name, err)
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".kora-preview-*")
	if err != nil {
		return fmt.Errorf("write the page beside %s: %w", name, err)
	}
	defer os.Remove(temp.Name()) // no-op once it is moved
	_, err = temp.Write(page)
	if err := errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return os.Rename(temp.Name(), name)
}
