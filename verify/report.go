package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/runkora/kora/internal/faults"
)

// Report is what a run found about all its artifacts, in the order they were
// given. Its JSON form is stable: Version rises when it breaks (R49).
type Report struct {
	Version   int       `json:"version"`
	Artifacts []Verdict `json:"artifacts"`
	// How many artifacts are verified, refused, and could not be checked.
	Verified  int `json:"verified"`
	Refused   int `json:"refused"`
	Unchecked int `json:"unchecked"`
}

// NewReport counts verdicts.
func NewReport(verdicts ...Verdict) Report {
	r := Report{Version: 1, Artifacts: []Verdict{}}
	for _, v := range verdicts {
		r.Artifacts = append(r.Artifacts, v.hushed())
		switch v.Outcome() {
		case Passed:
			r.Verified++
		case Unchecked:
			r.Unchecked++
		default:
			r.Refused++
		}
	}
	return r
}

// hushed is a verdict as it may be printed: what was given for an artifact that is
// not verified may be an address with a password. Its reasons are told in the words
// that its faults have.
func (v Verdict) hushed() Verdict {
	if v.Verified() {
		return v
	}
	v.Artifact, v.Reasons = faults.Hush(v.Artifact), slices.Clone(v.Reasons)
	for i := range v.Reasons {
		for _, text := range []*string{&v.Reasons[i].Evidence, &v.Reasons[i].Message, &v.Reasons[i].Fix} {
			*text = faults.Hush(*text)
		}
	}
	return v
}

// Faults returns the faults of every artifact that is not verified.
func (r Report) Faults() faults.List {
	var out faults.List
	for _, v := range r.Artifacts {
		out = append(out, v.Faults()...)
	}
	return out
}

// JSON returns the report for programs.
func (r Report) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	return faults.EscapeJSON(b.Bytes()), nil
}

// Line is the verdict in one line: a mark, the artifact, its digest where it is
// known, and who signed it or how it fared.
func (v Verdict) Line() string {
	words := v.words()
	if v.Verified() {
		words = v.Signers[0].words()
	}
	text := v.Outcome().mark() + " " + v.Artifact
	if v.Digest != "" {
		text += " " + v.Digest
	}
	return printable(text + " " + words)
}

func (v Verdict) words() string {
	switch {
	case v.Kind == NotSigned:
		return "not signed"
	case v.Kind != CouldNotCheck && v.Unread:
		return "refused"
	case v.Kind == NoneMatches:
		return "signed, but not by whom or for what was asked"
	case v.Kind == CouldNotCheck:
		return "could not be checked"
	case v.Digest == "": // there was nothing to look at: no evidence of it is wrong
		return "refused"
	}
	return "its evidence is malformed or wrong"
}

func (s Signer) words() string {
	who := s.Identity
	if s.Key != "" {
		who = s.Key
	}
	text := "signed by " + who
	if s.PredicateType != "" {
		text = s.PredicateType + " " + text
	}
	if s.Time != nil {
		text += " at " + s.Time.Format(time.RFC3339)
	}
	if s.LogIndex != nil {
		text += fmt.Sprintf(", log entry %d", *s.LogIndex)
	}
	return text
}

// printable keeps what a stranger wrote on its line and off the terminal, and
// shows where something stands that has no shape of its own.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}
