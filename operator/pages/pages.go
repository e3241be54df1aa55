// Package pages reads what a tenant's people may make any number of, each as large as
// the API server takes: page by page, so that of a whole namespace no more is held than
// one page and what the caller keeps (R50). Whoever lists such a namespace at once gives
// everybody with rights there the memory of the operator.
//
//	for o, err := range pages.Of(ctx, reader, &corev1.SecretList{}, client.InNamespace(namespace)) {
//		if err != nil { return err }
//		names = append(names, o.GetName()) // and nothing more of it
//	}
package pages

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"golang.org/x/sync/semaphore"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Size is how many objects are read at once. The API server takes one of up to 1.5 MiB,
// of which labels alone may be nearly all, so that a page has 24 MiB at most; usual
// namespaces fit into one.
const Size = 16

// reading is how many pages are read at once in the whole program: to take one apart
// costs some times what it has, and whoever has rights in several namespaces may have
// all of them read at the same time.
var reading = semaphore.NewWeighted(4)

// errBreak ends a walk whose caller wants no more.
var errBreak = errors.New("enough")

// Of gives every object that a list of the blank's kind has. The reader asks the API
// server itself: a cache knows no pages. An option may set another size of a page. After
// an error there is nothing more.
func Of(ctx context.Context, reader client.Reader, blank client.ObjectList, options ...client.ListOption) iter.Seq2[client.Object, error] {
	return func(yield func(client.Object, error) bool) {
		next := ""
		for {
			page := blank.DeepCopyObject().(client.ObjectList) // what is decoded over another is a mixture of both
			asked := append([]client.ListOption{client.Limit(Size)}, options...)
			if err := read(ctx, reader, page, append(asked, client.Continue(next))); err != nil {
				yield(nil, err)
				return
			}
			err := meta.EachListItem(page, func(o runtime.Object) error {
				if !yield(o.(client.Object), nil) {
					return errBreak
				}
				return nil
			})
			if next = page.GetContinue(); err != nil || next == "" {
				return
			}
		}
	}
}

// read reads one page when its turn has come. Who walks through a page has no turn, and
// may read others meanwhile.
func read(ctx context.Context, reader client.Reader, page client.ObjectList, options []client.ListOption) error {
	if err := reading.Acquire(ctx, 1); err != nil {
		return fmt.Errorf("wait for a turn to read: %w", err)
	}
	defer reading.Release(1)
	return reader.List(ctx, page, options...)
}
