package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/sigstoretest"
)

// R49: neither the lock nor the summaries are written over one another, over
// what the run reads, or into what is no file, however the paths are written.
func TestVerifyWritesOverNothing(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"list", "root.json", "there"} {
		if err := os.WriteFile(in(name), []byte("what was there"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link": "there", "deep": "link", "dangling": "new", "folder": ".", "root-link": "root.json"} {
		if err := os.Symlink(to, in(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(in("there"), in("hard")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(in("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]string{
		{"new", in("new")}, {in("there"), in("link")}, {in("link"), in("deep")}, {in("new"), in("dangling")}, {in("folder/new"), in("new")},
		{in("there"), in("hard")}, {in("pipe"), ""}, {"", in("pipe")}, {"", "/dev/null"}, {"", dir},
		{in("list"), ""}, {"", in("folder/list")}, {"", in("root-link")},
	} {
		args := []string{"verify", "images", "--file", in("list"), "--trusted-root", in("root.json"), "--offline"}
		if pair[0] != "" {
			args = append(args, "--lock", pair[0])
		}
		if pair[1] != "" {
			args = append(args, "--vsa", pair[1])
		}
		if out, words, exit := runIn(t, dir, args...); exit != exitUsage {
			t.Errorf("%q: status %d\n%s%s", pair, exit, out, words)
		}
	}
	if out, words, exit := runIn(t, dir, "verify", "--lock", "list", "--vsa", in("list"), "--offline"); exit != exitUsage {
		t.Errorf("a lock that is read: status %d\n%s%s", exit, out, words)
	}
	for _, args := range [][]string{
		{"release", "1.4.0", "--dir", "folder", "--vsa", "list"}, {"release", "1.4.0", "--dir", dir, "--lock", "folder/list"},
		{"image", "oci-layout:folder", "--vsa", "list"}, {"image", "oci-layout:folder:1.4.0", "--vsa", "list"}, {"chart", "./there:1", "--vsa", "hard"},
		{"image", "oci-layout:folder@sha256:" + strings.Repeat("a", 64), "--lock", "new"}, {"images", "-f", "list", "--vsa", "list"},
	} {
		if out, words, exit := runIn(t, dir, append(append([]string{"verify"}, args...), "--offline")...); exit != exitUsage {
			t.Errorf("%q: status %d\n%s%s", args, exit, out, words)
		}
	}
	for _, name := range []string{"list", "root.json", "there"} {
		if text, err := os.ReadFile(in(name)); err != nil || string(text) != "what was there" {
			t.Errorf("%s: %v %s", name, err, text)
		}
	}
}

// summary is how a summary of kora's begins.
const summary = `{"predicateType":"https://slsa.dev/verification_summary/v1","predicate":{"verifier":{"id":"https://github.com/runkora/kora/verify"},"verificationResult":"PASSED"}}` + "\n"

// R49: --vsa takes nothing away that is no summary of kora's, and nothing at all
// where the flags are wrong.
func TestSummariesTakeNothingElseAway(t *testing.T) {
	dir := t.TempDir()
	if err := writeRelease(sigstoretest.New(t), dir); err != nil {
		t.Fatal(err)
	}
	file := []string{"file", "kora-1.4.0.tgz", "--offline", "--trusted-root", "trusted_root.json"}
	image := []string{"image", "127.0.0.1:1/kora:1", "--offline", "--trusted-root", "trusted_root.json"}
	for _, c := range []struct {
		text string
		exit int
		kept bool
		args []string
	}{
		{"somebody's notes\n", exitUsage, true, file},
		{"somebody's notes\n", exitUsage, true, image},
		{"somebody's notes\n", exitUsage, true, []string{"release", "1.4.0", "--offline"}},
		{`{"predicateType":"https://slsa.dev/verification_summary/v1","predicate":{"verifier":{"id":"https://example.com"}}}`, exitUsage, true, file},
		{strings.Replace(summary, "summary/v1", "other/v1", 1), exitUsage, true, file},
		{" " + strings.Repeat("x", 2<<20), exitUsage, true, file},
		{summary, exitRefused, true, append(file, "--certificate-identity-regexp", "(")},
		{summary, exitRefused, true, append(image, "--certificate-identity-regexp", "(")},
		{summary, exitRefused, true, []string{"release", "1.4.0", "--offline", "--certificate-identity-regexp", "("}},
		{summary, exitUsage, true, append(file, "-o", "yaml")},
		{summary, exitDone, false, file},
		{"", exitDone, false, file},
		{summary, exitUnchecked, false, image},
	} {
		if err := os.WriteFile(filepath.Join(dir, "vsa"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, words, exit := runIn(t, dir, append(append([]string{"verify"}, c.args...), "--vsa", "vsa")...)
		text, err := os.ReadFile(filepath.Join(dir, "vsa"))
		if kept := err == nil && string(text) == c.text; exit != c.exit || kept != c.kept {
			t.Errorf("%.40q %v: status %d, kept %v\n%s%s", c.text, c.args, exit, kept, out, words)
		}
	}
}

// R49: a summary that says PASSED does not outlast a run that could not check,
// whatever it could not, nor does one behind a link.
func TestOldSummariesGo(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"image", "127.0.0.1:1/kora:1", "--offline", "--trusted-root", "none"}, {"image", "127.0.0.1:1/kora:1", "--offline", "--key", "none"},
		{"file", "none", "--offline", "--trusted-root", "none"}, {"provenance", "oci://127.0.0.1:1/kora:1", "--offline", "--trusted-root", "none"},
		{"images", "--file", "none"}, {"images", "--set", "x=1", "--chart", "none"}, {"release", "1.4.0", "--offline"}, {"--lock", "none"},
	} {
		for _, vsa := range []string{"real", "link"} {
			if err := os.WriteFile(filepath.Join(dir, "real"), []byte(summary), 0o600); err != nil {
				t.Fatal(err)
			}
			out, words, exit := runIn(t, dir, append([]string{"verify", "--vsa", vsa}, args...)...)
			if _, err := os.Stat(filepath.Join(dir, "real")); exit == exitDone || exit == exitUsage || !os.IsNotExist(err) {
				t.Errorf("%v: status %d, %v\n%s%s", args, exit, err, out, words)
			}
		}
	}
}

// R49: that nobody reads the words of a refusal makes it no less one, and what
// is refused stays so where the report cannot be written.
func TestARefusalThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if err := writeRelease(sigstoretest.New(t), dir); err != nil {
		t.Fatal(err)
	}
	verify := "kora verify file kora-1.4.0.tgz --trusted-root trusted_root.json --offline --bundle "
	for command, want := range map[string]int{
		verify + "fork.sigstore.json 2>/dev/full": exitRefused, verify + "fork.sigstore.json >/dev/full": exitRefused,
		verify + "fork.sigstore.json -o json >/dev/full": exitRefused, verify + "none 2>/dev/full": exitUnchecked,
		verify + "kora-1.4.0.tgz.sigstore.json >/dev/full": exitUnchecked, verify + "kora-1.4.0.tgz.sigstore.json 2>/dev/full": exitDone,
		"kora verify images --file none --vsa none/vsa 2>/dev/full":            exitUnchecked,
		"echo kora >list; kora verify images --file list --vsa no/vsa":         exitRefused,
		"kora verify file cosign.pub --offline --trusted-root none >/dev/full": exitUnchecked,
	} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Dir = dir
		text, _ := cmd.CombinedOutput() // the status is looked at
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: status %d, and not %d\n%s", command, got, want, text)
		}
	}
}

// R49: ^C ends a run that reads a list from a standard input that stays open.
// The list is longer than a pipe holds: when it is written, it is being read.
func TestVerifyInterruptedWhileItReads(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), "kora", "verify", "images", "--file", "-", "--offline", "-o", "json")
		var out, words strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &words
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintln(stdin, "#"+strings.Repeat("x", 200_000)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the status is looked at
		var r verify.Report
		if err := json.Unmarshal([]byte(out.String()), &r); err != nil || r.Unchecked != 1 || r.Refused != 0 {
			t.Errorf("%v: %v\n%s", signal, err, out.String())
		}
		if cmd.ProcessState.ExitCode() != exitUnchecked || !strings.Contains(words.String(), "interrupted") {
			t.Errorf("%v: status %d\n%s", signal, cmd.ProcessState.ExitCode(), words.String())
		}
	}
}

// R49: what waits for something that looks at no context holds nobody up.
func TestAStuckRunIsLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	err := interruptible(func(cmd *cobra.Command, _ []string) error {
		cancel()
		select {}
	})(cmd, nil)
	if exitStatus(err) != exitUnchecked || !strings.Contains(err.Error(), "interrupted") {
		t.Error(err)
	}
}

// runIn is kora in a directory, without a network.
func runIn(t *testing.T, dir string, args ...string) (out, words string, exit int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "kora", args...)
	home := t.TempDir()
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "HTTPS_PROXY=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1")
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the status is looked at
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}
