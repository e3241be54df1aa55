//go:build browser

package theme

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/runkora/kora/internal/source"
)

// chromium is the browser in which the preview is opened. A run that lacks it
// fails: it is asked for by the tag browser alone (make test-browser), which CI
// always does.
func chromium(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("chromium is not on PATH, so the preview was opened in no browser: install Debian's package chromium")
	}
	return path
}

// opened is what a browser made of a page: the document after it was laid out,
// and its console.
type opened struct{ dom, console string }

// open loads an address in a browser of its own. Every host below .example is
// the server of the test, and no other name resolves: nothing leaves the machine.
func open(t *testing.T, address string, host string) opened {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--ignore-certificate-errors", "--host-resolver-rules=MAP *.example "+host+", MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir="+t.TempDir(),
		"--virtual-time-budget=5000", "--enable-logging=stderr", "--v=0", "--dump-dom", address)
	cmd.WaitDelay = 5 * time.Second
	var dom, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &dom, &words
	if err := cmd.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, words.String())
	}
	var console []string
	for line := range strings.SplitSeq(words.String(), "\n") {
		if strings.Contains(line, "CONSOLE") {
			console = append(console, line)
		}
	}
	return opened{dom.String(), strings.Join(console, "\n")}
}

// assets is a web server with every logo and font there is. It remembers what
// was asked for.
type assets struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
	pages map[string]string
}

func serve(t *testing.T, pages map[string]string) *assets {
	t.Helper()
	a := &assets{pages: pages}
	a.Server = httptest.NewUnstartedServer(a)
	a.Config.ErrorLog = log.New(io.Discard, "", 0)
	a.StartTLS()
	t.Cleanup(a.Close)
	return a
}

func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if page, ok := a.pages[r.URL.Path]; ok {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
		return
	}
	a.mu.Lock()
	a.asked = append(a.asked, "https://"+r.Host+r.URL.String())
	a.mu.Unlock()
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><path d="M0 0h9v9z"/></svg>`))
}

func (a *assets) host(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(a.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// requested are the addresses that were asked for, each once, sorted.
func (a *assets) requested() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := slices.Clone(a.asked)
	slices.Sort(out)
	return slices.Compact(out)
}

func complete(t *testing.T) *Theme {
	t.Helper()
	text, err := os.ReadFile("../../testdata/theme/complete.yaml")
	if err != nil {
		t.Fatal(err)
	}
	theme, found := Parse(source.NewFile("complete.yaml", string(text)), "1.4.0")
	if theme == nil {
		t.Fatal(found)
	}
	return theme
}

func pageFile(t *testing.T, page string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// blocked is what the console says of a policy that stopped something.
var blocked = regexp.MustCompile(`(?i)content security policy|refused to`)

// R37: in a real browser the page runs no script, its policy blocks nothing
// that it needs, and it asks for exactly the assets of the theme.
func TestBrowserDrawsThePage(t *testing.T) {
	theme, server := complete(t), serve(t, nil)
	got := open(t, pageFile(t, draw(t, theme)), server.host(t))
	if blocked.MatchString(got.console) {
		t.Errorf("the policy blocks a part of the page:\n%s", got.console)
	}
	if strings.Contains(got.dom, "<script") || !strings.Contains(got.dom, "Sign in to Northwind Agents") {
		t.Errorf("the document after loading:\n%s", got.dom)
	}
	var want []string
	for _, s := range Settings() {
		if v := theme.Value(s.Path); strings.HasPrefix(v, "https://") {
			want = append(want, v)
		}
	}
	slices.Sort(want)
	if !slices.Equal(server.requested(), want) {
		t.Errorf("the browser asked for\n%q, want\n%q", server.requested(), want)
	}
}

// R37: the policy is real: a script, a style, an image of another scheme and
// an event that somebody plants in the page are blocked, and the console of
// this test would say so.
func TestBrowserBlocksWhatIsPlanted(t *testing.T) {
	server := serve(t, nil)
	theme, _ := parse(t, head)
	planted := `<p id="p" style="color:red">x</p><style>p{color:red}</style><img src="http://a.example/x.svg"/>` +
		`<img src="data:,x" onerror="document.title='harmed'"/><script>document.title='harmed'</script>`
	got := open(t, pageFile(t, strings.Replace(draw(t, theme), "</main>", planted+"</main>", 1)), server.host(t))
	if n := len(blocked.FindAllString(got.console, -1)); n < 4 {
		t.Errorf("the console tells of %d blocked parts:\n%s", n, got.console)
	}
	if strings.Contains(got.dom, "<title>harmed") || len(server.requested()) > 0 {
		t.Errorf("what was planted had an effect: %q", server.requested())
	}
}

// R37, security: what an attacker writes into a document, in the places that
// Parse lets through, stays text.
func TestBrowserTakesHostileEntriesForText(t *testing.T) {
	server := serve(t, nil)
	text := head + "productName: \"A & B's (x)\"\n"
	for _, s := range breakouts() {
		text += yamlText(s) + ": 1\n"
	}
	theme, found := parse(t, text)
	if theme == nil {
		t.Fatal(found)
	}
	got := open(t, pageFile(t, draw(t, theme)), server.host(t))
	if blocked.MatchString(got.console) || len(server.requested()) > 0 || strings.Contains(got.dom, "<script") {
		t.Errorf("console %s, asked for %q", got.console, server.requested())
	}
}

// R37: the page is as wide as the window of a laptop and of a phone, and no
// wider: a frame of that size never scrolls sideways.
func TestBrowserNeedsNoSidewaysScrolling(t *testing.T) {
	theme, _ := parse(t, head+"productName: "+strings.Repeat("W", 40)+"\n"+strings.Repeat("k", 300)+": 1\n")
	const frame = `<!DOCTYPE html><title></title><iframe src="/page" width="%" height="900"></iframe>
<script>onload = () => { const p = document.querySelector("iframe").contentDocument.documentElement; document.title = "width " + p.clientWidth + " of " + p.scrollWidth }</script>`
	page := draw(t, theme)
	wide := strings.Replace(page, "</main>", `<svg width="1300"></svg></main>`, 1)
	for _, c := range []struct {
		width, page string
		fits        bool
	}{{"1280", page, true}, {"390", page, true}, {"390", wide, false}} {
		server := serve(t, map[string]string{"/page": c.page, "/frame": strings.Replace(frame, "%", c.width, 1)})
		got := open(t, server.URL+"/frame", server.host(t))
		m := regexp.MustCompile(`<title>width (\d+) of (\d+)</title>`).FindStringSubmatch(got.dom)
		if m == nil || m[1] == m[2] != c.fits {
			t.Errorf("in %s pixels: %q, want it to fit: %v\n%s", c.width, m, c.fits, got.console)
		}
	}
}
