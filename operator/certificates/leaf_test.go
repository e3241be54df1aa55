package certificates

import (
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	clocktesting "k8s.io/utils/clock/testing"
)

// hooked are both configurations with the bundles that are given, and an entry of
// somebody else's, which says nothing.
func hooked(s Settings, bundles ...[]byte) []configuration {
	all := []configuration{{kind: "other", entries: []entry{{name: "theirs", config: admissionv1.WebhookClientConfig{CABundle: []byte("x")}}}}}
	for _, bundle := range bundles {
		all = append(all, configuration{entries: []entry{{name: "ours", config: admissionv1.WebhookClientConfig{CABundle: bundle,
			Service: &admissionv1.ServiceReference{Namespace: s.Namespace, Name: s.Service}}}}})
	}
	return all
}

// R54: a replica is ready only while each webhook trusts what it serves, and mints
// when another authority signs.
func TestReadyOnlyWhileEveryWebhookTrustsWhatIsServed(t *testing.T) {
	now := clocktesting.NewFakePassiveClock(begin)
	s := Settings{Namespace: "kora-system", Clock: now}.defaulted()
	l := newLeaf(s)
	l.gauges = newGauges(s)
	first, err := newAuthority(s.host(), begin, life)
	if err != nil {
		t.Fatal(err)
	}
	second, err := newAuthority(s.host(), begin, life)
	if err != nil {
		t.Fatal(err)
	}
	served, err := first.sign(s.host(), begin, 7*day)
	if err != nil {
		t.Fatal(err)
	}
	a, b := encodeCert(first.cert), encodeCert(second.cert)
	both := append(append([]byte{}, a...), b...)
	turned := append(append([]byte{}, b...), a...)
	for name, test := range map[string]struct {
		bundles [][]byte
		after   time.Duration
		why     string // empty: ready
		due     bool
	}{
		"trusted":                   {[][]byte{a, a}, 0, "", false},
		"in the overlap":            {[][]byte{both, both}, 0, "", false},
		"another authority signs":   {[][]byte{turned, turned}, 0, "", true},
		"one webhook does not know": {[][]byte{a, b}, 0, "does not trust the served certificate for ours", true},
		"no bundle":                 {[][]byte{a, nil}, 0, "caBundle is empty", false},
		"a bundle of garbage":       {[][]byte{a, []byte("-----BEGIN")}, 0, "caBundle is empty", false},
		"no webhook of ours":        {nil, 0, "no webhook names the Service kora-system/kora-operator", false},
		"old":                       {[][]byte{a, a}, 5 * day, "", true},
		"ended":                     {[][]byte{a, a}, 8 * day, "expired", true},
		"not yet valid":             {[][]byte{a, a}, -2 * day, "not yet valid", true},
	} {
		now.SetTime(begin.Add(test.after))
		all := hooked(s, test.bundles...)
		l.judge(served, l.trusted(served, all))
		err := l.ready()
		if (err == nil) != (test.why == "") || err != nil && !strings.Contains(err.Error(), test.why) {
			t.Errorf("%s: %v", name, err)
		}
		if got := l.due(served, all); got != test.due {
			t.Errorf("%s: due %v", name, got)
		}
	}
}
