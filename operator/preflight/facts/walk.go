package facts

import (
	"bytes"
	"hash/maphash"
	"reflect"
	"slices"
	"strconv"
)

// fault is something misplaced at a byte of the text.
type fault struct {
	Misplaced
	at int
}

// form walks through a text that is JSON, once, along the types that it is to become. A
// file may have millions of values: nothing is made for one that is right.
type form struct {
	text  []byte
	at    int
	found []fault
	// steps lead to the value at hand: where its key begins, or its place in a list.
	steps []step
	part  int // how many parts are open: what is in one is whole
	// keys are hashes of those of the objects that are open, one behind the other. Two that
	// are equal may be of different keys, which is looked into then.
	keys []uint32
}

type step struct{ key, index int } // key is -1 in a list

var seed = maphash.MakeSeed()

// value judges one value, which is to be of a type, or null where that stands for
// something.
func (f *form) value(t reflect.Type, null bool) {
	f.blank()
	from := f.at
	if f.text[from] == 'n' {
		f.scalar()
		if !null {
			f.misplaced(from, "a null stands for what is known", "null", kindOf(t))
		}
		return
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	open := f.text[from]
	if open != '{' && open != '[' {
		f.scalar()
	}
	if !fits(f.text[from:max(f.at, from+1)], t) {
		f.misplaced(from, "it is of another type", typeOf(open), kindOf(t))
		t = anything
	}
	switch open {
	case '{':
		f.object(t)
	case '[':
		f.list(t)
	}
}

// list judges what stands in brackets.
func (f *form) list(t reflect.Type) {
	of := anything
	if t.Kind() == reflect.Slice {
		of = t.Elem()
	}
	for i := 0; f.more(); i++ {
		f.steps = append(f.steps, step{-1, i})
		f.value(of, element(of))
		f.steps = f.steps[:len(f.steps)-1]
	}
}

// object judges what stands in braces. Keys are compared as they are spelt: a decoder
// takes them in any case, and then the last of two.
func (f *form) object(t reflect.Type) {
	first, from := len(f.keys), f.at
	s, seen := shapeOf(t), uint64(0)
	if s.part {
		f.part++
	}
	for f.more() {
		at := f.at
		f.scalar()
		key := unquoted(f.text[at:f.at])
		f.keys = append(f.keys, uint32(maphash.Bytes(seed, key)))
		m, known := s.member(key)
		seen |= m.bit
		f.steps = append(f.steps, step{at, 0})
		if !known {
			f.misplaced(at, "there is no such key", "", "a key that this kora writes")
		}
		f.blank()
		f.at++ // the colon
		f.value(m.of, m.null || m.open && f.part == s.depth())
		f.steps = f.steps[:len(f.steps)-1]
	}
	f.lacking(s, seen, from)
	if s.part {
		f.part--
	}
	mine := f.keys[first:]
	f.keys = f.keys[:first]
	if alike := repeated(mine); len(alike) > 0 {
		f.twice(from, alike)
	}
}

// lacking tells what kora writes into each such object, and a decoder would take for empty,
// or for false: of a part its value, or why there is none, and of what is in one everything.
func (f *form) lacking(s *shape, seen uint64, from int) {
	for _, name := range s.always {
		m := s.members[name]
		switch {
		case seen&m.bit != 0 || f.part == 0 || s.part && seen != 0:
		case f.part == s.depth() && m.open && !m.null: // such a list or map is not known
		default:
			f.misplaced(from, "it lacks the key "+name, "", kindOf(m.of))
		}
	}
}

// repeated are the hashes that stand there more than once, in the place of all of them.
func repeated(hashes []uint32) []uint32 {
	slices.Sort(hashes)
	alike := hashes[:0]
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] && (len(alike) == 0 || alike[len(alike)-1] != hashes[i]) {
			alike = append(alike, hashes[i])
		}
	}
	return alike
}

// twice tells the keys of an object that stand there again. It is read once more, and only
// the keys whose hash is one of a few are held.
func (f *form) twice(from int, alike []uint32) {
	again := &form{text: f.text, at: from}
	seen := map[string]bool{}
	for again.more() {
		at := again.at
		again.scalar()
		key := unquoted(f.text[at:again.at])
		if _, is := slices.BinarySearch(alike, uint32(maphash.Bytes(seed, key))); is {
			if seen[string(key)] {
				f.steps = append(f.steps, step{at, 0})
				f.misplaced(at, "the key stands twice, and only one of the two would count", "", "each key once")
				f.steps = f.steps[:len(f.steps)-1]
			}
			seen[string(key)] = true
		}
		again.blank()
		again.at++
		again.skip()
	}
}

// misplaced adds a fault at a byte, of the value that the steps lead to.
func (f *form) misplaced(at int, message, found, expected string) {
	if len(f.found) >= mostMisplaced {
		return
	}
	field := ""
	for _, s := range f.steps {
		if s.key < 0 {
			field += "[" + strconv.Itoa(s.index) + "]"
			continue
		}
		key := &form{text: f.text, at: s.key}
		key.scalar()
		field += "." + named(unquoted(f.text[s.key:key.at]))
	}
	f.found = append(f.found, fault{Misplaced{Field: field, Message: message, Found: found, Expected: expected}, at})
}

// named is a key in a path: quoted where it is no plain word, and cut where it is long.
func named(key []byte) string {
	const longest = 80
	text := string(key[:min(len(key), longest)])
	if len(key) > longest {
		text += "…"
	}
	if plain := strconv.QuoteToASCII(text); len(plain) != len(text)+2 || bytes.ContainsAny(key, ".[] ") {
		return plain
	}
	return text
}
