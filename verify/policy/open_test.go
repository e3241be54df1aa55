package policy_test

import (
	"strings"
	"testing"

	"github.com/runkora/kora/verify/policy"
)

// R45: an expression that is more open than it seems is warned about.
func TestOpenExpressions(t *testing.T) {
	const of = `^https://github\.com/example/kora/x@refs/`
	for expression, want := range map[string]int{
		// closed
		of + `heads/main$`:                                       0,
		of + `tags/v[0-9]+\.[0-9]+$`:                             0,
		of + `tags/v\d{1,3}\.\d+(?:-rc\.\d+)?$`:                  0,
		of + `heads/(main|stable)$`:                              0,
		of + `heads/[mM]ain$`:                                    1,
		of + `heads/[0-9]{4}$`:                                   0,
		`\A` + of[1:] + `heads/main\z`:                           0,
		`^https://a/x@main$|^https://b/x@main$`:                  0,
		`^(https://github\.com/example/kora/x@refs/heads/main)$`: 0,
		`^(?i:123)$`:                                             0,
		policy.DefaultIdentityRegexp:                             0,
		strings.Replace(policy.DefaultIdentityRegexp, "runkora", "example", 1):          0,
		`^https://github\.com/runkora/kora/\.github/workflows/release\.yml@refs/tags/v`: 0,
		// anchors
		`https://github\.com/example/kora/x@refs/heads/main$`: 1,
		of + `heads/main`:                  1,
		`https://github\.com/example/kora`: 2,
		`^https://github\.com/example/kora@main|https://github\.com/x@main$`: 2,
		`(?m)` + of + `heads/main$`:            2,
		`^https://a/x@main$|https://b/x@main$`: 1,
		// ends
		`^https://github\.com/example/kora/.*$`:                1,
		`^https://github\.com/example/kora/[\s\S]*$`:           1,
		`^https://github\.com/example/kora/[^x]+$`:             1,
		`^https://github\.com/example/kora/\S*$`:               1,
		`^https://github\.com/example/kora/\S{1,200}$`:         1,
		`^https://github\.com/example/kora/(?:[^/]|/)*$`:       1,
		`^https://github\.com/example/kora(?:/.*)?$`:           1,
		`^https://github\.com/example/kora/(.+)$`:              1,
		`^https://github\.com/example/kora/(x|.*)$`:            1,
		`^https://github\.com/example/kora/(?:a|(?:b|[^,])+)$`: 1,
		`^https://github\.com/example/kora/\pL+$`:              1,
		`^https://github\.com/example/kora/(?s:.*)$`:           1,
		of + `heads/[a-z]+$`:                                   1,
		of + `heads/\w+$`:                                      1,
		of + `tags/v[0-9A-Za-z.+-]+$`:                          1,
		of + `heads/[[:alpha:]]{0,9}$`:                         1,
		`^.*/example/kora/x@refs/heads/main$`:                  1,
		`^\S+/example/kora/x@refs/heads/main$`:                 1,
		`^(?s:.*)$`:                                            1,
		`.*`:                                                   3,
		// parts
		`^https://github\.com/.*/kora/x@refs/heads/main$`:          1,
		`^https://github\.com/[^/]+/kora/x@refs/heads/main$`:       1,
		`^https://github\.com/[\w-]+/kora/x@refs/heads/main$`:      1,
		`^https://github\.com/example/[^@]+@refs/heads/main$`:      1,
		`^https://github\.com/[a-z]{7}/kora/x@refs/heads/main$`:    1,
		`^https://github\.com/[a-z][a-z]/kora/x@refs/heads/main$`:  1,
		`^https://github\.com/example[a-z]?/x@refs/heads/main$`:    1,
		`^https://github\.com/.{7}/kora/x@refs/heads/main$`:        1,
		`^https://github\.com/example/kora/x@refs/heads/mai[a-z]$`: 1,
		`^https://github\.com/example/kora/x@refs/.+/v1$`:          1,
		`^https://github\.com/example(?:/[a-z]+)+/x@refs/tags/v1$`: 1,
		`^https://github\.com/example/kora/[/x]*@refs/heads/main$`: 1,
		`^https://github\.com/(?:.*|x)/kora/.*@refs/heads/[^\n]*$`: 2,
		// dots and flags
		`^https://github.com/example/kora/x@refs/heads/main$`:       1,
		`^https://github.com/example/.*/x@refs/heads/main$`:         2,
		`(?i)` + of + `heads/main$`:                                 1,
		`^https://github\.com/example/kora/x@refs/heads/(?i:main)$`: 1,
	} {
		_, found := policy.New(policy.Options{IdentityRegexp: expression})
		if found.Refused() || found.Warnings() != want {
			t.Errorf("%s: %d warnings, and not %d: %v", expression, found.Warnings(), want, found)
		}
	}
}
