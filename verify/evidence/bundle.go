package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/sigstore/sigstore-go/pkg/bundle"
)

// errBare is a DSSE envelope without what a bundle puts around it. Most
// .intoto.jsonl files of before 2024 are such (R47).
var errBare = errors.New("a bare DSSE envelope has neither a log entry nor a time: nothing shows when it was signed, and whether its certificate was valid then")

const bareFix = "get the attestation as a Sigstore bundle, such as gh attestation download writes, or a release that was made later"

const limitFix = "see what it is: kora reads no more than this of any evidence; give the evidence alone, without what lies beside it"

const olderFix = "make the bundle with cosign 3, or with cosign 2 and --new-bundle-format"

// mediaTypes are those of the bundles v0.1 to v0.3, in both spellings of v0.3.
func knownMediaType(t string) bool {
	switch t {
	case "application/vnd.dev.sigstore.bundle+json;version=0.1",
		"application/vnd.dev.sigstore.bundle+json;version=0.2",
		"application/vnd.dev.sigstore.bundle+json;version=0.3",
		"application/vnd.dev.sigstore.bundle.v0.3+json":
		return true
	}
	return false
}

// foldBundle is how deep a bundle's own fields lie.
const foldBundle = 16

func parseBundle(r Raw) (Item, error) {
	if err := strict(r.Bytes, MaxBundle, foldBundle); err != nil {
		return Item{}, err
	}
	if err := recognise(r.Bytes); err != nil {
		return Item{}, err
	}
	b := &bundle.Bundle{}
	if err := guarded(func() error { return b.UnmarshalJSON(r.Bytes) }); err != nil {
		return Item{}, fmt.Errorf("it is not a Sigstore bundle: %w", err)
	}
	return newItem(r.Name, b)
}

// recognise tells other kinds of evidence from a bundle by their keys, so that
// the message can say what it is.
func recognise(data []byte) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return notJSON(err)
	}
	has := func(names ...string) bool {
		for _, n := range names {
			if _, ok := keys[n]; !ok {
				return false
			}
		}
		return true
	}
	switch {
	case has("payload", "payloadType", "signatures"):
		return errBare
	case has("base64Signature"):
		return errOlder
	case has("_type", "subject"):
		return errors.New("it is a statement that nobody signed")
	case !has("mediaType"):
		return errors.New("it is not a Sigstore bundle: it has no mediaType")
	}
	var t string
	if err := json.Unmarshal(keys["mediaType"], &t); err != nil || !knownMediaType(t) {
		return fmt.Errorf("the media type %q is not that of a Sigstore bundle v0.1 to v0.3", short(t))
	}
	return nil
}

var errOlder = errors.New("it is a bundle of cosign's older form, which is no Sigstore bundle")

// newItem reads the statement of an attestation, and checks the envelope's form.
func newItem(name string, b *bundle.Bundle) (Item, error) {
	item := Item{Name: name, Bundle: b}
	if err := checkKinds(b); err != nil {
		return item, err
	}
	if b.GetMessageSignature() != nil {
		return item, checkMessage(b)
	}
	envelope := b.GetDsseEnvelope()
	switch n := len(envelope.GetSignatures()); {
	case envelope.GetPayloadType() != bundle.IntotoMediaType:
		return item, fmt.Errorf("the payload type %q is not %s", short(envelope.GetPayloadType()), bundle.IntotoMediaType)
	case n != 1:
		return item, fmt.Errorf("the envelope holds %d signatures, and exactly one is taken", n)
	case len(envelope.GetSignatures()[0].GetSig()) == 0:
		return item, errors.New("the envelope's signature is empty")
	}
	s, err := ParseStatement(envelope.GetPayload())
	if err != nil {
		return item, fmt.Errorf("the statement cannot be used: %w", err)
	}
	item.Statement = s
	return item, nil
}

// checkKinds holds that an entry is of the kind that it is said to be of: the
// log signs what the body says.
func checkKinds(b *bundle.Bundle) error {
	for _, e := range b.GetVerificationMaterial().GetTlogEntries() {
		said, err := kindOf(e.GetCanonicalizedBody())
		if err != nil {
			return fmt.Errorf("a log entry cannot be used: %w", err)
		}
		if k := e.GetKindVersion(); k.GetKind() != said.GetKind() || k.GetVersion() != said.GetVersion() {
			return fmt.Errorf("a log entry is said to be of the kind %s %s and is of the kind %s %s", short(k.GetKind()), short(k.GetVersion()), short(said.GetKind()), short(said.GetVersion()))
		}
	}
	return nil
}

func checkMessage(b *bundle.Bundle) error {
	m := b.GetMessageSignature()
	if len(m.GetSignature()) == 0 {
		return errors.New("the signature is empty")
	}
	if d := m.GetMessageDigest(); d == nil || len(d.GetDigest()) == 0 {
		return errors.New("the bundle does not say which digest was signed")
	}
	return nil
}

// guarded turns a panic of a parser into an error: a stranger's bytes may
// never end the program.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("its reader gave up on it")
		}
	}()
	return f()
}

func faultOf(name string, err error) Fault {
	f := Fault{Name: name, Err: err}
	switch {
	case errors.Is(err, errBare):
		f.Fix = bareFix
	case errors.As(err, new(LimitError)):
		f.Fix = limitFix
	case errors.Is(err, errOlder):
		f.Fix = olderFix
	}
	return f
}

// parseLines reads bundles that stand each on a line of its own. A file that is
// one JSON text, or of which no line is an object, is one bundle over several
// lines. A line that is malformed does not hide the others, wherever it stands.
func parseLines(r Raw) ([]Item, []Fault) {
	if len(r.Bytes) > MaxLines {
		return nil, []Fault{{Name: r.Name, Err: LimitError(fmt.Sprintf("it has %d bytes, and at most %d are read", len(r.Bytes), MaxLines))}}
	}
	lines := filled(r)
	switch {
	case len(lines) == 0:
		return nil, nil
	case len(lines) > 1 && (json.Valid(r.Bytes) || !slices.ContainsFunc(lines, object)):
		return one(Raw{Name: r.Name, Bytes: r.Bytes}, parseBundle)
	case len(lines) > MaxBundles:
		return nil, []Fault{{Name: r.Name, Err: LimitError(fmt.Sprintf("it has more than %d lines", MaxBundles))}}
	}
	var items []Item
	var found []Fault
	for _, l := range lines {
		i, f := one(l, parseBundle)
		items, found = append(items, i...), append(found, f...)
	}
	return items, found
}

// object reports whether a line is a whole JSON object.
func object(line Raw) bool {
	return bytes.HasPrefix(bytes.TrimSpace(line.Bytes), []byte("{")) && json.Valid(line.Bytes)
}

// filled returns the lines that are not blank, each named by its number.
func filled(r Raw) []Raw {
	var out []Raw
	for i, line := range bytes.Split(r.Bytes, []byte("\n")) {
		if len(bytes.TrimSpace(line)) > 0 {
			out = append(out, Raw{Name: fmt.Sprintf("%s:%d", r.Name, i+1), Bytes: line})
		}
		if len(out) > MaxBundles {
			break
		}
	}
	return out
}
