package gather

import (
	"context"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// csiDriver is the name that SPIFFE's driver registers under.
const csiDriver = "csi.spiffe.io"

// components reads SPIRE and the node components. SPIRE may live anywhere, so
// its namespaces are those of its workloads.
func (r *reader) components(ctx context.Context) (facts.Part[[]facts.DaemonSet], facts.Spire) {
	spire := facts.Spire{CSI: r.csi(ctx), IDs: r.spiffeIDs(ctx)}
	sets, err := r.typed.AppsV1().DaemonSets(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		why := unread[[]facts.DaemonSet](err)
		spire.SDS = facts.Unknown[facts.SDS](why.Missing)
		spire.Class, spire.TrustDomains = facts.Unknown[string](why.Missing), facts.Unknown[map[string]string](why.Missing)
		return why, spire
	}
	out, agents := []facts.DaemonSet{}, ""
	for i := range sets.Items {
		d := &sets.Items[i]
		role := roleOf(d.Spec.Template.Spec)
		if role == "" {
			continue
		}
		if role == facts.SpireAgent {
			agents = d.Namespace
		}
		one, err := r.daemonSet(ctx, d, role)
		if err != nil {
			return unread[[]facts.DaemonSet](err), spire
		}
		out = append(out, one)
	}
	r.spire(ctx, agents, &spire)
	return facts.Known(out), spire
}

// roleOf goes by what a pod runs: names are everybody's own.
func roleOf(spec corev1.PodSpec) facts.Role {
	for role, program := range map[facts.Role]string{facts.SpireAgent: "spire-agent", facts.SpireCSI: "spiffe-csi-driver", facts.IstioCNI: "install-cni"} {
		if runs(spec, program) {
			return role
		}
	}
	return ""
}

// runs reports whether a container's image is this program, of any registry.
func runs(spec corev1.PodSpec, program string) bool {
	return slices.ContainsFunc(spec.Containers, func(c corev1.Container) bool {
		name, _, _ := strings.Cut(c.Image, "@")
		base, _, _ := strings.Cut(name[strings.LastIndex(name, "/")+1:], ":")
		return base == program
	})
}

func (r *reader) daemonSet(ctx context.Context, d *appsv1.DaemonSet, role facts.Role) (facts.DaemonSet, error) {
	spec := d.Spec.Template.Spec
	out := facts.DaemonSet{Namespace: d.Namespace, Name: d.Name, Role: role, Tolerations: spec.Tolerations, Selector: spec.NodeSelector, Affinity: spec.Affinity, ReadyOn: []string{}}
	pods, err := r.typed.CoreV1().Pods(d.Namespace).List(ctx, metav1.ListOptions{LabelSelector: metav1.FormatLabelSelector(d.Spec.Selector)})
	if err != nil {
		return out, err
	}
	for i := range pods.Items {
		if p := &pods.Items[i]; podReady(p) && p.Spec.NodeName != "" {
			out.ReadyOn = append(out.ReadyOn, p.Spec.NodeName)
		}
	}
	slices.Sort(out.ReadyOn)
	out.ReadyOn = slices.Compact(out.ReadyOn)
	return out, nil
}

func (r *reader) csi(ctx context.Context) facts.Part[bool] {
	_, err := r.typed.StorageV1().CSIDrivers().Get(ctx, csiDriver, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return facts.Known(false)
	}
	if err != nil {
		return unread[bool](err)
	}
	return facts.Known(true)
}
