package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// release is one run: from which sources, to where.
type release struct {
	root, out, binaries string
	version             string
	words               io.Writer
	written             []string // file names in out
}

// programs are the binaries of a release, by the package that holds each.
// Only Linux runs the operator.
func programs(p platform) map[string]string {
	all := map[string]string{"kora": "./plugin"}
	if p.system == "linux" {
		all["kora-operator"] = "./operator"
	}
	return all
}

func (r *release) make(platforms []platform) error {
	text, err := os.ReadFile(filepath.Join(r.root, "VERSION"))
	if err != nil {
		return err
	}
	r.version = strings.TrimSpace(string(text))
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	if err := r.clear(); err != nil {
		return err
	}
	for _, p := range platforms {
		fmt.Fprintln(r.words, "packing", p)
		if err := r.platform(p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return r.checksums()
}

// clear removes what an earlier run wrote, by the sums that it left: one of another
// version or platform would lie there beside sums that say nothing of it.
func (r *release) clear() error {
	sums := filepath.Join(r.out, "SHA256SUMS")
	text, err := os.ReadFile(sums)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if !packedName.MatchString(name) {
			continue
		}
		if err := os.Remove(filepath.Join(r.out, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Remove(sums)
}

// packedName is a file that a run of this command writes: no name leads elsewhere.
var packedName = regexp.MustCompile(`^kora-[A-Za-z0-9._+-]+\.(tgz|spdx\.json)$`)

// platform packs one platform.
func (r *release) platform(p platform) error {
	built, err := r.build(p)
	if err != nil {
		return err
	}
	for _, name := range sorted(built) {
		if err := r.materials(name, p, built[name]); err != nil {
			return err
		}
	}
	if operator, there := built["kora-operator"]; there {
		if err := r.archive(fmt.Sprintf("kora-operator-%s-%s.tgz", r.version, p), []entry{{p.program("kora-operator"), operator, 0o755}}); err != nil {
			return err
		}
	}
	return r.plugin(p, built["kora"])
}

// plugin packs the plugin twice. Helm 4 installs an archive with the folder
// kora in it; Helm 3 installs by URL alone, and wants the files at the root.
func (r *release) plugin(p platform, binary string) error {
	documents, err := r.documents()
	if err != nil {
		return err
	}
	files := append([]entry{
		{"plugin.yaml", filepath.Join(r.root, "plugin.yaml"), 0o644},
		{"plugin.complete", filepath.Join(r.root, "plugin.complete"), 0o755},
		{"README.md", filepath.Join(r.root, "README.md"), 0o644},
		{"bin/", "", 0o755}, // Helm 3 makes no folder that the archive does not name
		{"bin/" + p.program("kora"), binary, 0o755},
	}, documents...)
	if err := r.archive(fmt.Sprintf("kora-helm3-%s-%s.tgz", r.version, p), files); err != nil {
		return err
	}
	return r.archive(fmt.Sprintf("kora-%s-%s.tgz", r.version, p), under("kora", files))
}

func under(folder string, files []entry) []entry {
	out := make([]entry, len(files))
	for i, f := range files {
		f.name = folder + "/" + f.name
		out[i] = f
	}
	return out
}
