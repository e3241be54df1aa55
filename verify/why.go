package verify

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	sgverify "github.com/sigstore/sigstore-go/pkg/verify"

	"github.com/runkora/kora/verify/evidence"
)

// skew is how far another clock may be ahead of this one.
const skew = 5 * time.Minute

// future is the reason of evidence whose log or timestamp authority gives a
// time that has not come: a clock is wrong, or a key signs what it likes.
func (v *Verifier) future(item evidence.Item, result *sgverify.VerificationResult) *Reason {
	now := v.now()
	for _, t := range result.VerifiedTimestamps {
		if t.Timestamp.After(now.Add(skew)) {
			return &Reason{
				Evidence: item.Name, Kind: BadEvidence, Fix: "compare the clock of this machine; when it is right, do not use the artifact",
				Message: fmt.Sprintf("it is of the future: it was signed at %s, and it is %s", t.Timestamp.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339)),
			}
		}
	}
	return nil
}

// otherwise is the reason of evidence that is signed in another way than was
// asked for: well-formed, and somebody else's.
func (v *Verifier) otherwise(item evidence.Item) *Reason {
	content, err := item.Bundle.VerificationContent()
	if err != nil {
		return nil // the check says it
	}
	r := &Reason{Evidence: item.Name, Kind: NoneMatches}
	switch {
	case v.policy.Key() != nil && content.Certificate() != nil:
		r.Message = "it is signed by somebody else: the holder of a certificate, and not the key that was asked for"
		r.Fix = "leave --key out and say whose certificate is meant, or get what the key signed"
	case v.policy.Key() == nil && content.Certificate() == nil && content.PublicKey() != nil:
		r.Message = "it is signed by somebody else: a key alone, and nobody with a certificate"
		r.Fix = "give the public key with --key, if you trust it"
	default:
		return nil
	}
	return r
}

// failure is why evidence does not hold under one root.
type failure struct {
	text string
	// foreign tells that the evidence is of an instance which the root does not
	// know; fix is what to do, where there is something.
	foreign bool
	fix     string
}

// underOne looks for a root under which the evidence holds. Of several the
// reasons are told: all of them, or those of the roots that know its instance.
func (v *Verifier) underOne(a Artifact, item evidence.Item) (check, *sgverify.VerificationResult, *Reason) {
	var all []failure
	kind := BadEvidence
	for _, c := range v.checks {
		result, err := c.run(a, item)
		if err == nil {
			return c, result, nil
		}
		if errors.Is(err, errNeedsBytes) {
			kind = CouldNotCheck
		}
		f := c.explain(item, err)
		if len(v.checks) > 1 && c.root != "" {
			f.text = "under " + c.root + " " + f.text
		}
		all = append(all, f)
	}
	if otherFile(item, a) {
		return check{}, nil, &Reason{
			Evidence: item.Name, Kind: NoneMatches, Message: "it signs another artifact, whose digest it gives as " + digestOf(item),
			Fix: "give the artifact and the evidence of the same release",
		}
	}
	r := told(all)
	r.Evidence, r.Kind = item.Name, kind
	if kind == CouldNotCheck {
		r.Fix = fixOf(kind)
	}
	return check{}, nil, r
}

func told(all []failure) *Reason {
	if own := slices.DeleteFunc(slices.Clone(all), func(f failure) bool { return f.foreign }); len(own) > 0 {
		all = own
	}
	r := &Reason{}
	if len(all) > 1 && all[0].foreign {
		return &Reason{Message: "it is of an instance that is in none of these roots", Fix: all[0].fix}
	}
	var texts []string
	for _, f := range all {
		texts, r.Fix = append(texts, f.text), f.fix
	}
	r.Message = strings.Join(slices.Compact(texts), "; ")
	return r
}

// explain says in kora's words what the verifier says in its own, where a
// person can do something about it.
func (c check) explain(item evidence.Item, err error) failure {
	entries := item.Bundle.GetVerificationMaterial().GetTlogEntries()
	logs := len(c.logs()) > 0
	switch what := c.unknown(item); {
	case errors.Is(err, errNeedsBytes):
		return failure{text: plain(err)}
	case what != "":
		return failure{
			text: fmt.Sprintf("its %s is not in this root", what), foreign: true,
			fix: "give --trusted-root of the instance that signed it, if you trust that instance",
		}
	case logs && len(entries) == 0 && c.bundleKey(item):
		return failure{
			text: "it has no entry in a transparency log, and --trusted-root asks for one beside the key",
			fix:  "leave --trusted-root out to take the key's word alone, or get a bundle with its log entry",
		}
	case logs && len(entries) == 0:
		return failure{text: "it has no entry in a transparency log, and this root's instance has one"}
	case strings.Contains(err.Error(), "threshold not met for verified"):
		return failure{text: "nothing shows when it was signed: neither a log nor a timestamp authority of this root gives a timestamp for it" + causeOf(err)}
	}
	return failure{text: plain(err)}
}

// noVerb is what fmt writes of a value that it cannot: the verifier formats an
// error that may be nil.
var noVerb = regexp.MustCompile(`[;:,]?( error:)? ?%!\w?\([^()]*(\([^()]*\))?\)`)

// causeOf is what follows the verifier's words about a missing time.
func causeOf(err error) string {
	_, cause, found := strings.Cut(plain(err), "; error: ")
	if !found || cause == "" {
		return ""
	}
	return " (" + cause + ")"
}

// plain puts the verifier's own words on one line, without what a stranger
// could have put there to look like another line.
func plain(err error) string {
	const most = 400
	text := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, noVerb.ReplaceAllString(err.Error(), ""))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
