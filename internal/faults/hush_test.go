package faults

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHushHidesUsersAndPasswords(t *testing.T) {
	for text, want := range map[string]string{
		"user:pw@reg.example.com":                                            "*******@reg.example.com",
		"https://user:pw@host/a@b":                                           "https://**************@b",
		"--set global.imageRegistry=user:p@w@reg":                            "--set global.imageRegistry=********@reg",
		`  host: "u:pw@pg"`:                                                  `  host: "****@pg"`,
		"{host: u:pw@pg, port: 1}":                                           "{host: ****@pg, port: 1}",
		"ghcr.io/a/b:1.4@sha256:abc":                                         "ghcr.io/a/b:1.4@sha256:abc",
		"u:pw@ghcr.io/a/b:1.4@sha256:abc":                                    "****@ghcr.io/a/b:1.4@sha256:abc",
		"https://github.com/a/b/.github/workflows/c.yml@refs/tags/v1":        "https://github.com/a/b/.github/workflows/c.yml@refs/tags/v1",
		"https://h/a/b/.github/workflows/c.yml@refs/tags/@a/b@1.0":           "https://h/a/b/.github/workflows/c.yml@refs/tags/@a/b@1.0",
		"https://h/a/.github/workflows/c.yml@refs/tags/x,u:pw@host":          "https://********************************************@host",
		"a match of ^https://a/b@refs/heads/main$ and u:pw@refs.example.com": "a match of ^https://a/b@refs/heads/main$ and ****@refs.example.com",
		"https://u:pw@refs/heads/x":                                          "https://****@refs/heads/x",
		"someone@example.com":                                                "someone@example.com",
		"a: b@c":                                                             "a: b@c",
		"kora.yaml:3:4: nothing":                                             "kora.yaml:3:4: nothing",
		"über:größe@host and é:ü@b":                                          "**********@host and ***@b",
		"\tpostgres://u:pw@pg/db?sslmode=require \t ":                        "\tpostgres://****@pg/db?sslmode=require \t ",
	} {
		got := Hush(text)
		if got != want || utf8.RuneCountInString(got) != utf8.RuneCountInString(text) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// R20, security.md: no format prints a password that stands in any part of a fault.
func TestNoFormatPrintsAPassword(t *testing.T) {
	const secret = "u:hunter2@host"
	f := New(UnknownField, secret)
	f.File, f.Key, f.Object, f.Field, f.Found, f.Expected, f.Fix, f.Source = secret, secret, secret, secret, secret, secret, secret, "x: "+secret
	f.Line, f.Column = 1, 1
	for _, format := range Formats() {
		var out bytes.Buffer
		p, err := NewPrinter(format, &out, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := (List{f}).Print(p); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "hunter2") || !strings.Contains(out.String(), "@host") {
			t.Errorf("%s: %s", format, out.String())
		}
	}
}
