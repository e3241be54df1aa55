package patches

import "testing"

// R2: what the API server would refuse is refused with its place. That the
// server does is proved in cluster_test.go.
func TestPatchThatTheServerWouldRefuseIsRefused(t *testing.T) {
	refusedArchive(t, "unsound.txtar", 180)
}
