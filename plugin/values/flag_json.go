package values

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
)

// twice are the keys that stand twice in one object of a --set-json, of which Helm
// takes the last without a word (R20). The flag has been parsed before.
func (f Flag) twice() faults.List {
	if f.Kind != SetJSON {
		return nil
	}
	text := strings.TrimSpace(f.Text)
	if strings.HasPrefix(text, "{") {
		found, _ := f.twiceIn(text, "")
		return found
	}
	var out faults.List
	for at := valueAt(text); at > 0; at = valueAt(text) {
		found, end := f.twiceIn(text[at:], fields.Path(strings.TrimLeft(text[:at-1], ", ")))
		out, text = append(out, found...), text[at+end:]
	}
	return out
}

// valueAt is where the first value of assignments begins: behind the first = that no
// backslash stands before.
func valueAt(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '=':
			return i + 1
		}
	}
	return 0
}

// twiceIn reads one value of JSON, and says how long it is.
func (f Flag) twiceIn(text string, at fields.Path) (faults.List, int) {
	d := &objects{flag: f, dec: json.NewDecoder(strings.NewReader(text))}
	d.value(at)
	return d.found, int(d.dec.InputOffset())
}

// objects walks through one value of JSON.
type objects struct {
	flag  Flag
	dec   *json.Decoder
	found faults.List
}

func (o *objects) value(at fields.Path) {
	token, _ := o.dec.Token()
	switch token {
	case json.Delim('{'):
		o.object(at)
	case json.Delim('['):
		for i := 0; o.dec.More(); i++ {
			o.value(at.Index(i))
		}
		_, _ = o.dec.Token()
	}
}

func (o *objects) object(at fields.Path) {
	known := map[string]bool{}
	for o.dec.More() {
		token, _ := o.dec.Token()
		key, _ := token.(string)
		below := at.Child(key)
		if known[key] {
			f := faults.New(faults.YAMLDuplicate, fmt.Sprintf("the key %q stands twice in one map", key))
			f.File, f.Field, f.Found, f.Fix = o.flag.String(), string(below), key, "keep one of the two"
			if o.flag.hushed() != o.flag.Text {
				f.Field = string(at) // as the flag is shown: without what may be a secret
			}
			o.found = append(o.found, f)
		}
		known[key] = true
		o.value(below)
	}
	_, _ = o.dec.Token()
}
