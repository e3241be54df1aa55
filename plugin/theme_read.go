package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/theme"
)

// readTheme reads and judges the theme document of a command line.
func readTheme(c *console, name string) (*theme.Theme, faults.List) {
	text, found := themeText(c.in, name)
	if found.Refused() {
		return nil, found
	}
	if name == "-" {
		name = "(standard input)"
	}
	return theme.Parse(source.NewFile(name, text), kora.Version())
}

// themeText reads one byte more than a theme may have, so that a huge file
// costs no memory and is still told apart.
func themeText(stdin io.Reader, name string) (string, faults.List) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", faults.List{outOfReach(name, err)}
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return "", faults.List{directory(name)}
		}
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, theme.MaxBytes+1))
	if err != nil {
		return "", faults.List{outOfReach(name, err)}
	}
	return string(text), nil
}

// outOfReach is a document that was not judged at all: exit status 3.
func outOfReach(name string, err error) faults.Fault {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	f := faults.New(faults.FileMissing, fmt.Sprintf("cannot read the theme: %v", err))
	f.File, f.Fix = name, "check the spelling of the path and that the file may be read"
	return f
}

func directory(name string) faults.Fault {
	f := faults.New(faults.FileKind, "the theme is a directory, not a file")
	f.File, f.Found, f.Expected, f.Fix = name, "a directory", "a file", "name the document itself, such as theme.yaml"
	return f
}
