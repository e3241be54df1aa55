package gather

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"

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
			out[name] = facts.Namespace{Labels: n.Labels}
		}
	}
	return facts.Known(out)
}

// nodes are read page by page, and little is kept of each.
func (r *reader) nodes(ctx context.Context) facts.Part[[]facts.Node] {
	out := []facts.Node{}
	list := pager.New(func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.typed.CoreV1().Nodes().List(ctx, o)
	})
	err := list.EachListItem(ctx, metav1.ListOptions{}, func(o runtime.Object) error {
		n := o.(*corev1.Node)
		out = append(out, facts.Node{Name: n.Name, Labels: n.Labels, Taints: n.Spec.Taints, Unschedulable: n.Spec.Unschedulable, Ready: nodeReady(n)})
		return nil
	})
	if err != nil {
		return unread[[]facts.Node](err)
	}
	return facts.Known(out)
}

func nodeReady(n *corev1.Node) bool {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

const defaultClass = "storageclass.kubernetes.io/is-default-class"

func (r *reader) storageClasses(ctx context.Context) facts.Part[[]facts.StorageClass] {
	list, err := r.typed.StorageV1().StorageClasses().List(ctx, metav1.ListOptions{})
	if err != nil {
		return unread[[]facts.StorageClass](err)
	}
	out := []facts.StorageClass{}
	for _, c := range list.Items {
		out = append(out, facts.StorageClass{Name: c.Name, Provisioner: c.Provisioner, Default: c.Annotations[defaultClass] == "true"})
	}
	return facts.Known(out)
}

// secrets are read by name, none besides those that the values name.
func (r *reader) secrets(ctx context.Context) map[string]facts.Part[*facts.Secret] {
	s := r.Settings
	out := map[string]facts.Part[*facts.Secret]{}
	for _, name := range append([]string{s.PlatformSecret, s.FrontendSecret, s.RedisCA, s.Certificate}, s.PullSecrets...) {
		if name == "" {
			continue
		}
		out[s.Namespace+"/"+name] = r.secret(ctx, name)
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
		out.Values[key] = facts.Value{Length: len(value), Bytes: value}
	}
	return facts.Known(out)
}
