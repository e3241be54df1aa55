package injection

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/agents"
)

// What to do about an id that no container has, by where it stands.
var (
	mendOwn    = fmt.Sprintf("leave it out: the pod runs as %d", koraID)
	mendPod    = fmt.Sprintf("write %d", koraID)
	mendShared = fmt.Sprintf("write %d, or leave it out", koraID)
)

// runs judges as whom a pod runs: every container without a user or a group of its own
// has the pod's, and all have its other groups besides, so that what no container may
// have the pod may not have either (R6, R54).
//
// Where nothing says the group, the image does, or it is root's. fsGroup is the
// cluster's to choose (R14), but for what no container has.
func runs(at *field.Path, s *corev1.PodSecurityContext) field.ErrorList {
	if s == nil {
		s = &corev1.PodSecurityContext{}
	}
	faults := exactly(at.Child("runAsUser"), s.RunAsUser)
	faults = append(faults, exactly(at.Child("runAsGroup"), s.RunAsGroup)...)
	faults = append(faults, group(at.Child("fsGroup"), s.FSGroup, mendShared)...)
	for n := range s.SupplementalGroups {
		faults = append(faults, group(at.Child("supplementalGroups").Index(n), &s.SupplementalGroups[n], "remove it")...)
	}
	return faults
}

// exactly refuses every id of a pod but kora's.
func exactly(at *field.Path, id *int64) field.ErrorList {
	if id == nil {
		return field.ErrorList{bad(at, "", "must be %d", koraID)}
	}
	if faults := notMesh(at, id, mendPod); len(faults) > 0 || *id == koraID {
		return faults
	}
	return field.ErrorList{bad(at, fmt.Sprint(*id), "must be %d, since each container without its own has it", koraID)}
}

// group refuses the groups that no container of an agent's pod is in, but the mesh's.
func group(at *field.Path, id *int64, mend string) field.ErrorList {
	if id == nil || agents.ForbiddenGroup(*id) == "" {
		return nil
	}
	return field.ErrorList{bad(at, fmt.Sprint(*id), "%s; %s", agents.ForbiddenGroup(*id), mend)}
}

func notMesh(at *field.Path, id *int64, mend string) field.ErrorList {
	if id == nil || *id != meshID {
		return nil
	}
	return group(at, id, mend)
}
