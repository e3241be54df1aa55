package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// The types of statements and predicates that kora knows (R47).
const (
	StatementV01 = "https://in-toto.io/Statement/v0.1"
	StatementV1  = "https://in-toto.io/Statement/v1"
	CosignSignV1 = "https://sigstore.dev/cosign/sign/v1"
	ProvenanceV0 = "https://slsa.dev/provenance/v0.2"
	ProvenanceV1 = "https://slsa.dev/provenance/v1"
)

// Statement is an in-toto statement v0.1 or v1: what is said of which subjects.
type Statement struct {
	Type          string
	Subjects      []Subject
	PredicateType string
	// Predicate is the JSON object as it was signed, nil where there is none.
	Predicate json.RawMessage
}

// Subject is one artifact that a statement is about.
type Subject struct {
	Name string
	// Digests are those that kora can compare, by algorithm: sha256, sha384
	// and sha512, as lower-case hexadecimal digits. It can be empty.
	Digests map[string]string
}

// foldStatement reaches a statement's fields, its subjects and their digests.
const foldStatement = 4

// ParseStatement reads the payload of an envelope. Every digest of a known
// algorithm has to be one, also of subjects that are not asked for.
func ParseStatement(data []byte) (*Statement, error) {
	if err := strict(data, MaxPayload, 1); err != nil {
		return nil, err
	}
	var raw struct {
		Type          string            `json:"_type"`
		Subject       []json.RawMessage `json:"subject"`
		PredicateType string            `json:"predicateType"`
		Predicate     json.RawMessage   `json:"predicate"`
	}
	if err := exact(data, &raw, "_type", "subject", "predicateType", "predicate"); err != nil {
		return nil, err
	}
	switch {
	case raw.Type != StatementV01 && raw.Type != StatementV1:
		return nil, fmt.Errorf("the _type %q is not an in-toto statement v0.1 or v1", short(raw.Type))
	case raw.PredicateType == "":
		return nil, errors.New("the predicateType is missing")
	case len(raw.Subject) == 0:
		return nil, errors.New("it has no subject")
	case len(raw.Subject) > MaxSubjects:
		return nil, fmt.Errorf("it has %d subjects, and at most %d are read", len(raw.Subject), MaxSubjects)
	}
	s := &Statement{Type: raw.Type, PredicateType: raw.PredicateType, Predicate: raw.Predicate}
	for i, one := range raw.Subject {
		subject, err := parseSubject(one)
		if err != nil {
			return nil, fmt.Errorf("subject %d: %w", i+1, err)
		}
		s.Subjects = append(s.Subjects, subject)
	}
	return s, nil
}

func parseSubject(data []byte) (Subject, error) {
	var raw struct {
		Name   string            `json:"name"`
		Digest map[string]string `json:"digest"`
	}
	if err := strict(data, MaxPayload, foldStatement); err != nil {
		return Subject{}, err
	}
	if err := exact(data, &raw, "name", "digest", "uri", "content", "downloadLocation", "mediaType", "annotations"); err != nil {
		return Subject{}, err
	}
	s := Subject{Name: raw.Name, Digests: map[string]string{}}
	for algorithm, value := range raw.Digest {
		size, known := digestSizes[strings.ToLower(algorithm)]
		switch {
		case !known:
			continue // sha1, gitCommit and others: nothing that is trusted here
		case algorithm != strings.ToLower(algorithm):
			return Subject{}, fmt.Errorf("the digest algorithm %q is not written in lower case", short(algorithm))
		case !isHex(value, size):
			return Subject{}, fmt.Errorf("the %s digest %q is not %d lower-case hexadecimal digits", algorithm, short(value), size)
		}
		s.Digests[algorithm] = value
	}
	return s, nil
}

// exact decodes an object whose keys are all known, letter by letter:
// encoding/json alone would take another case for the same.
func exact(data []byte, into any, known ...string) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return notJSON(err)
	}
	for k := range keys {
		if !contains(known, k) {
			return fmt.Errorf("the field %q is unknown", short(k))
		}
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("a field has the wrong kind: %w", err)
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// digestSizes gives the hexadecimal digits of the algorithms that count.
var digestSizes = map[string]int{"sha256": 64, "sha384": 96, "sha512": 128}

func isHex(s string, size int) bool {
	return len(s) == size && strings.Trim(s, "0123456789abcdef") == ""
}

// Match is whether a subject is an artifact.
type Match int

// The matches, from worst to best.
const (
	// Other: every subject is something else.
	Other Match = iota
	// Unknown: a subject may be the artifact, and has a digest that cannot be
	// compared, since only others are known of the artifact.
	Unknown
	// Same: a subject is the artifact.
	Same
)

// Names reports whether a subject is the artifact with these digests: at least
// one digest is the same, and every one of its digests was compared.
func (s *Statement) Names(digests map[string]string) Match {
	best := Other
	for _, subject := range s.Subjects {
		best = max(best, subject.is(digests))
	}
	return best
}

func (s Subject) is(digests map[string]string) Match {
	if len(s.Digests) == 0 {
		return Other
	}
	match := Same
	for algorithm, value := range s.Digests {
		switch other, both := digests[algorithm]; {
		case both && other != value:
			return Other
		case !both:
			match = Unknown
		}
	}
	return match
}
