// Command docgen writes the pages of docs/reference that are made from tables
// in the code, so that they cannot say anything else than the code does.
//
//	go run ./internal/docgen          writes every page
//	go run ./internal/docgen -check   exits 1 when a page differs, and writes none
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], ".", os.Stderr))
}

// run works on the repository at root and returns the exit status: 0 done,
// 1 a page differs or cannot be written, 2 usage.
func run(args []string, root string, stderr io.Writer) int {
	flags := flag.NewFlagSet("docgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	check := flags.Bool("check", false, "compare the pages with the code and write none")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "error: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	each := write
	if *check {
		each = compare
	}
	return visit(root, each, stderr)
}

// visit handles every page, so that one run names all that differ.
func visit(root string, each func(string, page) error, stderr io.Writer) int {
	status := 0
	for _, p := range pages() {
		if err := each(root, p); err != nil {
			fmt.Fprintf(stderr, "error: %v\n", err)
			status = 1
		}
	}
	return status
}
