package gather

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// list makes the items of one list when they are asked for.
type list struct {
	n    int
	item func(int) any
}

// server is an API server that has what a test gives it, and nothing else.
type server struct {
	lists   map[string]list // by path, and ?label selector where one is sent
	objects map[string]any  // by path
	before  func(*http.Request)

	mutex sync.Mutex
	asked []string
	page  int // the largest that was asked for; -1: one was not paged
}

func items(all ...any) list { return list{len(all), func(i int) any { return all[i] }} }

// ServeHTTP is of http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if s.before != nil {
		s.before(q)
	}
	s.mutex.Lock()
	s.asked = append(s.asked, q.Method+" "+q.URL.Path)
	s.mutex.Unlock()
	w.Header().Set("Content-Type", "application/json")
	key := q.URL.Path
	if selector := q.URL.Query().Get("labelSelector"); selector != "" {
		key += "?" + selector
	}
	if l, ok := s.lists[key]; ok {
		s.write(w, q, l)
		return
	}
	if o, ok := s.objects[q.URL.Path]; ok {
		_ = json.NewEncoder(w).Encode(o)
		return
	}
	w.WriteHeader(http.StatusNotFound)
	_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Reason: metav1.StatusReasonNotFound, Code: 404, Message: q.URL.Path + " not found"})
}

// write gives one page, item by item.
func (s *server) write(w http.ResponseWriter, q *http.Request, l list) {
	limit, _ := strconv.Atoi(q.URL.Query().Get("limit"))
	from, _ := strconv.Atoi(q.URL.Query().Get("continue"))
	s.mutex.Lock()
	if limit == 0 {
		limit, s.page = l.n, -1
	} else if s.page >= 0 {
		s.page = max(s.page, limit)
	}
	s.mutex.Unlock()
	end, next := min(l.n, from+limit), ""
	if end < l.n {
		next = strconv.Itoa(end)
	}
	kind := ""
	if strings.HasPrefix(q.URL.Path, "/apis/spire.spiffe.io/") { // the others are known by their path
		kind = `"apiVersion":"spire.spiffe.io/v1alpha1","kind":"ClusterSPIFFEIDList",`
	}
	fmt.Fprintf(w, `{%s"metadata":{"continue":%q},"items":[`, kind, next)
	for i := from; i < end; i++ {
		if i > from {
			fmt.Fprint(w, ",")
		}
		_ = json.NewEncoder(w).Encode(l.item(i))
	}
	fmt.Fprint(w, "]}")
}

// at starts the server for a test.
func (s *server) at(t *testing.T) *rest.Config {
	t.Helper()
	if s.objects == nil {
		s.objects = map[string]any{}
	}
	s.objects["/version"] = map[string]string{"gitVersion": "v1.36.3"}
	h := httptest.NewServer(s)
	t.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	return &rest.Config{Host: h.URL, QPS: -1}
}

func (s *server) paths() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	out := slices.Clone(s.asked)
	slices.Sort(out)
	return slices.Compact(out)
}

// look is one run against it.
func (s *server) look(t *testing.T, r Request) *facts.Facts {
	t.Helper()
	f, err := Cluster(t.Context(), s.at(t), r)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func settings() preflight.Settings {
	return preflight.Settings{
		Namespace: "kora-system", PlatformSecret: "kora-secrets", FrontendSecret: "kora-frontend-secrets", PullSecrets: []string{"pull"}, RedisCA: "redis-ca", Certificate: "tls",
		SandboxMount: preflight.Mount{Enabled: true, Namespace: "kora-sandbox-mount"},
		Database:     preflight.Endpoint{Host: "127.0.0.1", Port: 1, Database: "kora", User: "kora", TLS: "disable"},
		Redis:        preflight.Endpoint{Host: "127.0.0.1", Port: 1, TLS: "disable"},
	}
}

// pod is one that is ready on a node.
func pod(namespace, name, node, image string, labels map[string]string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels},
		Spec:       corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "discovery", Image: image}}},
		Status:     corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
}

func body(text []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(text)) }
