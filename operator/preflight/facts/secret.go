package facts

import "strconv"

// Secret is a Secret of the cluster. Its values never leave the memory: what is
// written of them is how long each is.
type Secret struct {
	Type   string           `json:"type"`
	Values map[string]Value `json:"lengths"`
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

// MarshalJSON writes the length alone.
func (v Value) MarshalJSON() ([]byte, error) { return strconv.AppendInt(nil, int64(v.Length), 10), nil }

// UnmarshalJSON reads it back. Whatever is no length is an error that does not
// repeat it.
func (v *Value) UnmarshalJSON(text []byte) (err error) {
	length, err := strconv.Atoi(string(text))
	if err != nil {
		return noLength{}
	}
	*v = Value{Length: length}
	return nil
}

type noLength struct{}

// Error is of error.
func (noLength) Error() string { return "what stands for a Secret's value is no length" }
