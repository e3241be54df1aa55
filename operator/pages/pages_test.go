package pages_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/operator/pages"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// server has so many Secrets, of which every second has an annotation.
type server struct {
	client.Reader
	has   int
	fails int // at which request
	asked []client.ListOptions
}

func (s *server) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	o := client.ListOptions{}
	o.ApplyOptions(options)
	if s.asked = append(s.asked, o); len(s.asked) == s.fails {
		return errors.New("gone")
	}
	list, from := into.(*corev1.SecretList), 0
	if o.Continue != "" {
		from, _ = strconv.Atoi(o.Continue)
	}
	for n := from; n < min(from+int(o.Limit), s.has); n++ {
		at := metav1.ObjectMeta{Name: fmt.Sprint("s", n)}
		if n%2 == 0 {
			at.Annotations = map[string]string{"even": "yes"}
		}
		list.Items = append(list.Items, corev1.Secret{ObjectMeta: at})
	}
	if from += int(o.Limit); from < s.has {
		list.Continue = strconv.Itoa(from)
	}
	return nil
}

// R50: everything is read, each once and as it is, and never more than a page at a time.
func TestAllIsReadByPages(t *testing.T) {
	for _, n := range []int{0, 1, pages.Size, pages.Size + 1, 5 * pages.Size} {
		s, read := &server{has: n}, 0
		for o, err := range pages.Of(t.Context(), s, &corev1.SecretList{}, client.InNamespace("here")) {
			if err != nil {
				t.Fatal(err)
			}
			if o.GetName() != fmt.Sprint("s", read) || (len(o.GetAnnotations()) == 1) != (read%2 == 0) {
				t.Errorf("%d: read %+v", read, o)
			}
			read++
		}
		if want := max(1, (n+pages.Size-1)/pages.Size); read != n || len(s.asked) != want {
			t.Errorf("%d: %d were read with %d requests, want %d", n, read, len(s.asked), want)
		}
		for _, o := range s.asked {
			if o.Limit != pages.Size || o.Namespace != "here" {
				t.Errorf("asked for %+v", o)
			}
		}
	}
}

// R50: where more are read at once, no page is larger than that.
func TestAPageMayBeLarger(t *testing.T) {
	s, read := &server{has: 200}, 0
	for range pages.Of(t.Context(), s, &corev1.SecretList{}, client.Limit(64)) {
		read++
	}
	if read != 200 || len(s.asked) != 4 || s.asked[0].Limit != 64 {
		t.Errorf("%d with %d requests: %+v", read, len(s.asked), s.asked[0])
	}
}

// R50: who has enough asks for nothing more, and after an error there is nothing.
func TestReadingEnds(t *testing.T) {
	s := &server{has: 9 * pages.Size}
	for range pages.Of(t.Context(), s, &corev1.SecretList{}) {
		break
	}
	if len(s.asked) != 1 {
		t.Errorf("asked %d times after the end", len(s.asked))
	}
	s, read, failed := &server{has: 9 * pages.Size, fails: 2}, 0, 0
	for _, err := range pages.Of(t.Context(), s, &corev1.SecretList{}) {
		if read++; err != nil {
			failed++
		}
	}
	if read != pages.Size+1 || failed != 1 || len(s.asked) != 2 {
		t.Errorf("%d and %d errors with %d requests", read, failed, len(s.asked))
	}
}

// crowd counts how many lists are under way at once.
type crowd struct {
	client.Reader
	now, most atomic.Int64
	arrived   chan struct{}
	letGo     chan struct{}
}

func (c *crowd) List(context.Context, client.ObjectList, ...client.ListOption) error {
	defer c.now.Add(-1)
	c.most.Store(max(c.most.Load(), c.now.Add(1)))
	c.arrived <- struct{}{}
	<-c.letGo
	return nil
}

// R50: however many namespaces are read at once, only so many pages are on their way; who
// waits for a turn waits no longer than its context.
func TestFewPagesAreReadAtOnce(t *testing.T) {
	c := &crowd{arrived: make(chan struct{}, 64), letGo: make(chan struct{})}
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for _, err := range pages.Of(t.Context(), c, &corev1.SecretList{}) {
				t.Error(err)
			}
		})
	}
	for range 4 {
		<-c.arrived
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range pages.Of(ended, c, &corev1.SecretList{}) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("without a turn: %v", err)
		}
	}
	close(c.letGo)
	all.Wait()
	if most := c.most.Load(); most != 4 {
		t.Errorf("%d pages were read at once", most)
	}
}
