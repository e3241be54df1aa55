package testcluster

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// dead makes what a cluster leaves whose processes were all killed.
func dead(t *testing.T, dir string) string {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := own(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSweepRemovesWhatNobodyHoldsOnceItIsOld(t *testing.T) {
	temp := t.TempDir()
	dead(t, filepath.Join(temp, prefix+"1"))
	held := filepath.Join(temp, prefix+"2")
	must(t, os.Mkdir(held, 0o700))
	lock, err := own(held)
	must(t, err)
	defer lock.Close()
	if sweep(temp, time.Now().Add(-time.Hour)); len(folders(t, temp)) != 2 {
		t.Errorf("of two fresh folders %v are left", folders(t, temp))
	}
	sweep(temp, time.Now().Add(time.Hour))
	if left := folders(t, temp); !slices.Equal(left, []string{held}) {
		t.Errorf("left are %v, want only the one that is held", left)
	}
}

// Each of these looks like a dead cluster's folder and is somebody's.
func TestSweepLeavesWhatIsNotProvablyAClusters(t *testing.T) {
	for name, lookalike := range map[string]func(t *testing.T, dir string){
		"empty":       func(t *testing.T, dir string) { must(t, os.Mkdir(dir, 0o700)) },
		"lock of old": func(t *testing.T, dir string) { must(t, os.Mkdir(dir, 0o700)); write(t, dir, "lock", "") },
		"empty lock":  func(t *testing.T, dir string) { must(t, os.Mkdir(dir, 0o700)); write(t, dir, lockName, "") },
		"other mode":  func(t *testing.T, dir string) { must(t, os.Chmod(dead(t, dir), 0o755)) },
		"open lock":   func(t *testing.T, dir string) { must(t, os.Chmod(filepath.Join(dead(t, dir), lockName), 0o644)) },
		"symlink":     func(t *testing.T, dir string) { must(t, os.Symlink(dead(t, filepath.Join(t.TempDir(), "own")), dir)) },
		"copy":        copied,
		"linked lock": linked,
	} {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			lookalike(t, filepath.Join(temp, prefix+"1"))
			sweep(temp, time.Now().Add(time.Hour))
			if len(folders(t, temp)) != 1 {
				t.Error("removed")
			}
		})
	}
}

func TestSweepLeavesOtherNames(t *testing.T) {
	temp := t.TempDir()
	for _, name := range []string{prefix + "notes", prefix, prefix + "1.old", "my-" + prefix + "1"} {
		dead(t, filepath.Join(temp, name))
	}
	sweep(temp, time.Now().Add(time.Hour))
	if left, err := os.ReadDir(temp); err != nil || len(left) != 4 {
		t.Errorf("left are %v: %v", left, err)
	}
}

func TestSweepReadsAPathWithGlobCharacters(t *testing.T) {
	temp := filepath.Join(t.TempDir(), "a[b]*?")
	must(t, os.Mkdir(temp, 0o700))
	dead(t, filepath.Join(temp, prefix+"1"))
	sweep(temp, time.Now().Add(time.Hour))
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left are %v: %v", left, err)
	}
}

func TestKilledReaperIsNoFailure(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	h, err := newHome()
	must(t, err)
	must(t, h.reaper.Process.Kill())
	word, err := h.remove()
	if err != nil || word == "" || len(folders(t, os.TempDir())) > 0 {
		t.Errorf("%q, %v, left %v", word, err, folders(t, os.TempDir()))
	}
}

func TestRelativeTemporaryFolderIsMadeAbsolute(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("tmp", 0o700))
	t.Setenv("TMPDIR", "tmp")
	h, err := newHome()
	must(t, err)
	if !filepath.IsAbs(h.dir) {
		t.Errorf("the folder is %s", h.dir)
	}
	if _, err := h.remove(); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

func copied(t *testing.T, dir string) {
	text, err := os.ReadFile(filepath.Join(dead(t, filepath.Join(t.TempDir(), "own")), lockName))
	must(t, err)
	must(t, os.Mkdir(dir, 0o700))
	write(t, dir, lockName, string(text))
}

func linked(t *testing.T, dir string) {
	own := filepath.Join(dead(t, dir), lockName)
	elsewhere := filepath.Join(t.TempDir(), "lock")
	must(t, os.Rename(own, elsewhere))
	must(t, os.Symlink(elsewhere, own))
}
