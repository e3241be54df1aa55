package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// SLSA is what an SLSA provenance v0.2 or v1 claims. Nothing of it is taken
// for the truth: what counts is the certificate of who signed it, with which
// the claims have to agree (R47).
type SLSA struct {
	// Builder is the builder.id.
	Builder string
	// BuildType is the buildType.
	BuildType string
	// Sources are the repositories that the build is said to have been started
	// from, as https URLs.
	Sources []string
}

// ParseProvenance reads the claims of an SLSA provenance. A builder is a must.
func ParseProvenance(s *Statement) (*SLSA, error) {
	var p *SLSA
	var err error
	switch s.PredicateType {
	case ProvenanceV0:
		p, err = parseV0(s.Predicate)
	case ProvenanceV1:
		p, err = parseV1(s.Predicate)
	default:
		return nil, fmt.Errorf("the predicate type %s is not that of an SLSA provenance", short(s.PredicateType))
	}
	if err != nil {
		return nil, fmt.Errorf("the provenance cannot be used: %w", err)
	}
	if p.Builder == "" {
		return nil, errors.New("the provenance cannot be used: it names no builder")
	}
	return p, nil
}

func parseV0(predicate []byte) (*SLSA, error) {
	var raw struct {
		Builder struct {
			ID string `json:"id"`
		} `json:"builder"`
		BuildType  string `json:"buildType"`
		Invocation struct {
			ConfigSource struct {
				URI string `json:"uri"`
			} `json:"configSource"`
		} `json:"invocation"`
	}
	if err := unfolded(predicate, &raw); err != nil {
		return nil, err
	}
	return &SLSA{Builder: raw.Builder.ID, BuildType: raw.BuildType, Sources: sources(raw.Invocation.ConfigSource.URI)}, nil
}

func parseV1(predicate []byte) (*SLSA, error) {
	var raw struct {
		BuildDefinition struct {
			BuildType          string `json:"buildType"`
			ExternalParameters struct {
				Workflow struct {
					Repository string `json:"repository"`
				} `json:"workflow"`
				Source json.RawMessage `json:"source"`
			} `json:"externalParameters"`
		} `json:"buildDefinition"`
		RunDetails struct {
			Builder struct {
				ID string `json:"id"`
			} `json:"builder"`
		} `json:"runDetails"`
	}
	if err := unfolded(predicate, &raw); err != nil {
		return nil, err
	}
	d := raw.BuildDefinition
	return &SLSA{
		Builder: raw.RunDetails.Builder.ID, BuildType: d.BuildType,
		Sources: sources(d.ExternalParameters.Workflow.Repository, sourceURI(d.ExternalParameters.Source)),
	}, nil
}

// unfolded decodes a predicate whose keys do not differ by case alone where
// kora looks: encoding/json would take either.
func unfolded(predicate []byte, into any) error {
	if len(predicate) == 0 {
		return errors.New("the predicate is missing")
	}
	if err := strict(predicate, MaxPayload, 3); err != nil {
		return err
	}
	return json.Unmarshal(predicate, into)
}

// sourceURI reads a source that is a text or an object with a uri.
func sourceURI(data json.RawMessage) string {
	var text string
	if json.Unmarshal(data, &text) == nil {
		return text
	}
	var object struct {
		URI string `json:"uri"`
	}
	if json.Unmarshal(data, &object) == nil {
		return object.URI
	}
	return ""
}

// sources returns the repositories of git+https://HOST/OWNER/REPO[.git][@REF].
func sources(uris ...string) []string {
	var out []string
	for _, u := range uris {
		u = strings.TrimPrefix(u, "git+")
		if !strings.HasPrefix(u, "https://") {
			continue
		}
		if i := strings.Index(u, "@"); i >= 0 {
			u = u[:i]
		}
		out = append(out, strings.TrimSuffix(strings.TrimSuffix(u, "/"), ".git"))
	}
	return out
}
