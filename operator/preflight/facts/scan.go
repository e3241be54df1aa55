package facts

import (
	"bytes"
	"encoding/json"
)

// more steps into a list or an object, or behind a comma; at the end it steps out.
func (f *form) more() bool {
	f.blank()
	c := f.text[f.at]
	f.at++
	if c == '}' || c == ']' {
		return false
	}
	f.blank()
	if next := f.text[f.at]; c != ',' && (next == '}' || next == ']') {
		f.at++
		return false
	}
	return true
}

func (f *form) blank() {
	for f.at < len(f.text) && bytes.IndexByte([]byte(" \t\r\n"), f.text[f.at]) >= 0 {
		f.at++
	}
}

// scalar passes over a text, a number or a word.
func (f *form) scalar() {
	if f.text[f.at] != '"' {
		for f.at < len(f.text) && bytes.IndexByte([]byte(" \t\r\n,:]}"), f.text[f.at]) < 0 {
			f.at++
		}
		return
	}
	for f.at++; f.text[f.at] != '"'; f.at++ {
		if f.text[f.at] == '\\' {
			f.at++
		}
	}
	f.at++
}

// unquoted is a text without its quotes and escapes.
func unquoted(text []byte) []byte {
	if inner := text[1 : len(text)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	var out string
	_ = json.Unmarshal(text, &out) // it is JSON
	return []byte(out)
}

// skip passes over a value.
func (f *form) skip() {
	f.blank()
	for depth := 0; ; {
		f.blank()
		switch f.text[f.at] {
		case '{', '[':
			f.at, depth = f.at+1, depth+1
		case '}', ']':
			f.at, depth = f.at+1, depth-1
		case ',', ':':
			f.at++
			continue
		default:
			f.scalar()
		}
		if depth == 0 {
			return
		}
	}
}
