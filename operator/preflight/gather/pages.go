package gather

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/kube"
)

// each gives every item of a list to take, a page at a time, and lets only a few
// pages be in memory at once, of whatever lists.
func (r *reader) each(ctx context.Context, o metav1.ListOptions, list kube.List, take func(runtime.Object) error) error {
	held := false
	release := func() {
		if held {
			<-r.pages
			held = false
		}
	}
	defer release()
	paged := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		release() // the page before has been given away
		select {
		case r.pages <- struct{}{}:
			held = true
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return list(ctx, o)
	}
	return kube.Each(ctx, o, paged, take)
}

func (r *reader) eachPod(ctx context.Context, namespace, selector string, take func(*corev1.Pod) error) error {
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return r.typed.CoreV1().Pods(namespace).List(ctx, o)
	}
	return r.each(ctx, metav1.ListOptions{LabelSelector: selector}, list, func(o runtime.Object) error {
		return take(o.(*corev1.Pod))
	})
}

// once gives a text that may be kept: equal ones share their memory, as the
// labels of ten thousand nodes are much the same.
func (r *reader) once(text string) string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if known, there := r.words[text]; there {
		return known
	}
	if len(r.words) < mostWords {
		r.words[text] = text
	}
	return text
}

// mostWords bounds what is kept for that; names of nodes are many.
const mostWords = 100_000

func (r *reader) labels(of map[string]string) map[string]string {
	if of == nil {
		return nil
	}
	out := make(map[string]string, len(of))
	for key, value := range of {
		out[r.once(key)] = r.once(value)
	}
	return out
}
