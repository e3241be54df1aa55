package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// readymade gives the absolute path of KUBEBUILDER_ASSETS where it counts.
// Whoever asks for a version by K8S wants that version, so it is passed over.
func readymade(t target, getenv func(string) string, errs io.Writer) (string, error) {
	assets := getenv("KUBEBUILDER_ASSETS")
	if assets == "" || !strings.HasPrefix(t.module, "k8s-") {
		return "", nil
	}
	if version := getenv("K8S"); version != "" {
		fmt.Fprintf(errs, "testcluster: KUBEBUILDER_ASSETS is passed over, because K8S=%s asks for a version\n", version)
		return "", nil
	}
	if lacks := t.missing(assets); len(lacks) == len(t.all()) {
		fmt.Fprintf(errs, "testcluster: KUBEBUILDER_ASSETS=%s holds none of %s: the cache is used instead\n", assets, strings.Join(lacks, ", "))
		return "", nil
	} else if len(lacks) > 0 { // as in the folder of setup-envtest
		fmt.Fprintf(errs, "testcluster: KUBEBUILDER_ASSETS lacks %s: taken from the cache (Kubernetes %s)\n", strings.Join(lacks, ", "), defaultVersion)
	}
	return filepath.Abs(assets)
}

// combine gives a folder of symlinks to the programs in assets, and to the
// cache's where there is none. Its name changes with what it leads to, so that
// results of tests with other programs do not count for these.
func (b builder) combine(ctx context.Context, t target, assets string) (string, error) {
	links, err := b.linksInto(ctx, t, assets)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, name := range t.all() {
		info, err := os.Stat(links[name])
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, links[name], info.Size(), info.ModTime().UnixNano())
	}
	folder := filepath.Join(b.cache, fmt.Sprintf("assets-%x", sum.Sum(nil)[:8]))
	if len(t.missing(folder)) == 0 {
		return folder, nil
	}
	lock, err := b.lock(ctx)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	return folder, b.link(folder, links)
}

// linksInto says where each program is.
func (b builder) linksInto(ctx context.Context, t target, assets string) (map[string]string, error) {
	links := map[string]string{}
	for _, name := range t.all() {
		links[name] = filepath.Join(assets, name)
	}
	lacks := t.missing(assets)
	if len(lacks) == 0 {
		return links, nil
	}
	built, err := b.ensure(ctx, t)
	for _, name := range lacks {
		links[name] = filepath.Join(built, name)
	}
	return links, err
}

// link makes folder, whole or not at all.
func (b builder) link(folder string, links map[string]string) error {
	temp, err := os.MkdirTemp(b.cache, unfinished)
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(temp, name)); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(folder); err != nil { // an incomplete one, by hand
		return err
	}
	return os.Rename(temp, folder)
}
