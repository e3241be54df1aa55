package facts

import "encoding/json"

// Secret is a Secret of the cluster. Its values never leave the memory: what is
// written of them is how long each is.
type Secret struct {
	Type   string
	Values map[string]Value
}

// Value is one value of a Secret.
type Value struct {
	Length int
	// Bytes is nil where only the length is known, as in a file.
	Bytes []byte
}

// String keeps a value out of every message.
func (v Value) String() string { return "(secret)" }

// GoString does the same for %#v.
func (v Value) GoString() string { return v.String() }

type written struct {
	Type    string         `json:"type"`
	Lengths map[string]int `json:"lengths"`
}

// MarshalJSON writes keys and lengths alone.
func (s Secret) MarshalJSON() ([]byte, error) {
	w := written{s.Type, map[string]int{}}
	for key, v := range s.Values {
		w.Lengths[key] = v.Length
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads them back, without values.
func (s *Secret) UnmarshalJSON(text []byte) error {
	var w written
	if err := json.Unmarshal(text, &w); err != nil {
		return err
	}
	s.Type, s.Values = w.Type, map[string]Value{}
	for key, length := range w.Lengths {
		s.Values[key] = Value{Length: length}
	}
	return nil
}
