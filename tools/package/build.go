package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// build makes a platform's binaries, or finds those that were given, and
// returns their paths by name.
func (r *release) build(p platform) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range sorted(programs(p)) {
		if r.binaries != "" {
			out[name] = filepath.Join(r.binaries, p.String(), p.program(name))
			continue
		}
		path := filepath.Join(r.out, "bin", p.String(), p.program(name))
		if err := r.compile(p, programs(p)[name], path); err != nil {
			return nil, err
		}
		out[name] = path
	}
	return out, nil
}

// compile leaves out what differs from machine to machine: paths, and the
// state of a checkout.
func (r *release) compile(p platform, from, to string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", to, from)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+p.system, "GOARCH="+p.processor)
	cmd.Stdout, cmd.Stderr = r.words, r.words
	return cmd.Run()
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
