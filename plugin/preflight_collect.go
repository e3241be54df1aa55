package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
	state "github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/plugin/preflight"
)

func newPreflightCollect(c *console) *cobra.Command {
	f := &preflightFlags{output: "text"}
	var into destination
	cmd := &cobra.Command{
		Use:   "collect -f FILE… --to DIR",
		Short: "write what preflight sees of a cluster, for somebody else to judge",
		Long: "collect looks at the cluster as preflight does, and writes what it saw to DIR, for\n" +
			"kora preflight --bundle DIR on another machine. Of Secrets it writes the keys and the\n" +
			"length of each value, never a value. An earlier dump goes when the new one is whole;\n" +
			"one that holds what could not be read now stays, unless --replace is given.",
		Example: "  kora preflight collect -f kora.yaml --to dump",
		Args:    noArguments,
		RunE:    ending(func(cmd *cobra.Command, _ []string) error { return collectFacts(cmd.Context(), c, f, into) }),
	}
	f.bind(cmd.Flags(), c)
	cmd.Flags().StringVar(&into.dir, "to", "", "the folder `DIR` to write to (required)")
	cmd.Flags().BoolVar(&into.replace, "replace", false, "replace an earlier dump in DIR also by one that holds less")
	return cmd
}

// destination is where a dump goes, and whether it may take the place of a better one.
type destination struct {
	dir     string
	replace bool
}

func collectFacts(ctx context.Context, c *console, f *preflightFlags, to destination) error {
	if to.dir == "" {
		return usageError{errors.New("--to DIR is required: the folder to write to")}
	}
	if err := f.complete(c); err != nil {
		return err
	}
	plan, found := f.source.Plan(ctx, time.Now)
	if found.Refused() || !c.machine() {
		if err := c.report(withFixes(found)); err != nil {
			return err
		}
		found = nil
	}
	ctx, cancel := context.WithTimeout(kube.Quiet(ctx), f.timeout)
	defer cancel()
	seen, err := plan.Look(ctx, f.timeout)
	if err != nil {
		return c.report(withFixes(append(f.blind(err), found...)))
	}
	path, err := preflight.WriteBundle(to.dir, seen, to.replace)
	if err != nil {
		return c.report(append(list(unwritten(to.dir, err)), withFixes(found)...))
	}
	c.say("wrote " + path)
	if lack := lacks(path, seen); len(lack) > 0 {
		return c.report(append(lack, withFixes(found)...))
	}
	return c.later(found)
}

// lacks says what the file does not hold, although it was looked for: whoever
// judges it could not tell, and who collects can still do something about it.
func lacks(path string, seen *state.Facts) faults.List {
	why, nothing := seen.Unread()
	if len(why) == 0 {
		return nil
	}
	fault := faults.New(faults.BadBundle, fmt.Sprintf("%d things could not be read, and the file says so", len(why)))
	if nothing {
		fault.Message = "nothing could be read but the cluster's version"
	}
	fault.File, fault.Found = path, first(why)
	fault.Fix = "collect it again as an account with these rights, with a longer --timeout, or with --no-services where they cannot be reached from here"
	return list(fault)
}

// told is how many of them one message names.
const told = 5

func first(all []string) string {
	out := strings.Join(all[:min(len(all), told)], "; ")
	if len(all) > told {
		out += fmt.Sprintf("; and %d more", len(all)-told)
	}
	return out
}

// unwritten says why there is no file.
func unwritten(to string, err error) faults.Fault {
	out := faults.New(faults.BadBundle, "the facts cannot be written: "+err.Error())
	out.File, out.Fix = to, "give --to a folder that this user may write to, or one that is not there yet"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		out.Fix = "make room there, or give --to a folder on another disk"
	}
	if poorer := (*preflight.Poorer)(nil); errors.As(err, &poorer) {
		out.Message, out.File, out.Found = poorer.Error(), poorer.Path, first(poorer.Lost)
		out.Fix = "collect it again as an account with these rights or with a longer --timeout; or give --to another folder; --replace puts what was seen now in its place"
	}
	return out
}

// blind says why there is nothing to judge: the cluster, or all that is wrong with the
// bundle.
func (f *preflightFlags) blind(err error) faults.List {
	if f.bundle == "" {
		return list(kube.Fault(err))
	}
	return preflight.BundleFaults(f.bundle, err)
}
