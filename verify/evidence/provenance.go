package evidence

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
	// from, Dependencies those that it is said to have used.
	Sources, Dependencies []Source
	// WorkflowRef is the reference of the workflow that was started, and
	// Workflows are its paths, as v1's path and v0.2's entryPoint give them.
	WorkflowRef string
	Workflows   []string
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
				link
				EntryPoint string `json:"entryPoint"`
			} `json:"configSource"`
		} `json:"invocation"`
		Materials []link `json:"materials"`
	}
	if err := unfolded(predicate, &raw); err != nil {
		return nil, err
	}
	config := raw.Invocation.ConfigSource
	p := &SLSA{Builder: raw.Builder.ID, BuildType: raw.BuildType, Workflows: said(config.EntryPoint)}
	return p, cmp.Or(p.source(config.link), p.uses(raw.Materials))
}

func parseV1(predicate []byte) (*SLSA, error) {
	var raw struct {
		BuildDefinition struct {
			BuildType            string     `json:"buildType"`
			ExternalParameters   parameters `json:"externalParameters"`
			ResolvedDependencies []link     `json:"resolvedDependencies"`
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
	p := &SLSA{Builder: raw.RunDetails.Builder.ID, BuildType: d.BuildType, WorkflowRef: w.Ref, Workflows: said(w.Path, d.ExternalParameters.WorkflowPath)}
	err := p.source(link{URI: w.Repository})
	for _, given := range d.ExternalParameters.sources() {
		links, bad := links(given)
		err = cmp.Or(err, bad)
		for _, l := range links {
			err = cmp.Or(err, p.source(l))
		}
	}
	return p, cmp.Or(err, p.uses(d.ResolvedDependencies))
}

// parameters are those of v1 that say from what the build was started, in the
// words of GitHub, of its generators, of BuildKit and of Cloud Build.
type parameters struct {
	Workflow struct {
		Repository string `json:"repository"`
		Ref        string `json:"ref"`
		Path       string `json:"path"`
	} `json:"workflow"`
	WorkflowPath      string          `json:"workflowPath"`
	Source            json.RawMessage `json:"source"`
	ConfigSource      json.RawMessage `json:"configSource"`
	BuildConfigSource json.RawMessage `json:"buildConfigSource"`
	SourceToBuild     json.RawMessage `json:"sourceToBuild"`
}

func (p parameters) sources() []json.RawMessage {
	return []json.RawMessage{p.Source, p.ConfigSource, p.BuildConfigSource, p.SourceToBuild}
}

// links reads a source that is a text, an object with a uri or a repository, or
// one with such an object for its artifact. Another form could say anything,
// and is an error.
func links(data json.RawMessage) ([]link, error) {
	var text string
	if len(data) == 0 || json.Unmarshal(data, &text) == nil { // null is a text too: none
		return []link{{URI: text}}, nil
	}
	var object struct {
		link
		Repository, Ref string
		Artifact        link
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, errors.New("a source is neither a text nor an object with texts")
	}
	if object.Ref != "" {
		object.Repository += "@" + object.Ref
	}
	if object.address() == "" && object.Repository == "" && object.Artifact.address() == "" {
		return nil, errors.New("a source says not where it is")
	}
	return []link{object.link, {URI: object.Repository}, object.Artifact}, nil
}

// said returns the texts that are not empty.
func said(texts ...string) []string {
	return slices.DeleteFunc(texts, func(t string) bool { return t == "" })
}

// foldPredicate reaches the fields of a source's artifact.
const foldPredicate = 5

// unfolded decodes a predicate whose keys do not differ by case alone where
// kora looks: encoding/json would take either.
func unfolded(predicate []byte, into any) error {
	if len(predicate) == 0 {
		return errors.New("the predicate is missing")
	}
	if err := strict(predicate, MaxPayload, foldPredicate); err != nil {
		return err
	}
	return json.Unmarshal(predicate, into)
}
