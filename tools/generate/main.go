// Command generate writes what is made from operator/api/v1alpha1: the deep
// copies, and the custom resource definitions of the chart kora-crds (R19); and
// from the markers in operator: the rights that the chart must give (R50).
//
//	go -C tools/generate run .          writes every file
//	go -C tools/generate run . -check   exits 1 when a file differs, and writes none
//
// controller-gen comes from this module's go.mod, and loads the types by the
// repository's own.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	types     = "operator/api/v1alpha1"
	deepCopy  = "zz_generated.deepcopy.go"
	templates = "charts/kora-crds/templates"
	rights    = "operator/rbac.yaml"
)

func main() {
	root, err := repository()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	os.Exit(run(os.Args[1:], root, os.Stderr))
}

// run works on the repository at root and returns the exit status: 0 done,
// 1 a file differs or cannot be made, 2 usage.
func run(args []string, root string, stderr io.Writer) int {
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	check := flags.Bool("check", false, "compare the files with the types and write none")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "error: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	made, err := generate(root)
	if err != nil {
		fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	each := write
	if *check {
		each = compare
	}
	status := 0
	for _, err := range each(root, made) {
		fmt.Fprintln(stderr, "error:", err)
		status = 1
	}
	return status
}

// generate gives the wanted content of every generated file, by its path in the
// repository.
func generate(root string) (map[string][]byte, error) {
	scratch, err := os.MkdirTemp("", "kora-generate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	cmd := exec.Command("go", "tool", "-modfile=tools/generate/go.mod", "controller-gen",
		"paths=./"+types, "object", "crd", "output:object:dir="+scratch, "output:crd:dir="+scratch)
	cmd.Dir = root
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("controller-gen: %w\n%s", err, said)
	}
	version, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		return nil, err
	}
	made, err := collect(scratch, string(version))
	if err != nil {
		return nil, err
	}
	made[rights], err = markers(root)
	return made, err
}

// markers gives the roles that the operator's markers say (R50).
func markers(root string) ([]byte, error) {
	cmd := exec.Command("go", "tool", "-modfile=tools/generate/go.mod", "controller-gen",
		"paths=./operator", "rbac:roleName=kora-operator", "output:rbac:stdout")
	cmd.Dir = root
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("controller-gen: %w\n%s", err, said.Bytes())
	}
	return out, nil
}

// repository is the folder above the working one that holds VERSION.
func repository() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "VERSION")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("not inside kora's repository: no VERSION above the working folder")
		}
		at = filepath.Dir(at)
	}
}
