package injection

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// statusKey is where Istio's injector writes what it added, each time anew. A
// container under one of its names that was there before stands in the annotation
// proxy.istio.io/overrides as well, which is refused.
const statusKey = "sidecar.istio.io/status"

// status is which containers Istio's injector says that it added. It is asked once
// for each container, and is as long as whoever made the pod likes.
type status sets.Set[string]

func meshStatus(pod *corev1.Pod) status {
	var said struct{ InitContainers, Containers []string }
	if json.Unmarshal([]byte(pod.Annotations[statusKey]), &said) != nil {
		return nil
	}
	return status(sets.New(said.InitContainers...).Insert(said.Containers...))
}

func (s status) names(container string) bool { return sets.Set[string](s).Has(container) }

// meshContainer reports whether a name is one of those that Istio injects.
func meshContainer(name string) bool {
	return name == meshProxy || name == "istio-init" || name == "istio-validation"
}

// mesh judges a container under a name of Istio's: it stands where Istio puts it,
// was put there by Istio's injector, and mounts nothing of kora's. The rest is
// Istio's own affair, and Pod Security's.
func (c contained) mesh(at *field.Path, injected status) field.ErrorList {
	var faults field.ErrorList
	stays := c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
	place := c.list == "initContainers" && stays == (c.Name == meshProxy) || c.list == "containers" && c.Name == meshProxy
	switch {
	case !place:
		faults = append(faults, bad(at.Child("name"), c.Name, "is a container of the mesh where the mesh's injector puts none; rename it"))
	case !injected.names(c.Name):
		faults = append(faults, bad(at.Child("name"), c.Name, "is a container of the mesh that the mesh's injector did not add, by its annotation %s; rename it", statusKey))
	}
	for n, mount := range c.VolumeMounts {
		if koras(mount.Name) {
			faults = append(faults, bad(at.Child("volumeMounts").Index(n).Child("name"), mount.Name, "is a volume of kora's sidecar, which the mesh's never mount; remove the mount"))
		}
	}
	return faults
}
