package gather

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/preflight/facts"
)

func (r *reader) namespaces(ctx context.Context) facts.Part[map[string]facts.Namespace] {
	out := map[string]facts.Namespace{}
	names := []string{r.Settings.Namespace}
	if r.Settings.SandboxMount.Enabled {
		names = append(names, r.Settings.SandboxMount.Namespace)
	}
	for _, name := range names {
		n, err := r.typed.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
		case err != nil:
			return unread[map[string]facts.Namespace](err)
		default:
			out[name] = facts.Namespace{Labels: n.Labels, Leaving: n.DeletionTimestamp != nil || n.Status.Phase == corev1.NamespaceTerminating}
		}
	}
	return facts.Known(out)
}

// nodes are read page by page, and little is kept of each.
func (r *reader) nodes(ctx context.Context) facts.Part[[]facts.Node] {
	out, kept := []facts.Node{}, 0
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.typed.CoreV1().Nodes().List(ctx, o)
	}
	err := r.each(ctx, metav1.ListOptions{}, list, func(o runtime.Object) error {
		n := o.(*corev1.Node)
		for key, value := range n.Labels {
			kept += len(key) + len(value)
		}
		if kept > labelLimit {
			return kube.Said(fmt.Sprintf("the labels of the nodes hold more than %d MiB", labelLimit>>20))
		}
		size := len(n.Name)
		for i := range n.Spec.Taints {
			size += n.Spec.Taints[i].Size() + perItem
		}
		for key, value := range n.Labels {
			size += len(key) + len(value)
		}
		if err := r.kept.Keep(size + perItem); err != nil {
			return err
		}
		out = append(out, facts.Node{Name: r.once(n.Name), Labels: r.labels(n.Labels), Taints: n.Spec.Taints, Unschedulable: n.Spec.Unschedulable, Ready: nodeReady(n)})
		return nil
	})
	if err != nil {
		return unread[[]facts.Node](err)
	}
	return facts.Known(out)
}

// perItem is about what an item takes besides its texts, in bytes, and perText
// what a text does in a list.
const perItem, perText = 64, 16

// labelLimit is the most that the labels of all nodes may hold, in bytes: those
// of ten thousand nodes with thirty labels each are 20 MiB.
const labelLimit = 64 << 20

func nodeReady(n *corev1.Node) bool {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func (r *reader) storageClasses(ctx context.Context) facts.Part[[]facts.StorageClass] {
	out := []facts.StorageClass{}
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.typed.StorageV1().StorageClasses().List(ctx, o)
	}
	err := r.each(ctx, metav1.ListOptions{}, list, func(o runtime.Object) error {
		c := o.(*storagev1.StorageClass)
		if err := r.kept.Keep(len(c.Name) + len(c.Provisioner) + perItem); err != nil {
			return err
		}
		isDefault, said := byDefault(c)
		out = append(out, facts.StorageClass{Name: c.Name, Provisioner: c.Provisioner, Default: isDefault, Declined: said && !isDefault})
		return nil
	})
	if err != nil {
		return unread[[]facts.StorageClass](err)
	}
	return facts.Known(out)
}

// byDefault reports whether a class is a default one, as the API server has it, which
// goes by the older annotation too, and whether either says anything.
func byDefault(c *storagev1.StorageClass) (isDefault, said bool) {
	for _, key := range [...]string{"storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"} {
		value, there := c.Annotations[key]
		isDefault, said = isDefault || value == "true", said || there
	}
	return isDefault, said
}

// secrets are read by name, none besides those that the values name and a check
// looks at, if only to connect with.
func (r *reader) secrets(ctx context.Context) map[string]facts.Part[*facts.Secret] {
	s := r.Settings
	asks := map[string]bool{}
	for _, one := range [...]struct {
		name  string
		asked bool
	}{
		{s.PlatformSecret, r.wants(platform) || r.Services && r.wants(database, cache)}, {s.FrontendSecret, r.wants(frontend)},
		{s.RedisCA, r.wants(authority) || r.Services && r.wants(cache)}, {s.Certificate, r.wants(certificate)},
	} {
		asks[one.name] = asks[one.name] || one.asked
	}
	for _, name := range s.PullSecrets {
		asks[name] = asks[name] || r.wants(pulls)
	}
	out := map[string]facts.Part[*facts.Secret]{}
	for name, asked := range asks {
		if name != "" && asked {
			out[s.Namespace+"/"+name] = r.secret(ctx, name)
		}
	}
	return out
}

func (r *reader) secret(ctx context.Context, name string) facts.Part[*facts.Secret] {
	s, err := r.typed.CoreV1().Secrets(r.Settings.Namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return facts.Known[*facts.Secret](nil)
	}
	if err != nil {
		return unread[*facts.Secret](err)
	}
	out := &facts.Secret{Type: string(s.Type), Values: map[string]facts.Value{}}
	for key, value := range s.Data {
		kube.Hide(r.client, string(value))
		out.Values[key] = facts.Value{Length: len(value), Bytes: value}
	}
	return facts.Known(out)
}
