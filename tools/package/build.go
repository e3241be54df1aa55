package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
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
	env, err := environment(p)
	if err != nil {
		return err
	}
	cmd.Env = env
	cmd.Stdout, cmd.Stderr = r.words, r.words
	return cmd.Run()
}

// environment is what a platform is built in: of this machine's settings for Go only
// where modules and what is built already are. A level of the processor, an experiment
// or a flag would make other bytes, whether a variable sets it or go env -w did.
func environment(p platform) ([]string, error) {
	names := []string{"GOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE", "GONOPROXY", "GOINSECURE", "GOAUTH", "GOVCS", "GOPATH", "GOMODCACHE", "GOCACHE", "GOTOOLCHAIN"}
	text, err := exec.Command("go", append([]string{"env", "-json"}, names...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go env, which tells where modules are: %w", err)
	}
	here := map[string]string{}
	if err := json.Unmarshal(text, &here); err != nil {
		return nil, fmt.Errorf("go env, which tells where modules are: %w", err)
	}
	out := os.Environ()
	for _, name := range names {
		out = append(out, name+"="+here[name])
	}
	return append(out, "GOENV=off", "GOWORK=off", "GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=", "GOAMD64=", "GOARM64=", "GOARM=", "GO386=", "GOPPC64=", "GORISCV64=", "GOMIPS=", "GOMIPS64=",
		"CGO_ENABLED=0", "GOOS="+p.system, "GOARCH="+p.processor), nil
}

// wrongly says what a binary was built for, where that is not its platform; nil: it is.
func wrongly(info *buildinfo.BuildInfo, p platform) error {
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	if set["GOOS"] != p.system || set["GOARCH"] != p.processor {
		return fmt.Errorf("it was built for %s/%s: build it with GOOS=%s GOARCH=%s, or leave -binaries out", set["GOOS"], set["GOARCH"], p.system, p.processor)
	}
	return nil
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
