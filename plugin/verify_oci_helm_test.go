package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/verify/sigstoretest"
)

// R49: helm kora verify works from both Helms, and its status passes through,
// so that `helm kora verify … && helm upgrade …` stops where it should.
func TestVerifyFromBothHelms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binaries and needs Helm")
	}
	dist, unpacked, files := packaged(t), t.TempDir(), t.TempDir()
	command(t, nil, "tar", "-C", unpacked, "-xzf", filepath.Join(dist, "kora-"+kora.Version()+"-"+runtime.GOOS+"-"+runtime.GOARCH+".tgz"))
	r := newShelf(sigstoretest.New(t))
	t.Cleanup(r.Close)
	if err := r.fill(files); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"helm-3", "helm-4"} {
		t.Run(version, func(t *testing.T) {
			folder, err := testcluster.Tool(t.Context(), version)
			if err != nil {
				t.Fatal(err)
			}
			helm, own := filepath.Join(folder, "helm"), ownHelm(t)
			command(t, own, helm, "plugin", "install", filepath.Join(unpacked, "kora"))
			root := []string{"--trusted-root", filepath.Join(files, "trusted_root.json")}
			for _, c := range []struct {
				status int
				args   []string
			}{
				{0, []string{"release", "1.4.0", "--dir", filepath.Join(files, "downloads"), "--registry", r.host}},
				{0, []string{"chart", "oci://" + r.host + "/charts/kora:1.4.0"}},
				{1, []string{"image", r.host + "/unsigned:1.4.0"}},
				{3, []string{"image", r.host + "/missing:1.4.0"}},
			} {
				cmd := exec.CommandContext(t.Context(), helm, append(append([]string{"kora", "verify"}, c.args...), root...)...)
				cmd.Env = append(cmd.Environ(), own...)
				out, err := cmd.CombinedOutput()
				got := 0
				if exit, ok := errors.AsType[*exec.ExitError](err); ok {
					got = exit.ExitCode()
				} else if err != nil {
					t.Fatal(err)
				}
				if got != c.status {
					t.Errorf("%v: status %d, want %d\n%s", c.args, got, c.status, out)
				}
			}
		})
	}
}
