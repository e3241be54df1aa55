package patches

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"
)

// R16: an expression meets names of agent types where, and only where, some slug
// makes one that it matches.
func TestExpressionsMeetNames(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, ".*": true, "agent-coder": true, "agent-.*": true, "agent-(a|b)-?.*": true, ".*coder": true, "agent-[a-z]{3}": true,
		"agent-\\w+": true, "^agent-coder$": true, "(?i)AGENT-CODER": true, "\\bagent-x": true, "a.*": true, ".{10}": true,
		"agent": false, "agent-": false, "coder": false, "agent-Coder": false, "agent_coder": false, "Agent-.*": false, "agents-.*": false,
		"agent-[A-Z]+": false, "agent.coder\\.": false, "sandbox-.*": false, ".{6}": false, "kora-.*": false, "agent-coder.": true,
	} {
		e, err := newExpression(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.meets("agent-", ""); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{"workspace-agent-coder-0": true, "workspace-.*": true, "workspace-agent-coder": false, ".*-1": false, "workspace-agent-0": false} {
		e, _ := newExpression(text)
		if got := e.meets("workspace-agent-", "-0"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// R16: random expressions: whenever one matches the name of a random slug, it meets.
func TestExpressionsNeverMissAName(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"agent-", "a", "b", ".", "[a-c]", "(a|bc)", "-", "*", "+", "?", ".*", "x{1,2}", "^", "$", "\\b"}
	matched := 0
	for range 20000 {
		var text, slug strings.Builder
		for range 1 + r.IntN(5) {
			text.WriteString(parts[r.IntN(len(parts))])
		}
		for range 1 + r.IntN(3) {
			slug.WriteString(string("abcx-"[r.IntN(5)]))
		}
		if _, err := regexp.Compile(text.String()); err != nil {
			continue
		}
		e, err := newExpression(text.String())
		if err != nil || !e.matches("agent-"+slug.String()) {
			continue
		}
		if matched++; !e.meets("agent-", "") {
			t.Fatalf("%q matches agent-%s and does not meet", text.String(), slug.String())
		}
	}
	if matched < 100 {
		t.Errorf("only %d matched", matched)
	}
}

// R16: of the labels those of agent types and tenants may be any; others are as kora
// gives them.
func TestSelectorsReachLabels(t *testing.T) {
	have := set(map[string]any{"runkora.io/agent-type": "render-example", "runkora.io/agent-slug": "example", "runkora.io/tenant": "example",
		"app.kubernetes.io/instance": "agent-example", "runkora.io/component": "session-manager", "app.kubernetes.io/part-of": "kora"})
	for text, want := range map[string]bool{
		"runkora.io/agent-type=7f3c": true, "runkora.io/agent-slug in (a,B.x)": true, "runkora.io/agent-slug!=a": true, "runkora.io/tenant=acme": true,
		"app.kubernetes.io/instance=agent-coder": true, "runkora.io/component=session-manager": true, "!team": true, "runkora.io/agent-type": true,
		"runkora.io/agent-slug=B.x": false, "app.kubernetes.io/instance=coder": false, "!runkora.io/agent-slug": false,
		"runkora.io/component=sandbox": false, "team=a": false, "runkora.io/agent-typ=7f3c": false, "runkora.io/component notin (session-manager)": false,
	} {
		s, err := labels.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := reachable(s, have); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func FuzzMeets(f *testing.F) {
	for _, text := range []string{"agent-.*", "(a*)*b", "a{1000}", "(?s).", "[^a]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			return
		}
		e, err := newExpression(text)
		if err != nil {
			return
		}
		for _, slug := range []string{"a", "coder", "a-1"} {
			if e.matches("agent-"+slug) && !e.meets("agent-", "") {
				t.Errorf("%s matches %s and does not meet", text, fmt.Sprint("agent-", slug))
			}
		}
	})
}
