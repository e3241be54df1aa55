package release

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/runkora/kora/verify/evidence"
)

// R46: of one bundle no more is read than a bundle may have, so that a run holds
// little whatever lies beside its files; what is longer could not be checked.
func TestEvidenceIsReadToItsLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, evidence.MaxLines+1); err != nil {
		t.Fatal(err)
	}
	raw, err := ReadEvidence(path, evidence.OneBundle)
	if err != nil || len(raw.Bytes) != evidence.MaxBundle+1 {
		t.Errorf("%d bytes, %v", len(raw.Bytes), err)
	}
	if _, bad := raw.Parse(); len(bad) != 1 || !errors.As(bad[0].Err, new(evidence.LimitError)) {
		t.Errorf("no fault of a limit: %v", bad)
	}
	if _, err := ReadEvidence(path, evidence.Lines); err == nil {
		t.Error("lines without end are read")
	}
}

// R47: all files of a release share one reading of their provenance.
func TestProvenanceIsReadOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kora-1.4.0.intoto.jsonl")
	if err := os.WriteFile(path, []byte("junk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := &lines{at: map[string]func() (evidence.Raw, error){}}
	first, err := l.read(path)
	if err != nil || os.Remove(path) != nil {
		t.Fatal(err)
	}
	_, want := first.Parse()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			again, err := l.read(path)
			if _, got := again.Parse(); err != nil || len(got) != 1 || &got[0] != &want[0] {
				t.Errorf("%v %v", got, err)
			}
		})
	}
	all.Wait()
}
