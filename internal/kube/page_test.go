package kube

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// pods is a list of n pods, whose page holds at most fits, and whose token
// expires once where it is asked for the pod that spoils.
func pods(n, fits, spoils int) List {
	expired := false
	return func(_ context.Context, o metav1.ListOptions) (runtime.Object, error) {
		from := 0
		_, _ = fmt.Sscan(o.Continue, &from)
		if int(o.Limit) > fits {
			return nil, &TooLarge{Path: "/api/v1/pods"}
		}
		if from > 0 && from == spoils && !expired {
			expired = true
			err := apierrors.NewResourceExpired("too old")
			err.ErrStatus.Continue = fmt.Sprintf(" %d", from)
			return nil, err
		}
		page := &corev1.PodList{}
		for i := from; i < min(n, from+int(o.Limit)); i++ {
			page.Items = append(page.Items, corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i)}})
		}
		if end := from + int(o.Limit); end < n {
			page.Continue = fmt.Sprint(end)
		}
		return page, nil
	}
}

// R55: every item once and in its order, whatever fits into an answer and where
// a token expires on the way.
func TestEachGivesEveryItem(t *testing.T) {
	var want []string
	for i := range 1000 {
		want = append(want, fmt.Sprint(i))
	}
	for name, list := range map[string]List{"pages": pods(1000, pageSize, 0), "small answers": pods(1000, 3, 0), "an expired token": pods(1000, pageSize, 2*pageSize)} {
		var got []string
		err := Each(t.Context(), metav1.ListOptions{}, list, func(o runtime.Object) error {
			got = append(got, o.(*corev1.Pod).Name)
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %d of %d", name, err, len(got), len(want))
		}
	}
}

// R55: what cannot be listed is an error: an object that alone is too large, and
// a list without an end.
func TestEachEnds(t *testing.T) {
	same := func(context.Context, metav1.ListOptions) (runtime.Object, error) {
		return &corev1.PodList{ListMeta: metav1.ListMeta{Continue: "x"}, Items: make([]corev1.Pod, 1)}, nil
	}
	n := 0
	endless := func(context.Context, metav1.ListOptions) (runtime.Object, error) {
		n++
		return &corev1.PodList{ListMeta: metav1.ListMeta{Continue: fmt.Sprint(n)}, Items: make([]corev1.Pod, 1000)}, nil
	}
	for want, list := range map[string]List{"holds more than": pods(10, 0, 0), "for ever": same, "more than 500000 items": endless} {
		err := Each(t.Context(), metav1.ListOptions{}, list, func(runtime.Object) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
