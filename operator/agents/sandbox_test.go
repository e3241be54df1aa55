package agents_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/agents"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func amounts(cpu, memory, disk string) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory),
		corev1.ResourceEphemeralStorage: resource.MustParse(disk),
	}
}

// R10: the container gets exactly the environment's size, and scratch its disk.
func TestSandboxContainerGetsExactlyItsSizeR10(t *testing.T) {
	sandbox := agents.Build(plain()).Sandbox
	want := corev1.ResourceRequirements{Requests: amounts("2", "4Gi", "10Gi"), Limits: amounts("2", "4Gi", "10Gi")}
	if diff := cmp.Diff(want, sandbox.Spec.Containers[0].Resources); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	limits := map[string]string{}
	for _, volume := range sandbox.Spec.Volumes {
		if volume.EmptyDir != nil {
			limits[volume.Name] = volume.EmptyDir.SizeLimit.String()
		}
	}
	if diff := cmp.Diff(map[string]string{"scratch": "10Gi", "tmp": "1Gi"}, limits); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// R10, R29: a sandbox pod in all is its size, its sidecars and 1Gi of disk.
func TestSandboxTotalAddsSidecarsAndScratchR10(t *testing.T) {
	if diff := cmp.Diff(amounts("2900m", "4416Mi", "11Gi"), agents.SandboxTotal(plain())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(amounts("3400m", "12608Mi", "20Gi"), agents.SandboxTotal(full())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// R10: home, temporary files, caches and user-level installs are node-local.
func TestSandboxWritesToScratchR10(t *testing.T) {
	container := agents.Build(plain()).Sandbox.Spec.Containers[0]
	values := map[string]string{}
	for _, variable := range container.Env {
		values[variable.Name] = variable.Value
	}
	for _, name := range []string{
		"HOME", "TMPDIR", "XDG_CACHE_HOME", "GOPATH", "GOCACHE", "GOMODCACHE",
		"npm_config_cache", "NPM_CONFIG_PREFIX", "PIP_CACHE_DIR", "PYTHONUSERBASE",
	} {
		if mount := mountOf(container, values[name]); mount.Name != "scratch" {
			t.Errorf("%s=%s is on volume %q", name, values[name], mount.Name)
		}
	}
	if values["KORA_RUN_ID"] != "sample" {
		t.Errorf("the run id is %q", values["KORA_RUN_ID"])
	}
}

// mountOf is the mount with the longest path that holds the given one.
func mountOf(c corev1.Container, path string) (mount corev1.VolumeMount) {
	for _, m := range c.VolumeMounts {
		if strings.HasPrefix(path+"/", m.MountPath+"/") && len(m.MountPath) > len(mount.MountPath) {
			mount = m
		}
	}
	return mount
}

// R10, R57: with sandboxMount the working folder is on the node's disk, at
// /workspaces/<run>/sandbox, and the session-manager lets mounts in.
func TestWorkingFolderFollowsSandboxMountR10(t *testing.T) {
	for name, want := range map[string]struct {
		folder, volume string
		propagation    *corev1.MountPropagationMode
	}{
		"plain": {folder: "/workspaces/sample", volume: "workspace"},
		"full":  {folder: "/workspaces/sample/sandbox", volume: "scratch", propagation: new(corev1.MountPropagationHostToContainer)},
	} {
		o := agents.Build(variants()[name])
		container := o.Sandbox.Spec.Containers[0]
		if container.WorkingDir != want.folder || mountOf(container, want.folder).Name != want.volume {
			t.Errorf("%s: works in %s on %s", name, container.WorkingDir, mountOf(container, container.WorkingDir).Name)
		}
		workspace := mountOf(o.StatefulSet.Spec.Template.Spec.Containers[0], "/workspaces")
		if diff := cmp.Diff(want.propagation, workspace.MountPropagation); diff != "" {
			t.Errorf("%s: propagation: -want +got:\n%s", name, diff)
		}
		if mount := mountOf(container, "/workspaces"); mount.Name != "workspace" || mount.MountPropagation != nil {
			t.Errorf("%s: the sandbox mounts %+v", name, mount)
		}
	}
}

// R28: both pods export when there is an endpoint, and know of nothing otherwise.
func TestTelemetryNeedsAnEndpointR28(t *testing.T) {
	rateless := full()
	rateless.Telemetry.SamplingRate = ""
	for name, c := range map[string]struct {
		settings agents.Settings
		want     map[string]string
	}{
		"no endpoint": {plain(), map[string]string{}},
		"full": {full(), map[string]string{
			"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel-collector.observability.svc:4317",
			"OTEL_TRACES_SAMPLER":         "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.25",
		}},
		"no rate": {rateless, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel-collector.observability.svc:4317"}},
	} {
		for component, pod := range pods(agents.Build(c.settings)) {
			got := map[string]string{}
			for _, variable := range pod.Spec.Containers[0].Env {
				if strings.HasPrefix(variable.Name, "OTEL_") {
					got[variable.Name] = variable.Value
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: %s: -want +got:\n%s", name, component, diff)
			}
		}
	}
}
