package schema

import (
	"strings"
	"testing"
)

// R20: a number is told of where readers of YAML do not read it alike, and only there.
func TestNumbersThatAreReadInTwoWays(t *testing.T) {
	for text, want := range map[string]string{
		"010": "8 to Helm and 10 to", "-010": "-8 to Helm and -10 to", "0017": "15 to Helm and 17 to", "1_0": "10 to Helm and a text to",
		"1_000.5": "1000.5 to Helm and a text to", "0b11": "3 to Helm and a text to", "-0b1": "-1 to Helm and a text to", "0o7": "7 to Helm and a text to",
		"0x_1F": "31 to Helm and a text to", "0_7": "7 to Helm and a text to",
		"0": "", "-0": "", "00": "", "07": "", "08": "", "010.5": "", "10": "", "1e3": "", "0x1F": "", ".5": "", "1.0": "", `"010"`: "", `"1_0"`: "",
		"1_a": "", "0b12": "", "_1": "",
	} {
		got := show(Check(read(t, "a: "+text), []byte(`{}`)))
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// R20: a key is told of where Helm makes another of it.
func TestKeysThatHelmWritesOtherwise(t *testing.T) {
	for text, want := range map[string]string{
		"010": "the key 8 to Helm", "1.0": "the key 1 to Helm", "0x1F": "the key 31 to Helm", "1e3": "the key 1000 to Helm", "1_0": "the key 10 to Helm",
		"True": "the key true to Helm", "null": "no key to Helm", "~": "no key to Helm", "-0": "the key 0 to Helm", "123456789.5": "the key 1.2345679e+08 to Helm",
		"1": "", "-1": "", "1.5": "", "true": "", "a": "", "1.0.0": "", ".inf": "", `"010"`: "", `"null"`: "",
	} {
		got := show(Check(read(t, "a: {"+text+": x}"), []byte(`{}`)))
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %s", text, got)
		}
	}
}
