package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
	// from, as https URLs; SourceRefs and Commits what of them, where it is said.
	Sources, SourceRefs, Commits []string
	// WorkflowRef is the reference of the workflow that was started.
	WorkflowRef string
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
				URI    string            `json:"uri"`
				Digest map[string]string `json:"digest"`
			} `json:"configSource"`
		} `json:"invocation"`
	}
	if err := unfolded(predicate, &raw); err != nil {
		return nil, err
	}
	p := &SLSA{Builder: raw.Builder.ID, BuildType: raw.BuildType}
	p.source(raw.Invocation.ConfigSource.URI, raw.Invocation.ConfigSource.Digest["sha1"])
	return p, nil
}

func parseV1(predicate []byte) (*SLSA, error) {
	var raw struct {
		BuildDefinition struct {
			BuildType          string `json:"buildType"`
			ExternalParameters struct {
				Workflow struct {
					Repository string `json:"repository"`
					Ref        string `json:"ref"`
				} `json:"workflow"`
				Source json.RawMessage `json:"source"`
			} `json:"externalParameters"`
			ResolvedDependencies []struct {
				URI    string            `json:"uri"`
				Digest map[string]string `json:"digest"`
			} `json:"resolvedDependencies"`
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
	w := d.ExternalParameters.Workflow
	p := &SLSA{Builder: raw.RunDetails.Builder.ID, BuildType: d.BuildType, WorkflowRef: w.Ref}
	p.source(w.Repository, "")
	p.source(sourceURI(d.ExternalParameters.Source), "")
	for _, dependency := range d.ResolvedDependencies {
		p.dependency(dependency.URI, dependency.Digest["gitCommit"])
	}
	return p, nil
}

// source adds git+https://HOST/OWNER/REPO[.git][@REF], and its commit.
func (p *SLSA) source(uri, commit string) {
	repository, ref := cutSource(uri)
	if repository == "" {
		return
	}
	p.Sources = append(p.Sources, repository)
	p.SourceRefs, p.Commits = append(p.SourceRefs, ref), append(p.Commits, commit)
}

// dependency adds what is said of a repository that the build was started
// from; others are just what the build used.
func (p *SLSA) dependency(uri, commit string) {
	repository, ref := cutSource(uri)
	if repository == "" || !slices.ContainsFunc(p.Sources, func(s string) bool { return strings.EqualFold(s, repository) }) {
		return
	}
	p.SourceRefs, p.Commits = append(p.SourceRefs, ref), append(p.Commits, commit)
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

// cutSource parts a source into its repository, "" where it is none by https,
// and the reference behind it.
func cutSource(uri string) (repository, ref string) {
	uri = strings.TrimPrefix(uri, "git+")
	if !strings.HasPrefix(uri, "https://") {
		return "", ""
	}
	repository, ref, _ = strings.Cut(uri, "@")
	return strings.TrimSuffix(strings.TrimSuffix(repository, "/"), ".git"), ref
}
