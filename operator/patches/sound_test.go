package patches

import "testing"

// R2: what the API server would refuse is refused with its place. That the
// server does is proved in cluster_test.go.
func TestPatchThatTheServerWouldRefuseIsRefused(t *testing.T) {
	refusedArchive(t, "unsound.txtar", 180)
}

// R2, R10: a pod that as a whole is given less than its containers request with the sidecars
// is refused at the line that gives it. That the API server refuses each is proved beside
// the injector.
func TestAPodWithoutRoomForItsSidecarsIsRefused(t *testing.T) {
	refusedArchive(t, "crowded.txtar", 4)
}
