package agents

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// defaultRegistry is the default of global.imageRegistry (R21).
const defaultRegistry = "ghcr.io/runkora"

// Defaults returns the settings of an install that sets nothing, for kora's given
// version ("1.4.0"): everything but Slug, TypeID and Namespace.
func Defaults(version string) Settings {
	return Settings{
		Images: Images{
			SessionManager: defaultRegistry + "/kora-session-manager:" + version,
			Sandbox:        defaultRegistry + "/kora-sandbox-base:" + version,
		},
		Workspace:   defaultWorkspace(),
		SandboxSize: defaultSize(),
		Sidecars:    defaultSidecars(),
		Telemetry:   Telemetry{SamplingRate: "1.0"},
	}
}

// DefaultTypeID is the type id of an agent type that only a preview knows (R2).
func DefaultTypeID(slug string) string { return "render-" + slug }

// defaultWorkspace is one 10Gi ReadWriteOnce volume of the default class (R7).
func defaultWorkspace() Workspace {
	return Workspace{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Size:        resource.MustParse("10Gi"),
	}
}

// defaultSize is agents.environments.defaultSize (R10).
func defaultSize() Size {
	return Size{
		CPU:    resource.MustParse("2"),
		Memory: resource.MustParse("4Gi"),
		Disk:   resource.MustParse("10Gi"),
	}
}

// defaultSidecars is operator.injection.sandboxSidecars (R10).
func defaultSidecars() Sidecars {
	return Sidecars{
		CPU:    resource.MustParse("900m"),
		Memory: resource.MustParse("320Mi"),
	}
}
