package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"
)

// pointed writes a kubeconfig for a server, whose user a test may change.
func pointed(t *testing.T, server string, user *api.AuthInfo) string {
	t.Helper()
	file := api.NewConfig()
	file.Clusters["c"], file.AuthInfos["u"] = &api.Cluster{Server: server, InsecureSkipTLSVerify: strings.HasPrefix(server, "https:")}, user
	file.Contexts["x"] = &api.Context{Cluster: "c", AuthInfo: "u"}
	file.CurrentContext = "x"
	path := filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(*file, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// apiServer answers /version, and all else as a test says. It speaks TLS: over
// plaintext no credential is fetched.
func apiServer(t *testing.T, other http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if q.URL.Path == "/version" {
			fmt.Fprint(w, `{"gitVersion":"v1.36.3"}`)
			return
		}
		other(w, q)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

func forbidden(w http.ResponseWriter, q *http.Request) {
	w.WriteHeader(http.StatusForbidden)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"%s is forbidden: User \"u\" cannot list it"}`, q.URL.Path)
}

func hanging(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }

var installed = []string{"--set", "global.trustDomain=example.com", "--set", "frontendHost=example.com"}

// within runs a command and fails where it goes on for long after its time.
func within(t *testing.T, args ...string) (status int, out, words string) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); status, out, words = ran(nil, append(args, installed...)...) }()
	select {
	case <-done:
	case <-time.After(50 * time.Second): // every time that is given here is far shorter
		t.Fatalf("%v still runs", args)
	}
	return status, out, words
}

// R55: a collection in which nothing, or not all, could be read says so, with what
// and why, and is not status 0; the file is there all the same.
func TestCollectSaysWhatItLacks(t *testing.T) {
	for want, other := range map[string]http.HandlerFunc{"nothing could be read but the cluster's version": forbidden, "things could not be read": http.NotFound} {
		to := filepath.Join(t.TempDir(), "dump")
		status, _, words := within(t, "preflight", "collect", "--no-services", "--to", to, "--kubeconfig", pointed(t, apiServer(t, other), &api.AuthInfo{}))
		if status != exitUnchecked || !strings.Contains(words, want) || !strings.Contains(words, "wrote "+to) || !strings.Contains(words, "fix: ") {
			t.Errorf("status %d, want %q\n%s", status, want, words)
		}
		if _, err := os.Stat(filepath.Join(to, "facts.json")); err != nil {
			t.Error(err)
		}
	}
	status, _, words := within(t, "preflight", "collect", "--no-services", "--to", "/dev/null/x", "--kubeconfig", pointed(t, apiServer(t, forbidden), &api.AuthInfo{}))
	if status != exitUnchecked || !strings.Contains(words, "KORA-K005") || !strings.Contains(words, "give --to a folder") {
		t.Errorf("status %d\n%s", status, words)
	}
}

// R55: --only and --skip say what is asked for: neither a Secret is read nor a
// service called nor anything tried for a check that is not judged.
func TestOnlyAndSkipLimitTheLook(t *testing.T) {
	for _, c := range []struct {
		line         []string
		paths, calls bool
	}{
		{[]string{"--only", "kubernetes-version"}, false, false},
		{[]string{"--only", "kubernetes-version", "--skip", "services"}, false, false},
		{[]string{"--only", "services", "--skip", "services"}, true, false},
		{[]string{"--only", "services,release", "--skip", "secrets,release"}, true, false},
		{[]string{"--only", "services"}, true, true},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		var calls, paths, tries atomic.Int32
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				calls.Add(1)
				conn.Close()
			}
		}()
		server := apiServer(t, func(w http.ResponseWriter, q *http.Request) {
			paths.Add(1)
			if q.Method != http.MethodGet {
				tries.Add(1)
			}
			http.NotFound(w, q)
		})
		port := fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
		within(t, append([]string{"preflight", "--kubeconfig", pointed(t, server, &api.AuthInfo{}), "--set", "config.db.host=127.0.0.1", "--set", "config.redis.host=127.0.0.1", "--set", "config.db.port=" + port, "--set", "config.redis.port=" + port}, c.line...)...)
		if (paths.Load() > 0) != c.paths || (calls.Load() > 0) != c.calls || tries.Load() > 0 {
			t.Errorf("%v: %d requests, %d calls, %d tries", c.line, paths.Load(), calls.Load(), tries.Load())
		}
	}
}

// R55: --timeout bounds the run, whatever it waits for, of preflight and of size;
// the words are those of what happened.
func TestTheTimeBoundsTheRun(t *testing.T) {
	slow := filepath.Join(t.TempDir(), "slow")
	if err := os.WriteFile(slow, []byte("#!/bin/sh\nexec sleep 100 >/dev/null 2>&1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	server := apiServer(t, hanging)
	plugin := &api.AuthInfo{Exec: &api.ExecConfig{Command: slow, APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode}}
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		for q.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}))
	t.Cleanup(func() { endless.CloseClientConnections(); endless.Close() })
	for name, c := range map[string]struct{ kubeconfig, time, want string }{
		"a credential plugin":   {pointed(t, server, plugin), "3s", "program " + slow + " did not end in time"},
		"an answer without end": {pointed(t, endless.URL, &api.AuthInfo{}), "30s", "holds more than 8 MiB"}, // which comes first, however busy the machine is
		"a device":              {"/dev/zero", "3s", "is no plain file"},
		"a missing kubeconfig":  {"/no/such", "3s", "is not there"},
	} {
		for _, command := range []string{"preflight", "size"} {
			status, out, words := within(t, command, "--kubeconfig", c.kubeconfig, "--timeout", c.time)
			if status != exitUnchecked || !strings.Contains(words, c.want) || strings.Contains(words, "E1") && strings.Contains(words, ".go:") {
				t.Errorf("%s, %s: status %d\n%s%s", command, name, status, out, words)
			}
		}
	}
	status, out, words := within(t, "preflight", "--kubeconfig", pointed(t, server, &api.AuthInfo{}), "--timeout", "2s", "--only", "istio")
	if status != exitUnchecked || !strings.Contains(out, "does not answer in time") || words != "" {
		t.Errorf("status %d\n%s%s", status, out, words)
	}
}

// R55: who waits is told for what, also while nothing answers; and a last look
// that the time cuts off does not hide what the one before saw.
func TestWaitingIsTold(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	status, _, words := within(t, "preflight", "--kubeconfig", pointed(t, gone.URL, &api.AuthInfo{}), "--wait", "2s", "--timeout", "1s")
	if status != exitUnchecked || !strings.Contains(words, "waiting: nothing listens where the cluster's API server should be") {
		t.Errorf("status %d\n%s", status, words)
	}
	var asked atomic.Int32
	server := apiServer(t, func(w http.ResponseWriter, q *http.Request) {
		if asked.Add(1) > 1 {
			hanging(w, q)
		}
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`)
	})
	status, out, words := within(t, "preflight", "--kubeconfig", pointed(t, server, &api.AuthInfo{}), "--only", "spire-csi-driver", "--wait", "8s", "--timeout", "7s")
	if status != exitRefused || !strings.Contains(out, "FAIL  spire-csi-driver") || !strings.Contains(words, "waiting: 1 failed") {
		t.Errorf("status %d\n%s%s", status, out, words)
	}
}

// R55: a run that is interrupted ends the program that its kubeconfig names, and
// says that it was ended.
func TestAnInterruptEndsTheProgram(t *testing.T) {
	for _, line := range [][]string{{"preflight", "--wait", "10m"}, {"preflight", "collect", "--to", t.TempDir()}, {"size"}} {
		pid := filepath.Join(t.TempDir(), "pid")
		slow := filepath.Join(t.TempDir(), "slow")
		if err := os.WriteFile(slow, []byte("#!/bin/sh\necho $$ > "+pid+".new\nmv "+pid+".new "+pid+"\nexec sleep 600\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		plugin := &api.AuthInfo{Exec: &api.ExecConfig{Command: slow, APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode}}
		started := make(chan string, 1)
		go func() {
			for {
				if text, err := os.ReadFile(pid); err == nil {
					started <- strings.TrimSpace(string(text))
					_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		status, _, words := within(t, append(line, "--timeout", "10m", "--kubeconfig", pointed(t, apiServer(t, hanging), plugin))...)
		if status != exitUnchecked || !strings.Contains(words, "the run was ended") {
			t.Errorf("%v: status %d\n%s", line, status, words)
		}
		number, err := strconv.Atoi(<-started)
		if err != nil {
			t.Fatal(err)
		}
		if syscall.Kill(number, 0) == nil {
			t.Errorf("%v: the program still runs", line)
		}
	}
}

// R55: what no waiting mends ends a run at once, with what to do.
func TestWhatNoWaitingMends(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "")
	garbage := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(garbage, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := pointed(t, apiServer(t, forbidden), &api.AuthInfo{})
	unknown := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(unknown.Close)
	missing := &api.AuthInfo{Exec: &api.ExecConfig{Command: "/no/such", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode}}
	for want, line := range map[string][]string{
		"fix: give --kubeconfig FILE": nil, "fix: give --kubeconfig, or KUBECONFIG": {"--kubeconfig", "/no/such"},
		"fix: mend the kubeconfig": {"--kubeconfig", garbage}, "fix: mend the kubeconfig, or name another one": {"--kubeconfig", good, "--context", "none"},
		"fix: renew the credential": {"--kubeconfig", pointed(t, unknown.URL, &api.AuthInfo{Token: "t"})}, "fix: mend the program": {"--kubeconfig", pointed(t, unknown.URL, missing)},
	} {
		status, _, words := within(t, append([]string{"preflight", "--wait", "10m"}, line...)...)
		if status != exitUnchecked || !strings.Contains(strings.Join(strings.Fields(words), " "), want) || strings.Contains(words, "waiting") {
			t.Errorf("%v: status %d\n%s", line, status, words)
		}
	}
}

// R13, R55: warnings of the values are told as kora render tells them, and end the
// run under --strict alone.
func TestPreflightTellsWarningsOfTheValues(t *testing.T) {
	const doubtful = "agents.manifestPatches.50-a=null"
	_, _, rendered := ran(nil, append([]string{"render", "--set-json", doubtful}, installed...)...)
	first, _, _ := strings.Cut(rendered, "\n")
	if !strings.HasPrefix(first, "warning: ") {
		t.Fatalf("%s", rendered)
	}
	var asked atomic.Int32
	config := pointed(t, apiServer(t, func(w http.ResponseWriter, q *http.Request) { asked.Add(1); forbidden(w, q) }), &api.AuthInfo{})
	for _, command := range [][]string{{"preflight"}, {"preflight", "collect", "--to", t.TempDir()}} {
		line := append(command, "--no-services", "--set-json", doubtful, "--kubeconfig", config)
		if _, _, words := within(t, line...); !strings.Contains(words, first) || asked.Swap(0) == 0 {
			t.Errorf("%v: %s", line, words)
		}
	}
	for _, format := range []string{"text", "json"} {
		status, out, words := within(t, "preflight", "--strict", "-o", format, "--no-services", "--set-json", doubtful, "--kubeconfig", config)
		if status != exitRefused || !strings.Contains(words, strings.TrimPrefix(first, "warning: ")) || asked.Load() > 0 || !strings.Contains(out, "values") {
			t.Errorf("%s: status %d, %q\n%s", format, status, out, words)
		}
	}
}

// R55: a collection that lost a right leaves the dump that holds more, says what would
// be lost and how it is replaced all the same, and ends with status 3.
func TestCollectLeavesABetterDump(t *testing.T) {
	to := filepath.Join(t.TempDir(), "dump")
	nodes := func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/api/v1/nodes" {
			fmt.Fprint(w, `{"kind":"NodeList","apiVersion":"v1","items":[]}`)
			return
		}
		forbidden(w, q)
	}
	line := func(server string, more ...string) []string {
		return append([]string{"preflight", "collect", "--no-services", "--to", to, "--kubeconfig", pointed(t, server, &api.AuthInfo{})}, more...)
	}
	within(t, line(apiServer(t, nodes))...)
	before, err := os.ReadFile(filepath.Join(to, "facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	status, _, words := within(t, line(apiServer(t, forbidden))...)
	after, err := os.ReadFile(filepath.Join(to, "facts.json"))
	if status != exitUnchecked || err != nil || string(after) != string(before) || !strings.Contains(words, "stays as it was") || !strings.Contains(words, "the nodes") || !strings.Contains(words, "--replace") || strings.Contains(words, "wrote") {
		t.Errorf("status %d, %v\n%s", status, err, words)
	}
	status, _, words = within(t, line(apiServer(t, forbidden), "--replace")...)
	if after, err = os.ReadFile(filepath.Join(to, "facts.json")); status != exitUnchecked || err != nil || string(after) == string(before) || !strings.Contains(words, "wrote") {
		t.Errorf("status %d, %v\n%s", status, err, words)
	}
}
