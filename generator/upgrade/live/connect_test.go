package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/internal/kube"
)

const planted = "planted-of-a-program"

// kubeconfig names a server, and a program that a shell runs for a credential
// unless it is empty.
func kubeconfig(t *testing.T, answer http.HandlerFunc, script string) string {
	t.Helper()
	s := httptest.NewTLSServer(answer) // without TLS no credential is sent
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	dir, user := t.TempDir(), "{}"
	if script != "" {
		program := filepath.Join(dir, "program")
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		user = "{ exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: " + program + " } }"
	}
	path := filepath.Join(dir, "kubeconfig")
	text := "apiVersion: v1\nkind: Config\ncurrent-context: x\n" +
		"clusters: [{ name: c, cluster: { insecure-skip-tls-verify: true, server: \"" + s.URL + "\" } }]\n" +
		"contexts: [{ name: x, context: { cluster: c, user: u } }]\n" +
		"users: [{ name: u, user: " + user + " }]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(ctx context.Context, path string) error {
	client, err := Connect(ctx, kube.Place{Kubeconfig: path})
	if err == nil {
		_, err = Read(ctx, client, "kora-system")
	}
	return err
}

func none(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{"kind":"SecretList","apiVersion":"v1","items":[]}`)
}

// R55, R56: the program of a kubeconfig logs in here as for every command: what it
// prints is bounded and told nowhere, and it ends with the run.
func TestTheProgramOfAKubeconfigIsBounded(t *testing.T) {
	good := `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"` + planted + `"}}'`
	if err := read(t.Context(), kubeconfig(t, none, good)); err != nil {
		t.Error(err)
	}
	var program *kube.NoCredential
	for want, script := range map[string]string{
		"prints more than 1 MiB":    "while :; do echo " + strings.Repeat(planted, 100) + "; done",
		"prints no ExecCredential":  "echo " + planted,
		"it started holds its outp": good + "; sleep 60 &",
	} {
		err := read(t.Context(), kubeconfig(t, none, script))
		if !errors.As(err, &program) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), planted) {
			t.Errorf("%q: %v", want, err)
		}
	}
	started := filepath.Join(t.TempDir(), "started")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := make(chan error, 1)
	path := kubeconfig(t, none, "touch "+started+"\nexec sleep 600")
	go func() { got <- read(ctx, path) }()
	for _, err := os.Stat(started); err != nil; _, err = os.Stat(started) {
		select {
		case err := <-got:
			t.Fatalf("it ended before the program began: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// R56: a history of more than one answer may hold is read page by page, in the
// order of the revisions.
func TestALongHistoryIsReadPageByPage(t *testing.T) {
	const revisions = 12
	padding := strings.Repeat("x", kube.AnswerLimit/8)
	path := kubeconfig(t, func(w http.ResponseWriter, q *http.Request) {
		query := q.URL.Query()
		from, _ := strconv.Atoi(query.Get("continue"))
		limit, err := strconv.Atoi(query.Get("limit"))
		if err != nil {
			limit = revisions
		}
		to := min(from+limit, revisions)
		list := corev1.SecretList{TypeMeta: metav1.TypeMeta{Kind: "SecretList", APIVersion: "v1"}}
		if to < revisions {
			list.Continue = strconv.Itoa(to)
		}
		for n := revisions - from; n > revisions-to; n-- {
			list.Items = append(list.Items, corev1.Secret{Data: map[string][]byte{"release": packed(t, fmt.Sprintf(`{"version":%d}`, n)), "padding": []byte(padding)}})
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(list); err != nil {
			t.Log(err) // the client has heard enough
		}
	}, "")
	client, err := Connect(t.Context(), kube.Place{Kubeconfig: path})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(t.Context(), client, "kora-system")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Kora) != revisions || got.Kora[0].Number != 1 || got.Kora[revisions-1].Number != revisions {
		t.Errorf("%+v", got.Kora)
	}
}

// R56: an answer that is no list, and a Secret that is no record, are told without
// a word of what they hold.
func TestAnAnswerThatIsNoneIsNotQuoted(t *testing.T) {
	for want, text := range map[string]string{
		"cannot be read":                  `{"kind":"SecretList","apiVersion":"v1","items":"` + planted + `"}`,
		"the Secret a: it is not a recor": `{"kind":"SecretList","apiVersion":"v1","items":[{"metadata":{"name":"a"},"data":{"release":"AAAA"}}]}`,
	} {
		err := read(t.Context(), kubeconfig(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, text)
		}, ""))
		if err == nil || !strings.Contains(kube.Fault(err).Message, want) || strings.Contains(kube.Fault(err).Message, planted) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
