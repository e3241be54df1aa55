package gather

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/operator/preflight/facts"
)

// csiDriver is the name that SPIFFE's driver registers under.
const csiDriver = "csi.spiffe.io"

// components reads SPIRE and the node components. They may live anywhere, so
// their namespaces are those of their workloads, as far as those are trusted.
func (r *reader) components(ctx context.Context, into *facts.Spire) facts.Part[[]facts.DaemonSet] {
	sets, err := r.daemonSets(ctx)
	if err != nil {
		why := unread[[]facts.DaemonSet](err)
		r.noSpire(into, why.Missing)
		return why
	}
	out, agents, stranger := []facts.DaemonSet{}, "", ""
	for i := range sets {
		d := &sets[i]
		files, err := r.pods(ctx, d)
		if err != nil {
			why := unread[[]facts.DaemonSet](err)
			r.noSpire(into, why.Missing)
			return why
		}
		if !trustsNode(d.Namespace, files) {
			r.stranger(categoryOf(d.Role), "DaemonSet "+d.Namespace+"/"+d.Name, "it runs the program of "+string(d.Role)+", in a namespace that is not the platform's, and no pod of it mounts files of a node")
			stranger = d.Namespace
			continue
		}
		if d.Role == facts.SpireAgent && (agents == "" || reserved[d.Namespace]) {
			agents = d.Namespace
		}
		out = append(out, d.DaemonSet)
	}
	if r.wants(spire) {
		r.spire(ctx, agents, stranger, into)
	}
	return facts.Known(out)
}

func categoryOf(role facts.Role) string {
	if role == facts.IstioCNI {
		return "istio"
	}
	return "spire"
}

// daemon is a DaemonSet of ours before its pods are read.
type daemon struct {
	facts.DaemonSet
	selector string
}

func (r *reader) daemonSets(ctx context.Context) ([]daemon, error) {
	var out []daemon
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.typed.AppsV1().DaemonSets(metav1.NamespaceAll).List(ctx, o)
	}
	err := r.each(ctx, metav1.ListOptions{}, list, func(o runtime.Object) error {
		d := o.(*appsv1.DaemonSet)
		spec := d.Spec.Template.Spec
		if role := roleOf(d.Spec.Template); role != "" {
			if err := r.kept.Keep(spec.Size() + d.Spec.Selector.Size() + perItem); err != nil {
				return err
			}
			out = append(out, daemon{facts.DaemonSet{Namespace: d.Namespace, Name: d.Name, Role: role, Tolerations: spec.Tolerations, Selector: spec.NodeSelector, Affinity: spec.Affinity, ReadyOn: []string{}}, metav1.FormatLabelSelector(d.Spec.Selector)})
		}
		return nil
	})
	return out, err
}

// pods reads on which nodes a DaemonSet is ready, and whether a pod of it was
// admitted that mounts files of its node.
func (r *reader) pods(ctx context.Context, d *daemon) (files bool, err error) {
	err = r.eachPod(ctx, d.Namespace, d.selector, func(p *corev1.Pod) error {
		files = files || p.Spec.NodeName != "" && slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.HostPath != nil })
		if podReady(p) && p.Spec.NodeName != "" {
			d.ReadyOn = append(d.ReadyOn, r.once(p.Spec.NodeName))
			return r.kept.Keep(len(p.Spec.NodeName) + perText)
		}
		return nil
	})
	slices.Sort(d.ReadyOn)
	d.ReadyOn = slices.Compact(d.ReadyOn)
	return files, err
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
