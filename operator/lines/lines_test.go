package lines_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/lines"
)

// R54: whoever sends a webhook what it cannot read has twenty lines a minute written,
// however much it is, and then one that says how many there were; afterwards as before.
func TestWhatStrangersHaveWrittenIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out written
		log := logr.FromSlogHandler(slog.NewJSONHandler(&out, nil))
		bound := lines.New()
		admission := &webhook.Admission{Handler: nobody{}, LogConstructor: func(_ logr.Logger, r *admission.Request) logr.Logger { return bound.Webhook(log, r) }}
		for range 3 {
			out.Reset()
			for n := range 5000 {
				body := strings.NewReader("not what a review is")
				if n%2 == 0 {
					admission.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/inject", broken{}))
					continue
				}
				admission.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/inject", body))
			}
			if n := strings.Count(out.String(), "\n"); n != 20 {
				t.Errorf("%d lines: %.500s", n, out.String())
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if n := strings.Count(out.String(), "\n"); n != 21 || !strings.Contains(out.String(), `"lines":4980`) {
				t.Errorf("a minute later %d lines: %.500s", n, out.String())
			}
		}
	})
}

// R54: a few lines are written as they are, by whichever logger is made of it, and nobody
// is told of what was not left out.
func TestFewLinesAreWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out written
		b := lines.New()
		log := b.Of(logr.FromSlogHandler(slog.NewJSONHandler(&out, nil)))
		for range 5 {
			log.WithName("a").WithValues("key", "value").Error(errors.New("cause"), "one")
			slog.New(logr.ToSlogHandler(log)).Info("two") // as net/http does
			log.V(5).Info("none")
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if said := out.String(); strings.Count(said, "\n") != 10 || strings.Count(said, `"key":"value"`) != 5 || strings.Count(said, "cause") != 5 || strings.Count(said, "two") != 5 {
			t.Errorf("%s", said)
		}
		if none := b.Of(logr.Logger{}); none.GetSink() != nil {
			t.Error("a logger that writes nothing writes")
		}
	})
}

// written is what a log has written, while it may write more.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *written) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(line)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

func (w *written) Reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Reset()
}

type nobody struct{}

func (nobody) Handle(context.Context, admission.Request) admission.Response {
	return admission.Allowed("")
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("it was cut") }
