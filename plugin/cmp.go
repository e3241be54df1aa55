package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/runkora/kora"
	"github.com/runkora/kora/plugin/cmp"
	"github.com/runkora/kora/plugin/release"
)

// newCMP is the group of what Argo CD calls (R43). None of it takes a flag or an
// argument: Argo CD prints the whole line before what went wrong.
func newCMP(c *console) *cobra.Command {
	group := &cobra.Command{
		Use:   "cmp",
		Short: "render an Argo CD application, as its config management plugin",
		Long: "cmp is called by Argo CD's cmp-server, in the folder of an application: kora.yaml, and where\n" +
			"they are there theme.yaml and patches/. What it may do is said by variables KORA_CMP_ of the\n" +
			"sidecar; argocd/plugin has the plugin's files, and docs/cmp.md the whole of it.",
		Args: cobra.ArbitraryArgs,
		RunE: needsCommand,
	}
	group.AddCommand(
		&cobra.Command{
			Use: "discover", Short: "print the name of kora.yaml where the folder is an application of kora's", Args: noArguments,
			RunE: func(*cobra.Command, []string) error { return discover(c) },
		},
		&cobra.Command{
			Use: "parameters", Short: "print the parameters that an application may give", Args: noArguments,
			RunE: func(*cobra.Command, []string) error { return announce(c) },
		},
		&cobra.Command{
			Use: "generate", Short: "print the manifests of the application in this folder", Args: noArguments,
			RunE: func(cmd *cobra.Command, _ []string) error { return generateCMP(cmd.Context(), c) },
		},
	)
	return group
}

// here is the folder that Argo CD calls in. Nothing is read outside of it.
func here() (*os.Root, error) {
	root, err := os.OpenRoot(".")
	if err != nil {
		return nil, fmt.Errorf("the application's folder cannot be read: %w", err)
	}
	return root, nil
}

func discover(c *console) error {
	root, err := here()
	if err != nil {
		return err
	}
	defer root.Close()
	if !cmp.Discover(root) {
		return nil
	}
	_, err = fmt.Fprintln(c.out, cmp.ValuesFile)
	return err
}

func announce(c *console) error {
	text, err := cmp.Announced()
	if err != nil {
		return err
	}
	_, err = c.out.Write(text)
	return err
}

func generateCMP(ctx context.Context, c *console) error {
	root, err := here()
	if err != nil {
		return err
	}
	defer root.Close()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	cmp.KeepToMemory()
	c.more = "mend these first"
	out := cmp.Generate(ctx, cmp.Call{Root: root, Environ: c.environ, Version: kora.Version()})
	if out.Found.Refused() {
		c.say(out.Headline())
	}
	if err := c.report(withFixes(out.Found)); err != nil {
		return err
	}
	if out.Verified != "" {
		c.say("verified: " + out.Verified)
	}
	c.say(unchecked(&release.Result{Unchecked: out.Unchecked}))
	_, err = c.out.Write(out.Manifests)
	return err
}
