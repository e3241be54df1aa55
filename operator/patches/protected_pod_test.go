package patches

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

var podFields = []string{
	"hostNetwork", "hostPID", "hostIPC", "hostUsers", "shareProcessNamespace", "os",
	"serviceAccountName", "serviceAccount", "automountServiceAccountToken", "ephemeralContainers",
}

func (j *inspector) pod(at string, before, after any) {
	a, b := dig(before, at), dig(after, at)
	j.equal(a, b, podFields...)
	contextA, contextB := less(dig(a, "securityContext"), "fsGroup", "fsGroupChangePolicy"), less(dig(b, "securityContext"), "fsGroup", "fsGroupChangePolicy")
	if group := fmt.Sprint(dig(b, "securityContext.fsGroup")); group == "0" || group == "1337" {
		j.report("%s: the group %s, which is root's or the mesh's", at, group)
	}
	if !reflect.DeepEqual(bare(contextA), bare(contextB)) {
		j.report("%s.securityContext: %v became %v", at, contextA, contextB)
	}
	for _, list := range []string{"containers", "initContainers"} {
		j.kept(at+"."+list, items(a, list), items(b, list))
		for _, c := range items(b, list) {
			j.restricted(at+"."+list, c)
		}
	}
	j.volumes(at+".volumes", items(a, "volumes"), items(b, "volumes"))
	if dig(a, "affinity.podAffinity") != nil {
		j.pinned(at, a, b)
	}
	j.equal(a, b, "nodeName")
	if class, _ := dig(b, "priorityClassName").(string); strings.HasPrefix(class, "system-") {
		j.report("%s.priorityClassName: %s", at, class)
	}
}

// networks: R14, no plugin of a node gives a pod of an agent more than its own.
func (j *inspector) networks(at string, after any) {
	all, _ := dig(after, at).(map[string]any)
	for key := range all {
		switch domain, name, _ := strings.Cut(strings.ToLower(key), "/"); {
		case domain == "k8s.v1.cni.cncf.io" && name == "networks", domain == "v1.multus-cni.io" && name == "default-network",
			domain == "cni.projectcalico.org" && (strings.HasPrefix(name, "ip") || name == "floatingips" || name == "hwaddr" || name == "allowedsourceprefixes"):
			j.report("%s: %s", at, key)
		}
	}
}

func items(v any, list string) []any {
	out, _ := dig(v, list).([]any)
	return out
}

func byName(list []any, name any) []any {
	return slices.DeleteFunc(slices.Clone(list), func(v any) bool { return dig(v, "name") != name })
}

// kept: what kora built is there once, as secure as it was, and mounts the
// workspace as it did.
func (j *inspector) kept(at string, before, after []any) {
	for _, was := range before {
		now := byName(after, dig(was, "name"))
		if len(now) != 1 {
			j.report("%s: %d of %v", at, len(now), dig(was, "name"))
			continue
		}
		j.equal(was, now[0], "securityContext", "volumeDevices")
		if file, _ := dig(now[0], "terminationMessagePath").(string); file != "" && shadows(file, now[0]) {
			j.report("%s: terminationMessagePath %s", at, file)
		}
		for _, m := range items(was, "volumeMounts") {
			if at, _ := dig(m, "mountPath").(string); !covered(at, items(now[0], "volumeMounts")) {
				j.report("%s: nothing is mounted at %s", at, at)
			}
		}
		mountsA, mountsB := slices.DeleteFunc(slices.Clone(items(was, "volumeMounts")), untouching), slices.DeleteFunc(slices.Clone(items(now[0], "volumeMounts")), untouching)
		if !reflect.DeepEqual(bare(mountsA), bare(mountsB)) {
			j.report("%s: the workspace's mount %v became %v", at, mountsA, mountsB)
		}
	}
}

// covered: a writable volume is mounted at a path or above it.
func covered(p string, mounts []any) bool {
	return slices.ContainsFunc(mounts, func(m any) bool {
		at, _ := dig(m, "mountPath").(string)
		return dig(m, "readOnly") != true && strings.HasPrefix(p+"/", strings.TrimSuffix(at, "/")+"/")
	})
}

// shadows: what the kubelet mounts there is a file of the node.
func shadows(file string, c any) bool {
	if touches(map[string]any{"mountPath": file}) {
		return true
	}
	return slices.ContainsFunc(items(c, "volumeMounts"), func(m any) bool {
		at, _ := dig(m, "mountPath").(string)
		return at == file || strings.HasPrefix(at, file+"/")
	})
}

func untouching(mount any) bool { return !touches(mount) }

// restricted: a container stands on its own feet.
func (j *inspector) restricted(at string, c any) {
	s := dig(c, "securityContext")
	caps, _ := dig(s, "capabilities.add").([]any)
	drop, _ := dig(s, "capabilities.drop").([]any)
	seccomp := dig(s, "seccompProfile.type")
	bad := map[string]bool{
		"escalates":    dig(s, "allowPrivilegeEscalation") != false,
		"privileged":   dig(s, "privileged") == true,
		"root":         dig(s, "runAsNonRoot") != true || dig(s, "runAsUser") == int64(0),
		"mesh user":    dig(s, "runAsUser") == int64(1337) || dig(s, "runAsGroup") == int64(1337),
		"capabilities": !slices.Contains(drop, any("ALL")) || slices.ContainsFunc(caps, func(v any) bool { return v != "NET_BIND_SERVICE" }),
		"seccomp":      seccomp != "RuntimeDefault" && seccomp != "Localhost",
		"label":        bare(dig(s, "seLinuxOptions")) != nil || bare(dig(s, "windowsOptions")) != nil,
		"root's group": dig(s, "runAsGroup") == int64(0),
		"procMount":    bare(dig(s, "procMount")) != nil && dig(s, "procMount") != "Default",
		"AppArmor":     dig(s, "appArmorProfile.type") == "Unconfined",
		"host process": dig(s, "windowsOptions.hostProcess") == true,
		"name":         reserved(dig(c, "name")),
	}
	for _, p := range items(c, "ports") {
		bad["host port"] = bad["host port"] || dig(p, "hostPort") != nil && dig(p, "hostPort") != int64(0)
	}
	for what, is := range bad {
		if is {
			j.report("%s: %v: %s: %v", at, dig(c, "name"), what, s)
		}
	}
}

func reserved(name any) bool {
	s, _ := name.(string)
	return strings.HasPrefix(s, "istio-") || strings.HasPrefix(s, "kora-") || slices.Contains([]string{"istiod-ca-cert", "workload-socket", "workload-certs", "credential-socket"}, s)
}

var volumeKinds = []string{"name", "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected", "secret"}

func (j *inspector) volumes(at string, before, after []any) {
	if a, b := byName(before, "workspace"), byName(after, "workspace"); !reflect.DeepEqual(bare(a), bare(b)) {
		j.report("%s: the workspace %v became %v", at, a, b)
	}
	for _, v := range after {
		claim, _ := dig(v, "persistentVolumeClaim.claimName").(string)
		driver, _ := dig(v, "csi.driver").(string)
		clone := dig(v, "ephemeral.volumeClaimTemplate.spec")
		switch {
		case len(bareMap(less(v, volumeKinds...))) > 0, strings.HasPrefix(claim, "workspace-agent-") && dig(v, "name") != "workspace",
			strings.HasSuffix(driver, "spiffe.io"), reserved(dig(v, "name")),
			bare(dig(clone, "volumeName")) != nil, bare(dig(clone, "selector")) != nil, bare(dig(clone, "dataSource")) != nil, bare(dig(clone, "dataSourceRef")) != nil:
			j.report("%s: %v", at, v)
		}
		for _, source := range items(v, "projected.sources") {
			if dig(source, "serviceAccountToken") != nil || dig(source, "podCertificate") != nil {
				j.report("%s: %v", at, source)
			}
		}
	}
}

func bareMap(m map[string]any) map[string]any {
	out, _ := bare(m).(map[string]any)
	return out
}

// pinned: R8, the sandbox stays with the replica whose workspace it mounts.
func (j *inspector) pinned(at string, before, after any) {
	const terms = "affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution"
	now := items(after, terms)
	for _, pin := range items(before, terms) {
		if !slices.ContainsFunc(now, func(v any) bool { return reflect.DeepEqual(bare(v), bare(pin)) }) {
			j.report("%s: the pin is gone: %v", at, now)
		}
	}
	if bare(dig(after, "nodeName")) != nil {
		j.report("%s: nodeName %v", at, dig(after, "nodeName"))
	}
}
