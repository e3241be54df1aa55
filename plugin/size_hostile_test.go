package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// answering writes a kubeconfig of a server that answers a path with a list.
func answering(t *testing.T, lists map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, lists[q.URL.Path])
	}))
	t.Cleanup(s.Close)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	text := "apiVersion: v1\nkind: Config\ncurrent-context: x\nusers: []\n" +
		"clusters: [{ name: c, cluster: { server: \"" + s.URL + "\" } }]\ncontexts: [{ name: x, context: { cluster: c } }]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// R10, R55: a node whose allocatable is no quantity is told, and is neither a crash
// nor a node of size zero: nothing is judged. One that is absent or below zero is a
// node with no room, and that is told as well.
func TestANodeOfNoQuantity(t *testing.T) {
	const pods = `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}`
	node := func(cpu string) string {
		return `{"kind":"NodeList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"a"},"status":{"allocatable":{"cpu":` + cpu +
			`,"memory":"14Gi","ephemeral-storage":"20Gi"},"conditions":[{"type":"Ready","status":"True"}]}}]}`
	}
	for cpu, want := range map[string]string{
		`"abc"`: "the API server's answer cannot be read", `""`: "the API server's answer cannot be read", `{}`: "the API server's answer cannot be read", `"1e99999"`: "", `"-1"`: "a sandbox of this size fits no node", `null`: "a sandbox of this size fits no node", `"3900m"`: "",
	} {
		kubeconfig := answering(t, map[string]string{"/api/v1/nodes": node(cpu), "/api/v1/pods": pods})
		status, out, words := ran(nil, "size", "--kubeconfig", kubeconfig)
		unread := strings.Contains(want, "cannot be read")
		if unread != (status == exitUnchecked) || unread != (out == "") || !strings.Contains(words, want) || strings.Contains(words, "abc") {
			t.Errorf("%s: status %d, %q\n%s", cpu, status, out, words)
		}
	}
}
