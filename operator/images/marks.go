package images

import (
	"context"
	"fmt"
	"sync"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/tenants/proof"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// marks are of what the operator read itself (R52). A status may be written by others
// while no operator runs; the next one believes what has its mark, and reads all else.
type marks struct {
	mu  sync.Mutex
	key []byte
}

// get reads or makes the key once.
func (m *marks) get(ctx context.Context, c client.Client, system string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.key == nil {
		key, err := proof.Key(ctx, c, system)
		if err != nil {
			return nil, err
		}
		m.key = key
	}
	return m.key, nil
}

// mark keeps the mark of a valid image as its status is, which is the operator's own.
func (r *Reconciler) mark(ctx context.Context, image *v1alpha1.SandboxImage, key []byte) error {
	want := proof.Read(key, image)
	if !isValid(image) || image.Annotations[v1alpha1.AnnotationMark] == want {
		return nil
	}
	marked := image.DeepCopy() // the answer's status may be somebody else's
	if marked.Annotations == nil {
		marked.Annotations = map[string]string{}
	}
	marked.Annotations[v1alpha1.AnnotationMark] = want
	if err := r.client.Patch(ctx, marked, client.MergeFrom(image)); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("mark SandboxImage %s as read: %w", image.Name, err)
	}
	return nil
}
