package patches

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// R2: what the API server would refuse is refused with its place. That the
// server does is proved in cluster_test.go.
func TestPatchThatTheServerWouldRefuseIsRefused(t *testing.T) {
	a := archive(t, "unsound.txtar")
	for i, file := range a.Files {
		t.Run(strings.TrimSuffix(file.Name, ".yaml"), func(t *testing.T) {
			found := judgeFile(t, file)
			want, rest, _ := strings.Cut(string(file.Data), "\n")
			if *update && found.Refused() {
				a.Files[i].Data = []byte(said(most(found)) + "\n" + rest)
				return
			}
			checkRefusal(t, file.Name, want, found)
			if len(found) > 1 {
				t.Logf("%d faults: %v", len(found), found)
			}
		})
	}
	if *update {
		if err := os.WriteFile("testdata/unsound.txtar", txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
