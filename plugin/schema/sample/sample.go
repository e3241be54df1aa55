package sample

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/schema/rules"
	"github.com/runkora/kora/plugin/values"
)

// Values returns values of the given chart: every value that must be given, and
// some of the others. What the schema alone allows and the rules do not, such as a
// largest size below the default one, is left out again. It fails where the schema
// is none, or asks for what cannot be made.
func Values(seed uint64, chart rules.Chart) (map[string]any, error) {
	m, err := makerOf(seed, chart)
	if err != nil {
		return nil, err
	}
	made, ok := m.value(m.doc, 0).(map[string]any)
	if !ok {
		return nil, errors.New("the schema describes no map")
	}
	return m.mended(made, chart)
}

func makerOf(seed uint64, chart rules.Chart) (*maker, error) {
	var doc map[string]any
	in := json.NewDecoder(bytes.NewReader(chart.Schema))
	if err := in.Decode(&doc); err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	return &maker{doc: doc, random: rand.New(rand.NewPCG(seed, 20))}, nil
}

// Text is Values as a values file.
func Text(seed uint64, chart rules.Chart) (string, error) {
	made, err := Values(seed, chart)
	if err != nil {
		return "", err
	}
	text, err := yaml.Marshal(made)
	return string(text), err
}

// mended takes out what is refused until nothing is. What must be given gets the
// schema's own example.
func (m *maker) mended(made map[string]any, chart rules.Chart) (map[string]any, error) {
	const most = 100
	for range most {
		found, err := refusals(made, chart)
		if err != nil || len(found) == 0 {
			return made, err
		}
		for _, f := range found {
			at := fields.Path(f.Field)
			if f.Key != "" {
				at = fields.Path(f.Key)
			}
			without(made, at.Steps())
			if f.Code == faults.ValueMissing {
				m.restore(made, m.doc, at.Steps())
			}
		}
	}
	return nil, fmt.Errorf("no values could be made in %d tries", most)
}

// restore sets a value that is missing to an example of the schema, where that has one.
func (m *maker) restore(made, schema map[string]any, steps []fields.Step) {
	below := m.resolved(object(object(schema["properties"])[steps[0].Name]))
	if len(steps) > 1 {
		next, ok := made[steps[0].Name].(map[string]any)
		if !ok {
			next = map[string]any{}
			made[steps[0].Name] = next
		}
		m.restore(next, below, steps[1:])
		return
	}
	if examples, _ := below["examples"].([]any); len(examples) > 0 {
		made[steps[0].Name] = examples[0]
	}
}

func refusals(made map[string]any, chart rules.Chart) (faults.List, error) {
	text, err := yaml.Marshal(made)
	if err != nil {
		return nil, err
	}
	tree, found := values.Read(source.NewFile("sample.yaml", string(text)))
	found = append(found, rules.Check(tree, chart)...)
	var refused faults.List
	for _, f := range found {
		if f.Severity == faults.Error {
			refused = append(refused, f)
		}
	}
	return refused, nil
}

// without takes out the value at a path, or the innermost one around it.
func without(v any, steps []fields.Step) (rest any, gone bool) {
	if len(steps) == 0 {
		return nil, true
	}
	switch v := v.(type) {
	case map[string]any:
		below, known := v[steps[0].Name]
		if !known {
			return nil, true
		}
		if left, gone := without(below, steps[1:]); gone {
			delete(v, steps[0].Name)
		} else {
			v[steps[0].Name] = left
		}
		return v, false
	case []any:
		if i := steps[0].Index; i >= 0 && i < len(v) {
			return append(v[:i:i], v[i+1:]...), false
		}
	}
	return nil, true
}
