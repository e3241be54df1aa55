package main

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	api "k8s.io/client-go/tools/clientcmd/api"

	"github.com/runkora/kora/plugin/preflight"
)

// R55: whatever a run cannot look by, stdout has the document of -o and stderr the
// faults, and every format ends with the same status.
func TestARunThatSawNothingHasADocument(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	gone := httptest.NewServer(nil)
	gone.Close()
	garbage, cut := filepath.Join(t.TempDir(), "config"), t.TempDir()
	for path, text := range map[string]string{garbage: "{", filepath.Join(cut, "facts.json"): `{"form":`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refusing := func(code int) string {
		s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
		t.Cleanup(s.Close)
		return pointed(t, s.URL, &api.AuthInfo{Token: "t"})
	}
	for name, c := range map[string]struct {
		line   []string
		by     string
		status int
		fault  string
	}{
		"an unreachable cluster": {[]string{"--kubeconfig", pointed(t, gone.URL, &api.AuthInfo{})}, "cluster", exitUnchecked, "KORA-K001"},
		"a bad kubeconfig":       {[]string{"--kubeconfig", garbage}, "cluster", exitUnchecked, "KORA-K001"},
		"401":                    {[]string{"--kubeconfig", refusing(http.StatusUnauthorized)}, "cluster", exitUnchecked, "KORA-K002"},
		"403":                    {[]string{"--kubeconfig", refusing(http.StatusForbidden)}, "cluster", exitUnchecked, "KORA-K002"},
		"a bundle that is cut":   {[]string{"--bundle", cut}, "bundle", exitUnchecked, "KORA-K005"},
		"no bundle":              {[]string{"--bundle", "/no/such"}, "bundle", exitUnchecked, "KORA-K005"},
		"values":                 {[]string{"--set", "frontendHost=%", "--bundle", cut}, "values", exitRefused, "KORA-V"},
	} {
		for _, format := range preflight.Formats() {
			for _, diagnostics := range []string{"text", "json"} {
				status, out, words := ran(nil, append(append(append([]string{"preflight", "-o", format, "--diagnostics", diagnostics, "--only", "storage"}, installed...), "--timeout", "20s"), c.line...)...)
				if status != c.status || !strings.Contains(words, c.fault) || (diagnostics == "json") != json.Valid([]byte(words)) {
					t.Errorf("%s, %s, %s: status %d, want %d\n%s", name, format, diagnostics, status, c.status, words)
				}
				if !blocked(t, format, out, c.by, c.status == exitRefused) {
					t.Errorf("%s, %s, %s: no whole document\n%s", name, format, diagnostics, out)
				}
			}
		}
	}
}

// blocked reports whether a report of the check storage-class says what blocked it,
// and whether that failed or could not be read.
func blocked(t *testing.T, format, text, by string, failed bool) bool {
	t.Helper()
	switch format {
	case "json":
		var r preflight.Report
		if err := json.Unmarshal([]byte(text), &r); err != nil || len(r.Checks) != 2 {
			return false
		}
		return r.Checks[0].ID == by && len(r.Checks[0].Findings) > 0 && r.Checks[0].Findings[0].Message != "" && r.Checks[1].BlockedBy[0] == by && r.Refused() == failed && r.Undecided() != failed
	case "junit":
		var s struct {
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
		}
		return xml.Unmarshal([]byte(text), &s) == nil && s.Skipped == 1 && (s.Failures == 1) == failed && (s.Errors == 1) != failed && strings.Contains(text, "blocked by "+by)
	}
	mark := "????"
	if failed {
		mark = "FAIL"
	}
	return strings.Contains(text, mark+"  "+by+"\n") && strings.Contains(text, "skip  storage-class: blocked by "+by+"\n")
}

// R55: a cluster that forbids all but its version is judged, and what it forbids
// is said in the document: no fault is left for standard error.
func TestWhatIsForbiddenIsInTheDocument(t *testing.T) {
	config := pointed(t, apiServer(t, forbidden), &api.AuthInfo{})
	for _, format := range preflight.Formats() {
		for _, diagnostics := range []string{"text", "json"} {
			status, out, words := within(t, "preflight", "-o", format, "--diagnostics", diagnostics, "--only", "storage", "--kubeconfig", config)
			if status != exitUnchecked || words != "" || !strings.Contains(out, "forbidden") || !strings.Contains(out, "storage-class") {
				t.Errorf("%s, %s: status %d\n%s%s", format, diagnostics, status, out, words)
			}
		}
	}
}

// R55: a report names the context, the server and the namespace that it is of, and so
// does one of a bundle; a password in an address stands in none.
func TestReportsNameWhatTheyAreOf(t *testing.T) {
	server := apiServer(t, forbidden)
	config := pointed(t, strings.Replace(server, "https://", "https://ann:planted@", 1), &api.AuthInfo{})
	dump := filepath.Join(t.TempDir(), "dump")
	within(t, "preflight", "collect", "--no-services", "--to", dump, "--kubeconfig", config)
	for _, from := range [][]string{{"--kubeconfig", config}, {"--bundle", dump}} {
		for _, format := range preflight.Formats() {
			_, out, words := within(t, append([]string{"preflight", "-o", format, "--only", "kubernetes-version", "--namespace", "kora-mine"}, from...)...)
			for _, part := range []string{server, "kora-mine", "pass"} {
				if !strings.Contains(out, part) && !(part == "pass" && format == "junit") {
					t.Errorf("%s %v: no %s in\n%s%s", format, from, part, out, words)
				}
			}
			if strings.Contains(out+words, "planted") {
				t.Errorf("%s %v: a password in\n%s%s", format, from, out, words)
			}
		}
	}
}
