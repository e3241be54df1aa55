package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/runkora/kora"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/verify/lock"
)

// facts are the environment file's name, text and content, and whether there were
// values to compare with it.
type facts struct {
	file, text string
	env        environment.Placed
	compared   bool
	builtIn    bool // it is in no folder
}

// called is the file in faults: one that is in no folder says so.
func (f facts) called() string {
	if f.builtIn {
		return "the built-in example.yaml"
	}
	return f.file
}

// name is what Helmfile calls the environment: its file's name.
func (f facts) name() string {
	if f.file == "-" {
		return "example" // from standard input, which has no name
	}
	base := filepath.Base(f.file)
	return strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml")
}

// read reads the environment, the lock and a person's values, which places says
// where to look for, and puts the releases in order; nil where the environment or
// the lock cannot be taken.
func (f *generateFlags) read(stdin io.Reader, in facts, places func(*environment.Environment) []place) (facts, *releases.Graph, faults.List) {
	var found faults.List
	if f.environment != "" {
		in.file, in.builtIn = f.environment, false
		in.text, found = readText(stdin, f.environment, environment.Limits.Bytes)
	}
	if !found.Refused() {
		in.env, found = readFacts(source.NewFile(in.called(), in.text))
	}
	pins, more := f.pins(in.env.Environment)
	found = append(found, more...)
	unread := found.Refused()
	in.compared, more = f.own(stdin, in.env, places(in.env.Environment))
	found = append(found, more...)
	if unread {
		return in, nil, found
	}
	graph, err := releases.Reference(pins)
	if err != nil {
		return in, nil, append(found, faults.New(faults.ReleaseGraph, err.Error()))
	}
	return in, graph, found
}

// example is the environment without -e: the one that a person starts with.
func example() facts {
	return facts{file: "example.yaml", text: releases.ExampleEnvironment(), builtIn: true}
}

// pins are those of a lock for the charts of the environment; without one, which
// is refused anyway, the lock is read all the same, for its own faults.
func (f *generateFlags) pins(env *environment.Environment) (releases.Pins, faults.List) {
	if f.lock == "" {
		return releases.Pins{Version: kora.Version()}, nil
	}
	file, err := regular.Open(f.lock)
	if err != nil {
		return releases.Pins{}, faults.List{unreadableFile(f.lock, err)}
	}
	file.Close()
	l, found := lock.Read(f.lock)
	if found.Refused() || env == nil {
		return releases.Pins{}, found
	}
	return releases.Locked(l, f.lock, kora.Version(), env.Charts.Kora)
}

// readText reads a file, or standard input for "-", up to a limit: one byte more
// tells that it was too long.
func readText(stdin io.Reader, name string, limit int) (string, faults.List) {
	in := stdin
	if name != "-" {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			fault := faults.New(faults.FileKind, "this is a folder, not a file")
			fault.File, fault.Found, fault.Expected, fault.Fix = name, "a folder", "a file", "name the file itself"
			return "", faults.List{fault}
		}
		f, err := regular.Open(name)
		if err != nil {
			return "", faults.List{unreadableFile(name, err)}
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, int64(limit)+1))
	if err != nil {
		return "", faults.List{unreadableFile(name, err)}
	}
	return string(text), nil
}

func unreadableFile(name string, err error) faults.Fault {
	f := outOfReach(name, err)
	f.Message = strings.Replace(f.Message, "the theme", "the file", 1)
	return f
}
