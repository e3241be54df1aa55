package source

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// decode returns a text that begins with a byte order mark as UTF-8 without
// one, so that its places can be counted and its lines shown. UTF-16 that is
// broken stays as it is: the YAML parser refuses it, and mending it here would
// accept what nobody wrote.
func decode(text string) string {
	switch {
	case strings.HasPrefix(text, "\xef\xbb\xbf"):
		return text[3:]
	case strings.HasPrefix(text, "\xff\xfe"):
		return decode16(text, binary.LittleEndian)
	case strings.HasPrefix(text, "\xfe\xff"):
		return decode16(text, binary.BigEndian)
	}
	return text
}

func decode16(text string, order binary.ByteOrder) string {
	raw := []byte(text[2:])
	if len(raw)%2 != 0 {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(raw); i += 2 {
		r := rune(order.Uint16(raw[i:]))
		if utf16.IsSurrogate(r) {
			if i += 2; i == len(raw) {
				return text
			}
			if r = utf16.DecodeRune(r, rune(order.Uint16(raw[i:]))); r == '\ufffd' {
				return text
			}
		}
		out.WriteRune(r)
	}
	return out.String()
}
