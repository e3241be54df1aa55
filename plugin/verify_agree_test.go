package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/sigstoretest"
)

// agree VERIFIED REFUSED UNCHECKED kora verify … runs a command in each of its
// formats, and holds that marks, counts, faults, summaries and exit status say
// the same: 1 where something was refused, else 3 where something could not be
// checked (R49).
func agree(ts *testscript.TestScript, _ bool, args []string) {
	var want counts
	_, err := fmt.Sscan(strings.Join(args[:3], " "), &want.verified, &want.refused, &want.unchecked)
	ts.Check(err)
	status := exitDone
	switch {
	case want.refused > 0:
		status = exitRefused
	case want.unchecked > 0:
		status = exitUnchecked
	}
	run := func(more ...string) string { return answered(ts, status, append(args[3:], more...)...) }
	want.inText(ts, run())
	names := want.inJSON(ts, run("-o", "json"))
	if status != exitDone { // of a whole run the report is the result
		want.inFaults(ts, run("--diagnostics", "json"))
	}
	want.inSummaries(ts, run, names)
}

// counts are those of the artifacts of a run.
type counts struct{ verified, refused, unchecked int }

// answered returns what a command prints, and holds its exit status.
func answered(ts *testscript.TestScript, status int, args ...string) string {
	err := ts.Exec("sh", append([]string{"-c", `"$@"; echo "status $?" >agreed`, "sh"}, args...)...)
	ts.Check(err)
	if got := ts.ReadFile("agreed"); got != fmt.Sprintf("status %d\n", status) {
		ts.Fatalf("%q: %s, and not %d", args, got, status)
	}
	return ts.ReadFile("stdout")
}

func (c counts) inText(ts *testscript.TestScript, text string) {
	got := counts{strings.Count("\n"+text, "\n✓ "), strings.Count("\n"+text, "\n✗ "), strings.Count("\n"+text, "\n? ")}
	summary := fmt.Sprintf("%d of %d verified", c.verified, c.verified+c.refused+c.unchecked)
	if c.refused > 0 {
		summary += fmt.Sprintf(", %d refused", c.refused)
	}
	if c.unchecked > 0 {
		summary += fmt.Sprintf(", %d could not be checked", c.unchecked)
	}
	if got != c || !strings.HasSuffix(text, "\n"+summary+"\n") {
		ts.Fatalf("the text has other marks than %+v, or another summary than %q:\n%s", c, summary, text)
	}
}

// inJSON returns how many names those that were refused have, or all where none
// was: the signature and the provenance of a file are two artifacts of a report.
// One without a digest can have no summary.
func (c counts) inJSON(ts *testscript.TestScript, text string) (names int) {
	var r verify.Report
	ts.Check(json.Unmarshal([]byte(text), &r))
	named := map[string]bool{}
	var kinds counts
	for _, a := range r.Artifacts {
		if a.Digest != "" && (c.refused == 0 || a.Outcome() == verify.Refused) {
			named[a.Artifact] = true
		}
		switch a.Kind {
		case verify.Verified:
			kinds.verified++
		case verify.CouldNotCheck:
			kinds.unchecked++
		default:
			kinds.refused++
		}
	}
	if kinds != c || (counts{r.Verified, r.Refused, r.Unchecked}) != c {
		ts.Fatalf("the report is not of %+v:\n%s", c, text)
	}
	return len(named)
}

func (c counts) inFaults(ts *testscript.TestScript, text string) {
	var r struct{ Faults faults.List }
	ts.Check(json.Unmarshal([]byte(text), &r))
	refuses, unchecked := false, false
	for _, f := range r.Faults {
		refuses = refuses || f.Severity == faults.Error && !f.Code.Unchecked()
		unchecked = unchecked || f.Severity == faults.Error && f.Code.Unchecked()
	}
	if refuses != (c.refused > 0) || c.unchecked > 0 && !unchecked {
		ts.Fatalf("the faults are not of %+v:\n%s", c, text)
	}
}

// inSummaries holds that what was not checked allows no summary, and that there
// is none PASSED where not all is verified.
func (c counts) inSummaries(ts *testscript.TestScript, run func(...string) string, names int) {
	run("--vsa", "agreed.vsa")
	path := ts.MkAbs("agreed.vsa")
	data, err := os.ReadFile(path)
	passed, failed := strings.Count(string(data), `"PASSED"`), strings.Count(string(data), `"verificationResult":"FAILED"`)
	switch {
	case (c.unchecked > 0 || names == 0) && os.IsNotExist(err):
	case c.unchecked == 0 && c.refused == 0 && passed == names && failed == 0:
	case c.unchecked == 0 && c.refused > 0 && passed == 0 && failed == names:
	default:
		ts.Fatalf("the summaries are not of %+v: %v\n%s", c, err, data)
	}
}

// halfway REPO:TAG puts an artifact there whose good signatures the registry
// does not give away; junk, and somebody else's signature, lie beside them.
func halfway(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value("shelf").(*shelf)
	repo, tag, _ := strings.Cut(args[0], ":")
	before := r.signed[repo]
	d := r.imageOrChart(repo, tag)
	digest := d["digest"].(string)
	good := r.s.SignImage(sigstoretest.Kora("1.4.0"), digest)
	r.attach(repo, d, []byte(`{"junk":`))
	r.attach(repo, d, r.s.SignImage(sigstoretest.GitHub("example/kora", ".github/workflows/build.yml", "refs/heads/main"), digest))
	r.attach(repo, d, good)
	ts.Check(r.err)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status[sigstoretest.DigestOf(good)] = 403
	if before != "" {
		r.status[before] = 403
	}
}

// shelved gives the repository of REPO:TAG, the digest of what is there, and its
// descriptor.
func (r *shelf) shelved(ts *testscript.TestScript, tagged string) (repo, digest string, d desc) {
	repo, _, _ = strings.Cut(tagged, ":")
	ref, err := name.ParseReference(r.host + "/" + tagged)
	ts.Check(err)
	got, err := remote.Head(ref)
	ts.Check(err)
	return repo, got.Digest.String(), desc{"mediaType": got.MediaType, "digest": got.Digest.String(), "size": got.Size}
}

// oversized REPO:TAG puts a signature of more bytes than kora reads beside an
// artifact.
func oversized(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value("shelf").(*shelf)
	repo, digest, d := r.shelved(ts, args[0])
	r.attach(repo, d, append(r.s.SignImage(sigstoretest.Kora("1.4.0"), digest), bytes.Repeat([]byte(" "), evidence.MaxBundle)...))
	ts.Check(r.err)
}

// resigned REPO:TAG [STATUS] signs an artifact twenty times again, an hour
// later, and lets the registry answer so for the first signature of all.
func resigned(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value("shelf").(*shelf)
	repo, digest, d := r.shelved(ts, args[0])
	for range 20 {
		r.attach(repo, d, r.s.SignImage(sigstoretest.Kora("1.4.0"), digest, sigstoretest.Shape{At: sigstoretest.Now.Add(time.Hour)}))
	}
	ts.Check(r.err)
	if len(args) > 1 {
		answers(ts, false, []string{r.signed[repo], args[1]})
	}
}
