package registries

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// secrets remembers facts of Secrets. The operator may not watch them, so each is
// read again in each sync period, and one that was wrong soon.
type secrets struct {
	reader client.Reader
	key    []byte
	period time.Duration // after which each is read again
	known  map[types.NamespacedName]remembered
	first  firstPass
	left   int // to be read that had to wait for the next pass
	unread int // that were asked for last and not answered
}

// soon is how long what was wrong with a Secret is believed at first: twice as long after
// each read that finds it so still.
const soon = 5 * time.Second

// together is how many requests to the API server are under way at once.
const together = 8

// perTenant is how many Secrets are read, and how many statuses are written, for one
// tenant in one pass: what it has of them, right or wrong, holds up nobody else's (R51).
// The rest comes with the next pass, which comes at once.
const perTenant = 64

// refresh reads what is not known, what was wrong a while ago and what was not read since
// the last full pass; it forgets what nobody names any more. Before the first pass
// everything is read: nothing is taken from the registries for not being known yet. It
// fails when it is not to be gone by yet.
func (s *secrets) refresh(ctx context.Context, want map[types.NamespacedName][]*need, now, full time.Time) error {
	old := s.due(want, now, full)
	s.left = 0
	if s.first.done {
		old, s.left = shares(old)
	}
	read := make([]facts, len(old))
	each(len(old), func(i int) { read[i] = s.read(ctx, old[i]) })
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
		next[name] = s.known[name].after(read[i], now, want[name])
	}
	s.known, s.unread = next, unread(next)
	return s.first.over(read)
}

// due are the Secrets to read, of each namespace those first that are not known, then
// those that were read longest ago.
func (s *secrets) due(want map[types.NamespacedName][]*need, now, full time.Time) []types.NamespacedName {
	var old []types.NamespacedName
	for name, needs := range want {
		known, ok := s.known[name]
		age := now.Sub(known.at)
		if !ok || known.at.Before(full) || age < 0 || !s.first.done && known.silent || age >= known.believed(needs) && !known.right(needs) {
			old = append(old, name)
		}
	}
	slices.SortFunc(old, func(a, b types.NamespacedName) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), s.known[a].at.Compare(s.known[b].at), strings.Compare(a.Name, b.Name))
	})
	return old
}

// shares leave to each namespace what is read for it in one pass, and counts the rest.
func shares(sorted []types.NamespacedName) (now []types.NamespacedName, left int) {
	of := map[string]int{}
	for _, name := range sorted {
		if of[name.Namespace]++; of[name.Namespace] > perTenant {
			left++
			continue
		}
		now = append(now, name)
	}
	return now, left
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
		return facts{denied: true, silent: !apierrors.IsForbidden(err)}
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
