package registries

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// secrets remembers facts of Secrets. The operator may not watch them, so each is
// read again in each full pass, and one that was wrong soon.
type secrets struct {
	reader client.Reader
	key    []byte
	known  map[types.NamespacedName]remembered
}

type remembered struct {
	facts
	at time.Time
}

// soon is how long what was wrong with a Secret is believed.
const soon = 5 * time.Second

// together is how many requests to the API server are under way at once.
const together = 8

// refresh reads what is not known, what was wrong a while ago and, in a full pass,
// everything; it forgets what nobody names any more.
func (s *secrets) refresh(ctx context.Context, want map[types.NamespacedName][]*need, now time.Time, full bool) error {
	var old []types.NamespacedName
	for name, needs := range want {
		known, ok := s.known[name]
		age := now.Sub(known.at)
		if !ok || full || age < 0 || age >= soon && !known.serves(needs) {
			old = append(old, name)
		}
	}
	read := make([]remembered, len(old))
	each(len(old), func(i int) { read[i] = remembered{s.read(ctx, old[i]), now} })
	if err := ctx.Err(); err != nil { // nothing can be said of what was not read
		return err
	}
	next := make(map[types.NamespacedName]remembered, len(want))
	for name := range want {
		if known, ok := s.known[name]; ok {
			next[name] = known
		}
	}
	for i, name := range old {
		next[name] = read[i]
	}
	s.known = next
	return nil
}

func (f facts) serves(needs []*need) bool {
	for _, n := range needs {
		if f.judge(n) != nil {
			return false
		}
	}
	return true
}

func (s *secrets) read(ctx context.Context, name types.NamespacedName) facts {
	secret := &corev1.Secret{}
	switch err := s.reader.Get(ctx, name, secret); {
	case apierrors.IsNotFound(err):
		return facts{absent: true}
	case err != nil:
		return facts{denied: true}
	}
	return learn(s.key, secret)
}

// each runs do for 0 to n-1, some at once.
func each(n int, do func(i int)) {
	var wait sync.WaitGroup
	for w := range min(together, n) {
		wait.Go(func() {
			for i := w; i < n; i += together {
				do(i)
			}
		})
	}
	wait.Wait()
}
