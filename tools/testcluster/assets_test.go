package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// assets is a folder of programs that can be run.
func assets(t *testing.T, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestCompleteAssetsNeedNoCompilerAndNameTheirContent(t *testing.T) {
	b := newBench(t)
	own := assets(t, controlPlane("1.36").programs...)
	b.env["KUBEBUILDER_ASSETS"] = own
	t.Setenv("PATH", "")
	code, first, errs := b.run(t.Context())
	if etcd, err := os.Readlink(filepath.Join(first, "etcd")); code != exitDone || etcd != filepath.Join(own, "etcd") || errs != "" {
		t.Errorf("exit %d, etcd is %q: %v, words %q", code, etcd, err, errs)
	}
	if _, again, _ := b.run(t.Context()); again != first {
		t.Errorf("%s, then %s", first, again)
	}
	if err := os.Chtimes(filepath.Join(own, "etcd"), time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, changed, _ := b.run(t.Context()); changed == first {
		t.Error("another etcd has the same folder")
	}
}

// setup-envtest gives three of six.
func TestAssetsThatLackProgramsTakeThoseFromTheCache(t *testing.T) {
	b := newBench(t)
	own := assets(t, "etcd", "kube-apiserver", "kubectl", "kwok")
	if err := os.Chmod(filepath.Join(own, "kwok"), 0o644); err != nil { // not to be run
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(own))
	b.env["KUBEBUILDER_ASSETS"] = filepath.Base(own)
	code, folder, errs := b.run(t.Context())
	if code != exitDone || !strings.Contains(errs, "lacks kube-controller-manager, kube-scheduler, kwok: taken from the cache") {
		t.Fatalf("exit %d, words %q", code, errs)
	}
	etcd, _ := os.Readlink(filepath.Join(folder, "etcd"))
	kwok, _ := os.Readlink(filepath.Join(folder, "kwok"))
	if etcd != filepath.Join(own, "etcd") || !strings.Contains(kwok, "/k8s-1.36-") {
		t.Errorf("etcd is %q, kwok %q", etcd, kwok)
	}
	if lacks := controlPlane("1.36").missing(folder); len(lacks) > 0 {
		t.Errorf("the folder lacks %v", lacks)
	}
}

func TestAssetsAreNamedWhenTheyArePassedOver(t *testing.T) {
	b := newBench(t)
	b.env["KUBEBUILDER_ASSETS"] = t.TempDir()
	if code, _, errs := b.run(t.Context()); code != exitDone || !strings.Contains(errs, "holds none of etcd, kube-apiserver") {
		t.Errorf("empty: exit %d, words %q", code, errs)
	}
	b.env["K8S"] = "1.36"
	if code, _, errs := b.run(t.Context()); code != exitDone || errs != "testcluster: KUBEBUILDER_ASSETS is passed over, because K8S=1.36 asks for a version\n" {
		t.Errorf("with K8S: exit %d, words %q", code, errs)
	}
}
