package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// collect reads what controller-gen wrote into a folder, and dresses the
// definitions for the chart.
func collect(folder, version string) (map[string][]byte, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	made := map[string][]byte{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		if entry.Name() == deepCopy {
			made[filepath.Join(types, deepCopy)] = text
			continue
		}
		// runkora.io_connections.yaml
		_, name, _ := strings.Cut(entry.Name(), "_")
		if made[filepath.Join(templates, name)], err = dress(text, strings.TrimSpace(version)); err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
	}
	return made, nil
}

// dress adds what the chart wants of a definition: the annotation by which Helm
// keeps it when the release is deleted, and the labels. The labels are plain text,
// not the release's, so that the file is also what kubectl applies.
func dress(definition []byte, version string) ([]byte, error) {
	if bytes.Contains(definition, []byte("{{")) {
		return nil, fmt.Errorf(`a description or rule holds "{{", which Helm would take for its own: write it in another way`)
	}
	head, rest, found := bytes.Cut(definition, []byte("\n  name: "))
	if !found || bytes.Count(head, []byte("\n  annotations:\n")) != 1 {
		return nil, fmt.Errorf("metadata is not as controller-gen writes it: annotations, then name")
	}
	return slices.Concat(bytes.TrimPrefix(head, []byte("---\n")), []byte(`
    helm.sh/resource-policy: keep
  labels:
    app.kubernetes.io/component: crds
    app.kubernetes.io/name: kora-crds
    app.kubernetes.io/part-of: kora
    app.kubernetes.io/version: `+version+"\n  name: "), rest), nil
}

// compare tells of every file that is not as it should be, one too many included.
func compare(root string, made map[string][]byte) []error {
	var all []error
	for _, path := range slices.Sorted(maps.Keys(made)) {
		is, err := os.ReadFile(filepath.Join(root, path))
		if err != nil || !bytes.Equal(is, made[path]) {
			all = append(all, fmt.Errorf("%s is not what the types in %s say: run go -C tools/generate run .", path, types))
		}
	}
	for _, path := range stale(root, made) {
		all = append(all, fmt.Errorf("%s belongs to no type in %s: run go -C tools/generate run .", path, types))
	}
	return all
}

// write makes the files what they should be and removes those of no type.
func write(root string, made map[string][]byte) []error {
	var all []error
	for _, path := range slices.Sorted(maps.Keys(made)) {
		if err := os.WriteFile(filepath.Join(root, path), made[path], 0o644); err != nil {
			all = append(all, err)
		}
	}
	for _, path := range stale(root, made) {
		if err := os.Remove(filepath.Join(root, path)); err != nil {
			all = append(all, err)
		}
	}
	return all
}

// stale lists definitions in the chart that no type stands behind any more.
func stale(root string, made map[string][]byte) []string {
	there, _ := filepath.Glob(filepath.Join(root, templates, "*.yaml"))
	var paths []string
	for _, file := range there {
		path := filepath.Join(templates, filepath.Base(file))
		if _, wanted := made[path]; !wanted {
			paths = append(paths, path)
		}
	}
	return paths
}
