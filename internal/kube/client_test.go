package kube

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	api "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"

	"github.com/runkora/kora/internal/faults"
)

// server answers until the test ends; what hangs is let go of then.
func server(t *testing.T, answer http.HandlerFunc) *rest.Config {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return &rest.Config{Host: s.URL}
}

// version asks for the one thing that every part of preflight begins with.
func version(ctx context.Context, t *testing.T, config *rest.Config) error {
	t.Helper()
	client, err := Client(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	typed, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		t.Fatal(err)
	}
	_, err = typed.Discovery().ServerVersion()
	return err
}

func hangs(w http.ResponseWriter, q *http.Request) { <-q.Context().Done() }

// R55: an answer without an end is a fault that says so, and is not kept.
func TestAnEndlessAnswerIsRefused(t *testing.T) {
	config := server(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for q.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := version(t.Context(), t, config)
	runtime.ReadMemStats(&after)
	var large *TooLarge
	if !errors.As(err, &large) || large.Path != "/version" || !strings.Contains(Fault(err).Message, "holds more than 8 MiB") {
		t.Errorf("%v: %+v", err, Fault(err))
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > 10*AnswerLimit {
		t.Errorf("%d bytes were made of an answer of %d", made, AnswerLimit)
	}
}

// R55: the run's context bounds what does not know of it: a server that hangs,
// a body that trickles, and a credential plugin that sleeps.
func TestTheContextBoundsEveryWait(t *testing.T) {
	slow := filepath.Join(t.TempDir(), "slow")
	if err := os.WriteFile(slow, []byte("#!/bin/sh\nexec sleep 60 >/dev/null 2>&1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	plugin := server(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"gitVersion":"v1.36.3"}`) })
	plugin.ExecProvider = &api.ExecConfig{Command: slow, APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode}
	want := map[string]string{"a credential plugin that sleeps": "program " + slow + " did not end in time"}
	for name, config := range map[string]*rest.Config{
		"a server that hangs": server(t, hangs),
		"a body that trickles": server(t, func(w http.ResponseWriter, q *http.Request) {
			for q.Context().Err() == nil {
				_, _ = w.Write([]byte(" "))
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		}),
		"a credential plugin that sleeps": plugin,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			got := make(chan error, 1)
			go func() { got <- version(ctx, t, config) }()
			select {
			case err := <-got:
				if f := Fault(err); !strings.Contains(f.Message, cmp.Or(want[name], "does not answer in time")) {
					t.Errorf("%+v", f)
				}
			case <-time.After(30 * time.Second): // the plugin alone takes twice that
				t.Error("it still waits")
			}
		})
	}
}

// R55: a program that takes all the time is named, for each request that waited for
// it, whether the run's time ends or the one of its requests.
func TestASlowProgramIsNamed(t *testing.T) {
	for name, bound := range map[string]func(*rest.Config) (context.Context, context.CancelFunc){
		"the run's": func(*rest.Config) (context.Context, context.CancelFunc) {
			return context.WithTimeout(t.Context(), 3*time.Second)
		},
		"a request's": func(c *rest.Config) (context.Context, context.CancelFunc) {
			c.Timeout = 3 * time.Second
			return context.WithCancel(t.Context())
		},
	} {
		config, _ := logsIn(t, "exec sleep 60 >/dev/null 2>&1")
		ctx, cancel := bound(config)
		client, err := Client(ctx, config)
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan error)
		for range 3 {
			go func() {
				response, err := client.Get(config.Host + "/version")
				if err == nil {
					response.Body.Close()
				}
				got <- err
			}()
		}
		for range 3 {
			if f := Fault(<-got); !strings.HasSuffix(f.Message, " did not end in time, and was ended") || !strings.Contains(f.Fix, "users[].user.exec") {
				t.Errorf("%s: %+v", name, f)
			}
		}
		cancel()
	}
}

// R55: what is wrong is told as what it is: a busy server, a closed connection
// and one that nobody serves are no silence; and each is asked a few times only.
func TestWhatIsNoSilence(t *testing.T) {
	var asked atomic.Int32
	gone := httptest.NewServer(nil)
	gone.Close()
	for want, config := range map[string]*rest.Config{
		"too many requests": server(t, func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		}),
		"closed the connection": server(t, func(http.ResponseWriter, *http.Request) { asked.Add(1); panic(http.ErrAbortHandler) }),
		"nothing listens":       {Host: gone.URL},
	} {
		asked.Store(0)
		if f := Fault(version(t.Context(), t, config)); !strings.Contains(f.Message, want) || f.Code != faults.ClusterSilent {
			t.Errorf("%+v, want %q", f, want)
		}
		if n := asked.Load(); n > attempts+1 {
			t.Errorf("%s: asked %d times", want, n)
		}
	}
}

// R55: a server that is busy once is asked again.
func TestBusyOnce(t *testing.T) {
	var asked atomic.Int32
	config := server(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, `{"gitVersion":"v1.36.3"}`)
	})
	if err := version(t.Context(), t, config); err != nil || asked.Load() != 2 {
		t.Errorf("%v, asked %d times", err, asked.Load())
	}
}

// R55: a server's words are one line of a bounded length, which a terminal only shows.
func TestWordsAreOneLine(t *testing.T) {
	got := Words(errors.New("exec: not found\n\nIt \x1b[31mlooks\u202e like\u2028 " + strings.Repeat("ü", 3000)))
	if strings.ContainsAny(got, "\n\x1b\u202e\u2028") || len(got) > wordLimit+len("…") || !strings.HasPrefix(got, "exec: not found It [31mlooks like ü") {
		t.Errorf("%q", got)
	}
}

// R55: no library writes lines of its own to a command's standard error, also
// where an answer breaks off or the server makes a request wait.
func TestNoLibraryWritesByItself(t *testing.T) {
	var words bytes.Buffer
	klog.LogToStderr(false)
	klog.SetOutput(&words)
	t.Cleanup(func() { klog.SetOutput(os.Stderr); klog.LogToStderr(true) })
	config := server(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte("{"))
	})
	ctx := Quiet(t.Context())
	client, err := Client(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	typed, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := typed.CoreV1().Nodes().List(ctx, metav1.ListOptions{}); err == nil || !strings.Contains(Words(err), "closed the connection") {
		t.Error(err)
	}
	klog.Flush()
	if words.Len() > 0 {
		t.Errorf("%s", words.String())
	}
	klog.FromContext(t.Context()).Info("this test hears them")
	klog.Flush()
	if words.Len() == 0 {
		t.Error("nothing would be heard")
	}
}
