package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// strict checks one JSON object before anything else reads it: its size, its
// nesting, that no key stands twice at one place, and that nothing follows.
// Down to the depth of foldDepth two keys may not differ by case alone, since
// readers differ in which of them they take.
func strict(data []byte, limit, foldDepth int) error {
	switch {
	case len(data) > limit:
		return LimitError(fmt.Sprintf("it has more than the %d bytes that are read at most", limit))
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("it is empty")
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return errors.New("it begins with a byte order mark")
	case !utf8.Valid(data):
		return errors.New("it is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	w := walker{d: d, foldDepth: foldDepth}
	if err := w.object(); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows the JSON object at byte %d", d.InputOffset())
	}
	return nil
}

// LimitError is evidence of which something is left unread, as there is more of
// it than kora reads: it is not known to be wrong (R49). Its text says how much.
// What was read to its end, and is of a form that no verifier takes, such as one
// that is nested too deeply or has too many subjects, is none.
type LimitError string

func (l LimitError) Error() string { return string(l) }

type walker struct {
	d         *json.Decoder
	foldDepth int
}

func (w walker) object() error {
	t, err := w.d.Token()
	if err != nil {
		return notJSON(err)
	}
	if t != json.Delim('{') {
		return errors.New("it is not a JSON object")
	}
	return w.members(1)
}

// members reads the rest of an object, with its closing brace.
func (w walker) members(depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("it is nested deeper than %d levels", MaxDepth)
	}
	seen := map[string]string{}
	for w.d.More() {
		t, err := w.d.Token()
		if err != nil {
			return notJSON(err)
		}
		key, _ := t.(string)
		if err := w.once(seen, key, depth); err != nil {
			return err
		}
		if err := w.value(depth); err != nil {
			return err
		}
	}
	_, err := w.d.Token()
	return notJSON(err)
}

func (w walker) once(seen map[string]string, key string, depth int) error {
	name := key
	if depth <= w.foldDepth {
		name = folded(key)
	}
	before, twice := seen[name]
	switch {
	case twice && before == key:
		return fmt.Errorf("the key %q stands twice, at byte %d", short(key), w.d.InputOffset())
	case twice:
		return fmt.Errorf("the keys %q and %q differ by case alone, at byte %d", short(before), short(key), w.d.InputOffset())
	}
	seen[name] = key
	return nil
}

// folded is one form of all keys that encoding/json takes for the same: it folds
// as Unicode does, by which the long s is an s and the sign of kelvin a k.
func folded(key string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, key)
}

func (w walker) value(depth int) error {
	t, err := w.d.Token()
	if err != nil {
		return notJSON(err)
	}
	switch t {
	case json.Delim('{'):
		return w.members(depth + 1)
	case json.Delim('['):
		return w.elements(depth + 1)
	}
	return nil
}

func (w walker) elements(depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("it is nested deeper than %d levels", MaxDepth)
	}
	for w.d.More() {
		if err := w.value(depth); err != nil {
			return err
		}
	}
	_, err := w.d.Token()
	return notJSON(err)
}

func notJSON(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("it is not JSON: %w", err)
}

// short cuts what a stranger wrote to a length that fits a line.
func short(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
