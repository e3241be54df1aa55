package values

import (
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

// R2: a name that is too long is told so, with how long it may be; the ways out
// are those of the name.
func TestAFlagsNameIsToldWhatIsWrongWithIt(t *testing.T) {
	for name, c := range map[string]struct {
		agent                         Agent
		flag, message, expected, want string
	}{
		"long slug":      {Agent{strings.Repeat("a", 61), "", "n"}, "--agent-slug", "too long: it has 61 characters", "at most 46 characters", "shorter"},
		"longer slug":    {Agent{strings.Repeat("a", 5000), "x", "n"}, "--agent-slug", "too long: it has 5000 characters", "at most 46 characters", "shorter"},
		"slug":           {Agent{"Coder", "", "n"}, "--agent-slug", `"Coder" cannot be the agent slug`, "coder-2", "lower-case"},
		"empty slug":     {Agent{"", "x", "n"}, "--agent-slug", "is empty", "", "lower-case"},
		"id":             {Agent{"a", "a b", "n"}, "--agent-type-id", "cannot be the agent type id", "", "letters of either case"},
		"long id":        {Agent{"a", strings.Repeat("a", 64), "n"}, "--agent-type-id", "too long", "at most 63", "shorter"},
		"namespace":      {Agent{"a", "", "A.b"}, "--namespace", "cannot be the namespace", "", "lower-case"},
		"long namespace": {Agent{"a", "", strings.Repeat("a", 64)}, "--namespace", "too long", "at most 63", "shorter"},
	} {
		_, found := mustLoad(t, nil).Settings("1.4.0", c.agent)
		if len(found) != 1 {
			t.Errorf("%s: %+v", name, found)
			continue
		}
		f := found[0]
		if f.Code != faults.BadName || f.File != c.flag || !strings.Contains(f.Message, c.message) || !strings.Contains(f.Expected, c.expected) || !strings.Contains(f.Fix, c.want) {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if agents.ValidateName(strings.Repeat("a", maxSlug)) != nil || agents.ValidateName(strings.Repeat("a", maxSlug+1)) == nil {
		t.Error("maxSlug is not what agents allows")
	}
}

// R20: a flag that does not parse is told how that very flag is written.
func TestTheFixOfAFlagIsThatFlags(t *testing.T) {
	for text, fix := range map[string]string{
		"--set a": "write --set key=value", "--set-string a": "write --set-string key=text", "--set-json a=[": "write --set-json key=JSON", "--set-json a": "write --set-json key=JSON",
		"--set-file a": "write --set-file key=path", "--set a.=b": "write --set key=value", "--set a[65000].b=1,c[65000].b=1,d[65000].b=1,e[65000].b=1": "put large values into a file",
	} {
		_, found := load(t, nil, text)
		if len(found) != 1 || !strings.HasPrefix(found[0].Fix, fix) {
			t.Errorf("%s: %+v", text, found)
		}
	}
	for _, path := range []string{"/dev/null", "", " "} {
		_, found := Load(Input{Files: []string{path}})
		if len(found) != 1 || found[0].File == "" || strings.Contains(found[0].Fix, "directory itself") || found[0].Fix == "" {
			t.Errorf("%q: %+v", path, found)
		}
	}
}
