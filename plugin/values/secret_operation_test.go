package values

import (
	"strings"
	"testing"
)

// R12, R20, R22: a line of a patch shows what an operation sets where the line itself
// tells that it is no variable's and no argument's, and nothing else behind a value.
func TestALineShowsWhatIsNoVariables(t *testing.T) {
	for _, line := range []string{
		`patch: "- {op: replace, path: /spec/hostNetwork, value: true}"`,
		`- {op: add, path: /spec/template/spec/terminationGracePeriodSeconds, value: 48151623}`,
		`- {op: add, path: /spec/hostname, value: 48151623}, {op: add, path: '/spec/subdomain', value: '48151623'}`,
		`patch: "[{\"op\": \"add\", \"path\": \"/spec/hostname\", \"value\": \"48151623\"}]", foo: 1`,
		`- {op: add, path: /metadata/annotations/example.com~1team, value: 48151623} # why`,
		`- {op: remove, path: /spec/containers/0/env/0}`,
	} {
		if got := withoutValue(line, 3, false); got != line {
			t.Errorf("%s\nshows %s", line, got)
		}
	}
	for _, line := range []string{
		`  value: 48151623`,
		`- {name: PASSWORD, value: 48151623}`,
		`- {op: add, path: /spec/containers/0/env/0/value, value: 48151623}`,
		`- {op: add, path: /spec/containers/0/args/-, value: 48151623}`,
		`- {op: add, path: "/spec/containers/0/command/1", value: 48151623}`,
		`- {op: add, path: /spec/containers/0/e~1nv/args, value: 48151623}`,
		`- {op: add, path: "/spec/containers/0/e\x6ev/0/value", value: 48151623}`,
		`- {op: add, path: /data/password, value: 48151623}`,
		`- {op: add, path: /metadata/annotations/example.com~1token, value: 48151623}`,
		`- {op: add, value: 48151623, path: /spec/containers/0/args/-}`,
		`- {op: add, path: /spec/hostname, value: a}, {op: add, value: 48151623, path: /spec/containers/0/args/-}`,
		`- {op: add, path: /spec/hostname, value: {name: PASSWORD, value: 48151623}}`,
		`- {op: add, path: /spec/containers/-, value: [--login, 48151623]}`,
		`- {op: add, path: /spec/containers/-, value: "--login 48151623"}`,
		`- {path: /spec/hostname, op: add, path: /spec/containers/0/args/-, value: 48151623}`,
		`- {op: add, path: /spec/hostname, from: {}, value: 48151623}`,
	} {
		if got := withoutValue(line, 3, false); strings.Contains(got, "48151623") || len(got) != len(line) {
			t.Errorf("%s\nshows %s", line, got)
		}
	}
	const own = `- {op: add, path: /spec/hostname, value: 48151623}`
	if got := withoutValue(own, 3, true); strings.Contains(got, "48151623") {
		t.Errorf("of a variable: %s", got)
	}
	const alone = `  value: 48151623`
	if got := withoutValue(alone, len("  value: ")+1, false); got != alone {
		t.Errorf("the fault is about it: %s", got)
	}
}
