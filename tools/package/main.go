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
	"os/exec"
	"path/filepath"
	"slices"
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
	known, err := buildable()
	if err != nil {
		fmt.Fprintln(stderr, "error: go tool dist list, which tells what can be built:", err)
		return 1
	}
	platforms, wrong := parsePlatforms(*list, known)
	if flags.NArg() > 0 {
		wrong = append(wrong, fmt.Sprintf("%q is an argument, and there are none besides the flags: write -platforms OS/ARCH,…", flags.Args()))
	}
	for _, why := range wrong {
		fmt.Fprintln(stderr, "error: -platforms:", why)
	}
	if len(wrong) > 0 {
		fmt.Fprintln(stderr, "fix: name platforms apart by commas, such as PLATFORMS=linux/amd64,windows/amd64; a release has "+everyPlatform)
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

// systems are those that plugin.yaml has a program for.
var systems = []string{"linux", "darwin", "windows"}

// buildable are the platforms, as OS/ARCH, that this Go builds for and Helm finds a
// program of the plugin on.
func buildable() ([]string, error) {
	text, err := exec.Command("go", "tool", "dist", "list").Output()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Fields(string(text)), func(p string) bool {
		system, _, _ := strings.Cut(p, "/")
		return !slices.Contains(systems, system)
	}), nil
}

// parsePlatforms reads a list, and says of each entry what is wrong with it.
func parsePlatforms(list string, known []string) (out []platform, wrong []string) {
	for item := range strings.SplitSeq(list, ",") {
		system, processor, ok := strings.Cut(item, "/")
		switch p := (platform{system, processor}); {
		case !ok || system == "" || processor == "":
			wrong = append(wrong, fmt.Sprintf("%q is no OS/ARCH", item))
		case !slices.Contains(known, item):
			wrong = append(wrong, fmt.Sprintf("%q is no platform that Go builds for and plugin.yaml has a program for", item))
		case slices.Contains(out, p):
			wrong = append(wrong, fmt.Sprintf("%q stands there twice", item))
		default:
			out = append(out, p)
		}
	}
	return out, wrong
}
