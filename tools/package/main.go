// Command package builds what a release of kora hands out: for each platform
// the plugin as two archives, one for each way that Helm installs from, the
// operator's binary, a list of what went into each binary, and the checksums
// of all of them.
//
//	go -C tools/package run . -out ../../dist
//	go -C tools/package run . -out ../../dist -platforms linux/amd64
//	go -C tools/package run . -out ../../dist -binaries DIR   packs what DIR/OS-ARCH holds
//
// The same sources and the same Go give the same bytes.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const everyPlatform = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64"

func main() {
	root, err := filepath.Abs("../..")
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	os.Exit(run(os.Args[1:], root, os.Stderr))
}

// run packs the repository at root and returns the exit status: 0 done, 1 it
// cannot be made, 2 usage.
func run(args []string, root string, stderr io.Writer) int {
	flags := flag.NewFlagSet("package", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("out", filepath.Join(root, "dist"), "the `DIR` to write to")
	list := flags.String("platforms", everyPlatform, "`OS/ARCH`, several apart by commas")
	binaries := flags.String("binaries", "", "take the binaries of DIR/OS-ARCH instead of building them")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	platforms, err := parsePlatforms(*list)
	if err != nil || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "error: the platforms are OS/ARCH apart by commas, such as linux/amd64, and there are no arguments besides the flags")
		return 2
	}
	r := &release{root: root, out: *out, binaries: *binaries, words: stderr}
	if err := r.make(platforms); err != nil {
		fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	return 0
}

// platform is one operating system on one processor, in Go's names.
type platform struct{ system, processor string }

func (p platform) String() string { return p.system + "-" + p.processor }

// program is a binary's file name there.
func (p platform) program(name string) string {
	if p.system == "windows" {
		return name + ".exe"
	}
	return name
}

func parsePlatforms(list string) ([]platform, error) {
	var out []platform
	for item := range strings.SplitSeq(list, ",") {
		system, processor, ok := strings.Cut(item, "/")
		if !ok || system == "" || processor == "" {
			return nil, fmt.Errorf("%q is no OS/ARCH", item)
		}
		out = append(out, platform{system, processor})
	}
	return out, nil
}
