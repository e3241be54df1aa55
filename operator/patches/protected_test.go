package patches

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
)

// What follows says R14 a second time, by hand, on plain maps, and shares
// nothing with the guard: no table, no comparison, no type. What both miss is
// missed; what one alone sees is a bug of the other.

// tampered returns what was done to an object that may not be done to it, as
// far as before and after tell.
func tampered(kind string, before, after map[string]any) []string {
	j := &inspector{}
	j.equal(before, after, "apiVersion", "kind")
	j.metadata("metadata", before, after)
	j.equal(before, after, protectedOf[kind]...)
	switch kind {
	case "StatefulSet":
		j.metadata("spec.template.metadata", before, after)
		j.pod("spec.template.spec", before, after)
		j.networks("spec.template.metadata.annotations", after)
		j.secrets("spec.template.spec", dig(after, "spec.template.spec"))
	case "Pod":
		j.pod("spec", before, after)
		j.networks("metadata.annotations", after)
		j.secrets("spec", dig(after, "spec"))
		j.nobody(after)
	case "PersistentVolumeClaim":
		j.claim(after)
	}
	return j.seen
}

var protectedOf = map[string][]string{
	"StatefulSet":             {"spec.selector", "spec.serviceName", "spec.volumeClaimTemplates", "spec.ordinals"},
	"Service":                 {"spec.selector", "spec.type", "spec.clusterIP", "spec.clusterIPs", "spec.externalName", "spec.externalIPs"},
	"ServiceAccount":          {"automountServiceAccountToken"},
	"HorizontalPodAutoscaler": {"spec.scaleTargetRef"},
	"PodDisruptionBudget":     {"spec.selector"},
	"PersistentVolumeClaim":   {"spec.volumeName", "spec.dataSource", "spec.dataSourceRef", "spec.selector", "spec.volumeMode"},
}

type inspector struct{ seen []string }

func (j *inspector) report(format string, args ...any) {
	j.seen = append(j.seen, fmt.Sprintf(format, args...))
}

func (j *inspector) equal(before, after any, paths ...string) {
	for _, p := range paths {
		if a, b := bare(dig(before, p)), bare(dig(after, p)); !reflect.DeepEqual(a, b) {
			j.report("%s: %v became %v", p, a, b)
		}
	}
}

// secrets: whatever names a Secret anywhere in a pod names none of the operator's.
func (j *inspector) secrets(at string, v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			j.secrets(at, item)
		}
	case map[string]any:
		for key, item := range v {
			name, _ := item.(string)
			if m, is := item.(map[string]any); is {
				name, _ = m["name"].(string)
			}
			if strings.Contains(strings.ToLower(key), "secret") && (name == "kora-tenant-ca" || name == "kora-egress-ca" || strings.HasPrefix(name, "kora-operator-")) {
				j.report("%s.%s: the Secret %s", at, key, name)
			}
			if key != "volumeAttributes" { // a driver's own words
				j.secrets(at+"."+key, item)
			}
		}
	}
}

// dig follows a dotted path, nil where it leads nowhere.
func dig(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// bare leaves out what is null or empty, which is written or not as one likes.
func bare(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, item := range v {
			if item = bare(item); item != nil {
				out[k] = item
			}
		}
		if len(out) > 0 {
			return out
		}
		return nil
	case []any:
		var out []any
		for _, item := range v {
			out = append(out, bare(item))
		}
		if len(out) > 0 {
			return out
		}
		return nil
	case string:
		if v == "" {
			return nil
		}
	case bool:
		return v
	}
	return v
}

func less(v any, names ...string) map[string]any {
	out := map[string]any{}
	m, _ := v.(map[string]any)
	for k, item := range m {
		if !slices.Contains(names, k) {
			out[k] = item
		}
	}
	return out
}

func (j *inspector) metadata(at string, before, after any) {
	a, b := dig(before, at), dig(after, at)
	if x, y := bare(less(a, "labels", "annotations")), bare(less(b, "labels", "annotations")); !reflect.DeepEqual(x, y) {
		j.report("%s: %v became %v", at, x, y)
	}
	for _, of := range []string{"labels", "annotations"} {
		x, _ := dig(a, of).(map[string]any)
		y, _ := dig(b, of).(map[string]any)
		for _, key := range append(keysOf(x), keysOf(y)...) {
			if platformKey(key) && x[key] != y[key] {
				j.report("%s.%s.%s: %v became %v", at, of, key, x[key], y[key])
			}
		}
	}
}

func keysOf(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

func platformKey(key string) bool {
	key = strings.ToLower(key)
	domain, _, _ := strings.Cut(key, "/")
	for _, d := range []string{"runkora.io", "istio.io", "spiffe.io"} {
		if domain == d || strings.HasSuffix(domain, "."+d) {
			return strings.Contains(key, "/")
		}
	}
	switch {
	case strings.HasPrefix(key, "app.kubernetes.io/"):
		return slices.Contains([]string{"name", "instance", "managed-by", "part-of"}, key[len("app.kubernetes.io/"):])
	case strings.HasPrefix(key, "statefulset.kubernetes.io/"), strings.HasPrefix(key, "container.apparmor.security.beta.kubernetes.io/"):
		return true
	}
	return key == "controller-revision-hash" || key == "seccomp.security.alpha.kubernetes.io/pod"
}

// nobody: R5, no cloud takes the sandbox for somebody; and it runs once.
func (j *inspector) nobody(after any) {
	if policy := dig(after, "spec.restartPolicy"); policy != "Never" {
		j.report("restartPolicy %v", policy)
	}
	for _, of := range []string{"labels", "annotations"} {
		m, _ := dig(after, "metadata."+of).(map[string]any)
		for key := range m {
			for _, cloud := range []string{"azure.workload.identity/", "iam.amazonaws.com/", "eks.amazonaws.com/", "iam.gke.io/", "cloud.google.com/", "aadpodidbinding"} {
				if strings.Contains(strings.ToLower(key), cloud) {
					j.report("metadata.%s.%s", of, key)
				}
			}
		}
	}
}

func (j *inspector) claim(after any) {
	modes, _ := dig(after, "spec.accessModes").([]any)
	writes := slices.Contains(modes, any("ReadWriteOnce")) || slices.Contains(modes, any("ReadWriteMany"))
	if !writes || slices.Contains(modes, any("ReadWriteOncePod")) {
		j.report("access modes %v", modes)
	}
}

// touches reports whether a mount has to do with the workspace.
func touches(mount any) bool {
	p, _ := dig(mount, "mountPath").(string)
	p = path.Clean("/" + p)
	return dig(mount, "name") == "workspace" || p == "/" || p == "/workspaces" || strings.HasPrefix(p, "/workspaces/")
}
