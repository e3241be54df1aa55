package values

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// R20, R28: what may be credentials is hidden sign for sign, and nothing else: not
// the host, not the path, not the text around a URL, nor one without credentials.
func TestCredentialsAloneAreHidden(t *testing.T) {
	for text, want := range map[string]string{
		// Nothing to hide.
		"a: http://otel:4317 is not http://otel:4318/v1":                                        "",
		"oci://ghcr.io/runkora/charts/kora@sha256:abc is not oci://ghcr.io/x@sha256:def":        "",
		"https://github.com/a/b/.github/workflows/c.yml@refs/tags/v1 signed it for me@b.c":      "",
		"the registry https://registry.example.com/a, and write to me@example.com":              "",
		"http://otel.observability.svc:4317, of me@example.com":                                 "",
		"use `kora render -f https://example.com/a` with FILE…":                                 "",
		"https://example.com/a/very/long/path/that/was…":                                        "",
		"http://[::1]:4317/v1 and me@example.com":                                               "",
		"global.observability.otlpEndpoint is set, by `kora render -f FILE…` of me@example.com": "",
		"otlpEndpoint: http://otel:4317, owner: me@example.com":                                 "",
		"a: b@c, say: nothing…":                                                                 "",
		// Credentials.
		"http://kora:hunter2@otel:4317/v1 is wrong, see https://example.com/docs":         "http://************@otel:4317/v1 is wrong, see https://example.com/docs",
		"https://example.com/docs says no to http://kora:hunter2@otel":                    "https://example.com/docs says no to http://************@otel",
		"http://kora:hunter2 x@otel and https://example.com/a":                            "http://**************@otel and https://example.com/a",
		"http://kora:12345 x@otel":                                                        "http://************@otel",
		"http://kora hunter2@otel":                                                        "http://************@otel",
		"http://kora:p@ss x@otel/v1":                                                      "http://***********@otel/v1",
		"http://kora:p/w x@otel/v1":                                                       "http://**********@otel/v1",
		"http://kora:%zz hunter2@otel, and more":                                          "http://****************@otel, and more",
		"http://kora:hunter2 y@oci@sha256:abc":                                            "http://**************@oci@sha256:abc",
		"--set a.b=http://kora:hunter2 x@otel,c=http://otel":                              "--set a.b=http://**************@otel,c=http://otel",
		`the text "http://kora:a-long-pass…"`:                                             `the text "http://****************…"`,
		"http://a-token-that-was-cut…":                                                    "http://********************…",
		`otlpEndpoint: "http://kora:hunter2\`:                                             `otlpEndpoint: "http://*************`,
		"otlpEndpoint: a-token@otel":                                                      "otlpEndpoint: *******@otel",
		`{"otlpEndpoint": "a token@otel", "x": 1}`:                                        `{"otlpEndpoint": "*******@otel", "x": 1}`,
		"otlpEndpoint=a-token@otel\nnext: me@example.com":                                 "otlpEndpoint=*******@otel\nnext: me@example.com",
		"http://kora:hünter zwei@otel":                                                    "http://****************@otel",
		"http://a:b c@one, then http://d:e f@two, then http://three/x and me@example.com": "http://*****@one, then http://*****@two, then http://three/x and me@example.com",
	} {
		if want == "" {
			want = text
		}
		got := withoutCredentials(text)
		if got != want || utf8.RuneCountInString(got) != utf8.RuneCountInString(text) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if again := withoutCredentials(got); again != got {
			t.Errorf("%q a second time: %q", got, again)
		}
	}
}

// R28, security.md: whatever signs a password is made of, and whatever stands
// around the URL, no part of it that is long enough to be told apart is shown.
func TestNoPasswordIsShown(t *testing.T) {
	around := []string{"%s", `a: "%s"`, "a: %s # and more", "--set a.b=%s,c=d", `{"a":"%s","b":1}`, `{a: '%s', b: 1}`, "it is %s, and not https://example.com/a, says me", "see https://example.com/a, not %s", "otlpEndpoint: %s", `--set-json a={"otlpEndpoint":"%s"}`}
	for _, user := range []string{"kora", "k-o.r a", "k%40", "k@d"} {
		for _, sign := range []string{"", " ", "/", ":", "@", "%", "#", "?", "\\", "'", ",", ";", "=", "ü", "$(x)", "&", "\t", "  ", "{", "["} {
			for _, end := range []string{"@otel:4317", "@otel/v1", "@otel", "@[::1]:4317/a?b=c"} {
				for _, form := range around {
					url := "http://" + user + ":hunter" + sign + "sesame" + end
					if got := withoutCredentials(fmt.Sprintf(form, url)); strings.Contains(got, "hunter") || strings.Contains(got, "sesame") {
						t.Errorf("%q: %q", fmt.Sprintf(form, url), got)
					}
				}
			}
		}
	}
}

// A long flag that is made of nothing else costs as much as its length.
func TestManyURLsAreReadOnce(t *testing.T) {
	const each = "a://b:c d@e otlpEndpoint=f@g "
	once := testing.AllocsPerRun(20, func() { withoutCredentials(strings.Repeat(each, 100)) })
	many := testing.AllocsPerRun(1, func() { withoutCredentials(strings.Repeat(each, 10_000)) })
	if many > 200*once {
		t.Errorf("%.0f allocations for a hundred, %.0f for ten thousand", once, many)
	}
	if got := withoutCredentials(strings.Repeat(each, 10_000)); got != strings.Repeat("a://*****@e otlpEndpoint=*@g ", 10_000) {
		t.Errorf("%s", got[:200])
	}
}

func FuzzWithoutCredentials(f *testing.F) {
	f.Add("http://kora:hunter2 x@otel and https://example.com/a@b otlpEndpoint: c@d…")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		if got := withoutCredentials(text); utf8.RuneCountInString(got) != utf8.RuneCountInString(text) {
			t.Errorf("%q: %q", text, got)
		}
	})
}
