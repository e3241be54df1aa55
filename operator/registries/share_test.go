package registries

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sync"
)

// asked is a reader of Secrets that counts, by namespace, and has those that are told.
type asked struct {
	client.Reader
	mu  sync.Mutex
	of  map[string]int
	has map[types.NamespacedName]bool
}

func (a *asked) Get(_ context.Context, name client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.of[name.Namespace]++
	if !a.has[name] {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "secrets"}, name.Name)
	}
	*o.(*corev1.Secret) = *secretOf(name.Namespace, map[string]string{"token": "x"})
	return nil
}

// wants are the Secrets that so many Connections of a namespace name, each its own.
func wants(into map[types.NamespacedName][]*need, namespace string, n int) {
	for i := range n {
		name := fmt.Sprintf("s-%04d", i)
		into[types.NamespacedName{Namespace: namespace, Name: name}] = []*need{{field: "spec.secretRef", secret: name, keys: []string{"token"}, of: uint64(i)}}
	}
}

// R51: of one tenant so many Secrets are read in a pass, right or wrong, new or old, and
// not more; another tenant's are read in the same pass; and all of them come.
func TestATenantsSecretsAreReadByShares(t *testing.T) {
	const many = 1000
	reader := &asked{of: map[string]int{}, has: map[types.NamespacedName]bool{}}
	s, want, now := &secrets{reader: reader, key: []byte("k")}, map[types.NamespacedName][]*need{}, time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)
	full := now
	pass := func(later time.Duration) (flood, other int) {
		t.Helper()
		now, reader.of = now.Add(later), map[string]int{}
		if err := s.refresh(t.Context(), want, now, full); err != nil {
			t.Fatal(err)
		}
		return reader.of["flood"], reader.of["other"]
	}
	wants(want, "flood", 200)
	if flood, _ := pass(0); flood != 200 || s.left != 0 { // none is out of the registries for having waited
		t.Errorf("the first pass read %d, and left %d", flood, s.left)
	}
	wants(want, "flood", many)
	wants(want, "other", 3)
	passes := 0
	for ; passes == 0 || s.left > 0; passes++ {
		if flood, other := pass(time.Millisecond); flood > perTenant || passes == 0 && other != 3 {
			t.Fatalf("pass %d read %d of the flood, and %d of the other", passes, flood, other)
		}
	}
	if most := (many-200)/perTenant + 1; len(s.known) != many+3 || passes > most {
		t.Errorf("%d are known after %d passes, not %d", len(s.known), passes, most)
	}
	read := 0
	for range 3600 { // an hour of passes, one each second, in which nothing comes
		flood, _ := pass(time.Second)
		if read += flood; flood > perTenant {
			t.Fatalf("%d were read in one pass", flood)
		}
	}
	if most := many * 12; read > most { // each later each time
		t.Errorf("%d reads in an hour, more than %d", read, most)
	}
	for name := range want {
		reader.has[name] = true
	}
	if _, other := pass(time.Hour); other != 3 { // they have waited for as long again
		t.Errorf("%d of what had come were read", other)
	}
	full = now.Add(time.Minute) // a full pass: all of them again, by shares, the oldest first
	for name := range s.known {
		s.known[name] = remembered{facts: s.known[name].facts, at: now, seen: now}
	}
	read, passes = 0, 0
	for now = full; passes == 0 || s.left > 0; passes++ {
		flood, other := pass(time.Millisecond)
		if read += flood; flood > perTenant || passes == 0 && other != 3 || passes > 0 && other != 0 {
			t.Fatalf("pass %d read %d of the flood, and %d of the other", passes, flood, other)
		}
	}
	if read != many {
		t.Errorf("a full pass read %d in the end", read)
	}
}

// R51: a Secret that was wrong is read again soon when another resource names it, or when
// the spec of one that does has changed, however long it was wrong.
func TestWhoeverNamesAWrongSecretHasItRead(t *testing.T) {
	reader := &asked{of: map[string]int{}}
	s, now := &secrets{reader: reader, key: []byte("k")}, time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)
	want := map[types.NamespacedName][]*need{}
	wants(want, "n", 1)
	full := now
	for range 20 {
		now = now.Add(time.Hour)
		if err := s.refresh(t.Context(), want, now, full); err != nil {
			t.Fatal(err)
		}
	}
	again := func() bool {
		before := reader.of["n"]
		now = now.Add(soon)
		if err := s.refresh(t.Context(), want, now, full); err != nil {
			t.Fatal(err)
		}
		return reader.of["n"] > before
	}
	if again() {
		t.Error("it is read though nobody changed anything")
	}
	for name := range want {
		want[name] = append(want[name], &need{field: "spec.secretRef", secret: name.Name, keys: []string{"token"}, of: 77})
	}
	if !again() {
		t.Error("it is not read though another names it")
	}
}

// R51: nothing is said of a resource whose Secret is not read yet, nor of what names it.
func TestNothingIsSaidOfWhatIsNotReadYet(t *testing.T) {
	s, known := many(1)
	server := &v1alpha1.MCPServer{}
	server.Namespace, server.Name, server.Generation = v1alpha1.TenantNamespace("t-0000"), "m", 1
	server.Spec.ConnectionRef = &v1alpha1.LocalReference{Name: "c-0"}
	s.resources[kindMCPServer] = []*resource{{object: server, tenant: "t-0000"}}
	known.known = nil
	s.judge(known)
	for _, kind := range kinds {
		for _, r := range s.resources[kind] {
			if !r.pending || r.entry != nil || r.told(time.Now()) != nil {
				t.Errorf("%s: %+v", r.object.GetName(), r.finding)
			}
		}
	}
}
