package values

import (
	"path"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
)

// Agent names the agent type to make settings for (R2). An empty TypeID is the
// one that a preview gives it.
type Agent struct{ Slug, TypeID, Namespace string }

// Settings returns the settings of an agent type under these values, for kora's
// given version, and the faults of its names (R2 to R5, R7, R10, R21, R28). A
// value that Check refuses is left at its default.
func (t *Tree) Settings(version string, a Agent) (agents.Settings, faults.List) {
	if a.TypeID == "" {
		a.TypeID = agents.DefaultTypeID(a.Slug)
	}
	s := agents.Defaults(version)
	s.Slug, s.TypeID, s.Namespace = a.Slug, a.TypeID, a.Namespace
	s.Images = t.images(s.Images, version)
	s.PullSecrets = t.secretNames()
	t.workloads(&s)
	t.workspace(&s.Workspace)
	s.SandboxSize, s.Sidecars = t.sandboxSize(), t.sidecars()
	s.SandboxMount = t.value("sandboxMount", "enabled").isTrue()
	t.telemetry(&s.Telemetry)
	return s, a.check()
}

// images follow the registry and tag of the release, unless one is named (R21).
func (t *Tree) images(standard agents.Images, version string) agents.Images {
	registry, tag := t.value("global", "imageRegistry").text(), t.value("global", "imageTag").text()
	if registry == "" {
		registry = path.Dir(standard.Sandbox)
	}
	if tag == "" {
		tag = version
	}
	named := t.value("agents", "config")
	return agents.Images{
		SessionManager: or(named.child("sessionManagerImage").text(), registry+"/kora-session-manager:"+tag),
		Sandbox:        or(named.child("sandboxImage").text(), registry+"/kora-sandbox-base:"+tag),
	}
}

func or(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

// workloads lays each workload's block over the common one (R4, R5).
func (t *Tree) workloads(s *agents.Settings) {
	block := t.value("agents", "workloads")
	common := block.child("common").workload()
	s.SessionManager = agents.MergeWorkload(common, block.child("sessionManager").workload())
	s.Sandbox = agents.MergeWorkload(common, block.child("sandbox").workload())
	annotations := struct {
		Annotations map[string]string `json:"annotations"`
	}{}
	if block.child("sessionManager", "serviceAccount").decode(&annotations) {
		s.ServiceAccountAnnotations = annotations.Annotations
	}
}

func (v value) workload() agents.Workload {
	var w Workload
	if !v.decode(&w) {
		return agents.Workload{}
	}
	return agents.Workload(w)
}

// decode reads a map into a struct of the API's types; false, and the struct
// untouched, where it does not fit.
func (v value) decode(into any) bool {
	if v.node == nil || v.node.Kind != source.Mapping {
		return false
	}
	return runtime.DefaultUnstructuredConverter.FromUnstructured(v.node.Any().(map[string]any), into) == nil
}

func (t *Tree) workspace(w *agents.Workspace) {
	block := t.value("agents", "workspace")
	if name := block.child("storageClassName").text(); name != "" {
		w.StorageClassName = &name
	}
	if modes := block.child("accessModes").texts(); len(modes) > 0 {
		w.AccessModes = nil
		for _, mode := range modes {
			w.AccessModes = append(w.AccessModes, corev1.PersistentVolumeAccessMode(mode))
		}
	}
	w.Size = block.child("size").positiveOr(w.Size)
}

// sandboxSize is the default size of an environment (R10).
func (t *Tree) sandboxSize() agents.Size {
	size, block := agents.Defaults("").SandboxSize, t.value("agents", "environments", "defaultSize")
	return agents.Size{
		CPU:    block.child("cpu").positiveOr(size.CPU),
		Memory: block.child("memory").positiveOr(size.Memory),
		Disk:   block.child("disk").positiveOr(size.Disk),
	}
}

// sidecars is what injection adds to a sandbox pod (R10).
func (t *Tree) sidecars() agents.Sidecars {
	size, block := agents.Defaults("").Sidecars, t.value("operator", "injection", "sandboxSidecars")
	return agents.Sidecars{
		CPU:    block.child("cpu").positiveOr(size.CPU),
		Memory: block.child("memory").positiveOr(size.Memory),
	}
}

func (t *Tree) telemetry(out *agents.Telemetry) {
	block := t.value("global", "observability")
	out.OTLPEndpoint = block.child("otlpEndpoint").text()
	out.SamplingRate = or(block.child("samplingRate").samplingRate(), out.SamplingRate)
}
