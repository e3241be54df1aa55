package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

// R45: a registry that lists referrers without an end is read up to the bytes of
// one artifact, whatever the pages hold.
func TestEndlessPagesAreBoundedByTheirBytes(t *testing.T) {
	f := serve(t)
	f.image("kora", "1")
	filler := strings.Repeat("x", 300<<10)
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/referrers/") {
			return false
		}
		w.Header().Set("Content-Type", string(types.OCIImageIndex))
		w.Header().Set("Link", "<"+r.URL.Path+`?more=1>; rel="next"`)
		fmt.Fprintf(w, `{"manifests":[{"digest":%q,"size":1,"annotations":{"filler":%q}}]}`, digestOf([]byte(r.URL.RawQuery)), filler)
		return true
	})
	c, _ := client(t, func(o *Options) { o.Limits.Total = 1 << 20 })
	all, good := pieces(t, c, f.host+"/kora:1")
	if good || len(all) == 0 || f.asked("/referrers/") > 5 {
		t.Fatalf("good %v, %d pieces, %d pages", good, len(all), f.asked("/referrers/"))
	}
	told := false
	for _, p := range all {
		told = told || KindOf(p.Err) == Unreachable && strings.Contains(p.Err.Error(), "more than 1048576 bytes")
	}
	if !told {
		t.Errorf("nothing says that it could not be checked: %+v", all)
	}
}

// R45: manifests count as well as what they lead to.
func TestManifestsCountAgainstTheBudget(t *testing.T) {
	f := serve(t)
	image := f.image("kora", "1")
	var all []descriptor
	for i := range 9 {
		m := referrer(image, f.blob("kora", "application/vnd.oci.empty.v1+json", []byte("{}")), f.blob("kora", bundleType, []byte("junk")))
		m["annotations"] = map[string]string{"filler": strings.Repeat("x", 200<<10) + fmt.Sprint(i)}
		all = append(all, f.put("kora", "", types.OCIManifestSchema1, m))
	}
	f.list(image, all...)
	c, _ := client(t, func(o *Options) { o.Limits.Total = 1 << 20 })
	got, _ := pieces(t, c, f.host+"/kora:1")
	if last := got[len(got)-1]; KindOf(last.Err) != Unreachable || !strings.Contains(last.Err.Error(), "more than 1048576 bytes") {
		t.Errorf("%+v", last)
	}
}

// R45: of a list is kept what is needed to look at what it names.
func TestWhatIsKeptOfAList(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, d := range kept([]descriptor{
		{MediaType: long, ArtifactType: long, Digest: long, Size: 7, Annotations: map[string]string{predicateKey: long, "other": long}},
		{MediaType: bundleType, Digest: digestOf(nil), Annotations: map[string]string{predicateKey: signPredicate, "other": long}},
	}) {
		size := len(d.MediaType) + len(d.ArtifactType) + len(d.Digest)
		for k, v := range d.Annotations {
			size += len(k) + len(v)
		}
		if size > 3*maxKept || len(d.Annotations) > 1 {
			t.Errorf("%d bytes, %d annotations are kept", size, len(d.Annotations))
		}
		if signs := d.Annotations[predicateKey] == signPredicate; signs != (d.Size == 0) || (likely(d) == 0) != signs {
			t.Errorf("what it says of itself is lost: %+v", d.Annotations)
		}
	}
}

// R45: few artifacts of a run read large answers at a time, and who waits for
// that ends with its context.
func TestLargeAnswersOfARunAreBounded(t *testing.T) {
	c, _ := client(t)
	large := func(ctx context.Context) ([]byte, error) {
		return read(ctx, strings.NewReader(strings.Repeat("x", smallAnswer+1)), 4<<20)
	}
	var ends []func()
	for range largeAnswers {
		ctx, end := c.Bounded(t.Context())
		if _, err := large(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := large(ctx); err != nil { // it holds its place already
			t.Fatal(err)
		}
		ends = append(ends, end)
	}
	stopped, cancel := context.WithCancel(t.Context())
	ctx, end := c.Bounded(stopped)
	cancel()
	if _, err := large(ctx); err != errFull {
		t.Errorf("one more: %v", err)
	}
	if err := budgetOf(ctx).enlarge(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("one more that waits: %v", err)
	}
	if small, err := read(ctx, strings.NewReader("small"), 4<<20); err != nil || string(small) != "small" {
		t.Errorf("a small answer waits for no place: %v", err)
	}
	end()
	ends[0]()
	ctx, end = c.Bounded(t.Context())
	defer end()
	if _, err := large(ctx); err != nil {
		t.Error(err)
	}
}

// R45, R49: more artifacts with large answers than there are places and
// connections wait for one another, and none for ever.
func TestLargeAnswersKeepNobodyWaiting(t *testing.T) {
	f := serve(t)
	f.image("kora", "1")
	filler := strings.Repeat("x", smallAnswer+1)
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/referrers/") {
			return false
		}
		w.Header().Set("Content-Type", string(types.OCIImageIndex))
		if r.URL.RawQuery == "" {
			w.Header().Set("Link", "<"+r.URL.Path+`?more=1>; rel="next"`)
		}
		fmt.Fprintf(w, `{"manifests":[],"annotations":{"filler":%q}}`, filler)
		return true
	})
	c, _ := client(t, func(o *Options) { o.Limits.Connections = 1 })
	var all sync.WaitGroup
	for range 3 * largeAnswers {
		all.Go(func() {
			target, a, err := resolve(t, c, f.host+"/kora:1")
			if err != nil {
				t.Error(err)
				return
			}
			target.Evidence(t.Context(), a, Signature, func(p Piece) bool { t.Error(p.Err); return false })
		})
	}
	all.Wait()
	if len(c.large) != 0 {
		t.Errorf("%d places are still held", len(c.large))
	}
}

// counted is a layout's files that count what is read, and may end a run.
type counted struct {
	files
	reads map[string]int
	then  func()
}

func (c counted) read(name string, limit int64) ([]byte, error) {
	c.reads[name]++
	if c.then != nil {
		c.then()
	}
	return c.files.read(name, limit)
}

// manyTimes is a layout whose index names one manifest about another artifact
// as often as it can.
func manyTimes(t *testing.T, c *Client, annotations ...string) (Target, counted, string) {
	t.Helper()
	manifestType := string(types.OCIManifestSchema1)
	image := jsonOf(t, object{"schemaVersion": 2, "mediaType": manifestType, "config": describe(string(types.OCIConfigJSON), []byte("{}")), "layers": []descriptor{}})
	other := jsonOf(t, object{"schemaVersion": 2, "mediaType": manifestType, "layers": []descriptor{}, "subject": describe(manifestType, []byte("another"))})
	all := []descriptor{describe(manifestType, image)}
	for range 2000 {
		all = append(all, describe(manifestType, other, annotations...))
	}
	target, err := c.Open(layoutScheme + save(t, object{"schemaVersion": 2, "manifests": all}, image, other))
	fatal(t, err)
	files := counted{files: target.store.(*layout).files, reads: map[string]int{}}
	target.store.(*layout).files = files
	return target, files, filepath.Join("blobs/sha256", strings.TrimPrefix(digestOf(other), "sha256:"))
}

// R48, R49: what a layout names a thousand times is read once for each question.
func TestAManifestThatIsNamedOftenIsReadOnce(t *testing.T) {
	for _, annotations := range [][]string{nil, {savedKind, savedSigs}} {
		c, _ := client(t)
		target, files, other := manyTimes(t, c, annotations...)
		a, err := target.Resolve(t.Context())
		fatal(t, err)
		target.Evidence(t.Context(), a, Signature, func(Piece) bool { return false })
		if n := files.reads[other]; n == 0 || n > 2 {
			t.Errorf("%v: read %d times", annotations, n)
		}
	}
}

// R49: a run that is stopped ends wherever it reads a layout.
func TestAStoppedRunEndsInALayout(t *testing.T) {
	c, _ := client(t)
	target, files, _ := manyTimes(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	files.then = cancel
	target.store.(*layout).files = files
	if _, err := target.Resolve(ctx); err == nil || !strings.Contains(err.Error(), "stopped") {
		t.Errorf("%v", err)
	}
	if len(files.reads) != 1 {
		t.Errorf("read on: %v", files.reads)
	}
	a := Artifact{Digest: digestOf([]byte("x"))}
	var got []Piece
	target.Evidence(ctx, a, Signature, func(p Piece) bool { got = append(got, p); return false })
	if len(got) == 0 || KindOf(got[0].Err) != Unreachable {
		t.Errorf("what was not looked at is not told: %+v", got)
	}
}

// R48: a pipe in the place of a layout's file or tarball is not waited for.
func TestNoPipeIsWaitedForInALayout(t *testing.T) {
	path := pack(t, sample(t, "referrer"))
	c, _ := client(t)
	target, err := c.Open(path)
	fatal(t, err)
	fatal(t, os.Remove(path))
	fatal(t, syscall.Mkfifo(path, 0o600))
	if _, err := target.Resolve(t.Context()); err == nil {
		t.Error("a pipe is taken for a tarball")
	}
}
