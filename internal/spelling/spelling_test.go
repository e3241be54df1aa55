package spelling_test

import (
	"strings"
	"testing"

	"github.com/runkora/kora/internal/spelling"
	"k8s.io/apimachinery/pkg/util/validation"
)

// R20: whatever the library says is told in words that can be followed: no expression,
// and nothing that is not known. A library with new sentences fails here.
func TestWantedKnowsTheLibrary(t *testing.T) {
	rules := map[string]func(string) []string{
		"label": validation.IsDNS1123Label, "subdomain": validation.IsDNS1123Subdomain, "old label": validation.IsDNS1035Label,
		"wildcard": validation.IsWildcardDNS1123Subdomain, "qualified": validation.IsQualifiedName, "value": validation.IsValidLabelValue,
		"key": validation.IsConfigMapKey, "variable": validation.IsEnvVarName, "any variable": validation.IsRelaxedEnvVarName,
		"port": validation.IsValidPortName, "percent": validation.IsValidPercent, "underscores": validation.IsDNS1123SubdomainWithUnderscore,
	}
	long := strings.Repeat("a", 300)
	for name, rule := range rules {
		faulty := 0
		for _, text := range []string{"", "A b", "a.b", "-a", "a-", "12", "a--b", long, long + "/a", "a/" + long, "a/b/c", "A b/c", "a/", "/a", ".", "..", "a..b", "*", "1=2", "\x00", "é"} {
			said := rule(text)
			wanted := spelling.Wanted(said)
			if len(said) > 0 {
				faulty++
			}
			if (wanted == "") != (len(said) == 0) || strings.Contains(wanted, "regex") || strings.Contains(wanted, "must") {
				t.Errorf("%s of %.20q: %q is told as %q", name, text, said, wanted)
			}
		}
		if faulty == 0 {
			t.Errorf("%s finds no fault anywhere", name)
		}
	}
}

// R20: both parts of a key are told apart.
func TestWantedOfKeys(t *testing.T) {
	long := strings.Repeat("a", 64)
	for text, want := range map[string]string{
		"A b/c":     "before the slash a name of lowercase letters, digits, hyphens and dots, with a letter or a digit at both ends, such as example.com",
		"a/" + long: "after the slash, or without one, at most 63 bytes",
		"a/b":       "",
	} {
		if is := spelling.Wanted(validation.IsQualifiedName(text)); is != want {
			t.Errorf("%q: %q", text, is)
		}
	}
	if is := spelling.Wanted([]string{"must rhyme"}); is != "one that must rhyme" {
		t.Error(is)
	}
}
