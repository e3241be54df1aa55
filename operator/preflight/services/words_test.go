package services

import (
	"bufio"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/runkora/kora/operator/preflight/loopback"
)

// echoes are ways in which a server may say what it was told.
func echoes(t *testing.T, secret string) map[string]string {
	t.Helper()
	quoted, err := json.Marshal(secret)
	if err != nil {
		t.Fatal(err)
	}
	var escaped, percent, entities, octal strings.Builder
	for _, b := range []byte(secret) {
		fmt.Fprintf(&escaped, `\x%02x`, b)
		fmt.Fprintf(&percent, "%%%02X", b)
		fmt.Fprintf(&entities, "&#%d;", b)
		fmt.Fprintf(&octal, `\%03o`, b)
	}
	half := len(secret) / 2
	var numbers, chars, points, places, binary, wide strings.Builder
	for i, b := range []byte(secret) {
		fmt.Fprintf(&numbers, "%d ", b)
		fmt.Fprintf(&chars, "chr(%d)||", b)
		fmt.Fprintf(&points, `U+%04X \u{%02x} 0x%02x =%02X %02x-`, b, b, b, b, b)
		fmt.Fprintf(&places, "%q at %d ", b, i)
		fmt.Fprintf(&binary, "%08b ", b)
		wide.WriteRune(rune(b) + 0xfee0)
	}
	four := secret
	for range 4 {
		four = base64.StdEncoding.EncodeToString([]byte(four))
	}
	return map[string]string{
		"raw": secret, "quoted": string(quoted), "upper-cased": strings.ToUpper(secret), "in SQL quotes": "'" + secret + "'",
		"of a URL": url.QueryEscape(secret + "&"), "all of a URL": percent.String(), "escaped": escaped.String(), "octal": octal.String(), "of HTML": entities.String(),
		"base64": base64.StdEncoding.EncodeToString([]byte(secret)), "base64 of a URL": base64.RawURLEncoding.EncodeToString([]byte("u:" + secret)),
		"base64 at an odd place": base64.StdEncoding.EncodeToString([]byte("x" + secret)), "base64 in lines": base64.StdEncoding.EncodeToString([]byte(secret))[:10] + "\n" + base64.StdEncoding.EncodeToString([]byte(secret))[10:],
		"base64 twice": base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(secret)))),
		"hexadecimal":  hex.EncodeToString([]byte(secret)), "hexadecimal with a prefix": "0x" + hex.EncodeToString([]byte(secret)),
		"cut before": secret[len(secret)-part:], "cut behind": secret[:part], "the middle": secret[half-part/2:half+part/2+1] + "…",
		"split in lines": secret[:half] + "\r\n" + secret[half:], "split in words": "beginning with: '" + secret[:4] + "', '" + secret[4:half] + "', '" + secret[half:] + "'",
		"letter by letter": strings.Join(strings.Split(secret, ""), " "), "backwards": backwards(secret),
		"numbers": numbers.String(), "chr": chars.String(), "code points": points.String(), "places": places.String(), "bits": binary.String(), "full width": wide.String(),
		"base64 four times": four, "base32": base32.StdEncoding.EncodeToString([]byte(secret)), "pieces": secret[:2] + "/" + secret[2:4], "behind dotted words": strings.Repeat("a.b.c.d ", 24) + base64.StdEncoding.EncodeToString([]byte(secret)),
	}
}

// R55: whatever a server does with the password that it was given, or with the
// other one, no text holds it; what the refusal means is told all the same.
func TestNoEchoIsTold(t *testing.T) {
	const other = "another-p4ssw0rd/+&'\"x"
	for _, secret := range []string{planted, other, "kurz"} {
		for name, echo := range echoes(t, map[bool]string{true: secret, false: strings.Repeat(secret, 3)}[len(secret) > 2*part]) {
			text := "ERR unknown command 'auth', with args beginning with: " + strings.NewReplacer("\r", " ", "\n", " ").Replace(echo)
			got := redisWith(t, loopback.Serve(t, says("-"+text+"\r\n")), secret)
			if got != "it does not know a command that kora gives (ERR)" || leaks(got, echo) {
				t.Errorf("Redis, %s: %q of %q", name, got, text)
			}
			refuse := &pgproto3.ErrorResponse{Severity: "FATAL", Code: "28P01", Message: "no such pass " + echo + " data"}
			got = databaseWith(t, loopback.Serve(t, database{refuse: refuse}.handle), secret)
			if got != "the password is refused (28P01)" || leaks(got, echo) {
				t.Errorf("PostgreSQL, %s: %q of %q", name, got, echo)
			}
		}
	}
}

// R55: of a server's own words that are told which the settings hold themselves,
// where the whole sentence is one that PostgreSQL has; and the codes.
func TestOnlyKnownWordsAreTold(t *testing.T) {
	for said, want := range map[string]string{
		`no pg_hba.conf entry for host "10.0.0.1", user "kora", database "kora", no encryption`:          `: no entry for user "kora" and database "kora" without TLS`,
		`no pg_hba.conf entry for host "10.0.0.1", user "kora", database "kora", SSL encryption`:         `: no entry for user "kora" and database "kora" over TLS`,
		`no pg_hba.conf entry for host "10.0.0.1", user "planted", database "kora", no encryption`:       "",
		`no pg_hba.conf entry for host "10.0.0.1", user "kora", database "kora", no encryption, planted`: "",
		`no pg_hba.conf entry for host "planted", user "kora", database "kora", no encryption`:           "",
		`planted no pg_hba.conf entry for host "10.0.0.1", user "kora", database "kora", no encryption`:  "",
		`role "planted-secret-value" does not exist`:                                                     "",
	} {
		refuse := &pgproto3.ErrorResponse{Severity: "FATAL", Code: "28000", Message: said}
		if got := databaseWith(t, loopback.Serve(t, database{refuse: refuse}.handle), planted); got != "the login is refused, by pg_hba.conf or by the role itself (28000)"+want {
			t.Errorf("%q of %q", got, said)
		}
	}
	for said, want := range map[string]string{
		"NOPERM this user has no permissions to run the 'info' command": "the user may not do this: its rules lack the command (NOPERM)",
		"NOPERM planted": "the user may not do this (NOPERM)", "ERR planted": "it refuses (ERR)", "PLANTED secret": "it refuses", "WRONGPASSplanted x": "it refuses", "planted unknown command": "it refuses",
	} {
		if got := redisWith(t, loopback.Serve(t, says("-"+said+"\r\n")), planted); got != want {
			t.Errorf("%q of %q", got, said)
		}
	}
}

// R55: a code is told where it has the form of one, and a version where it is no
// part of a password.
func TestCodesHaveAForm(t *testing.T) {
	for code, want := range map[string]string{"28P01": "the password is refused (28P01)", "28ABC": "the login is refused, by pg_hba.conf or by the role itself", "PLANT": "it refuses", "28P01x": "the password is refused", "": "it refuses", "42P01": "it refuses (42P01)"} {
		if got := stateOf(code); got.words != want {
			t.Errorf("%q: %q", code, got.words)
		}
	}
	for text, want := range map[string]string{"7.0.15": "7.0.15", "255.255.255": "", "112.108.97.110": "", "8.1": "", "1.2.3": "", "4.5.6": ""} {
		if got := (secrets{"x1.2.3", "x456"}).version(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// R55: nothing else of what a server says is free text: neither its version nor
// the code of its error.
func TestNoOtherFieldEchoes(t *testing.T) {
	info := "redis_version:" + planted + "\r\nrole:" + planted + "\r\n"
	port := loopback.Serve(t, says(fmt.Sprintf("$%d\r\n%s\r\n", len(info), info)))
	if got := redisAt(t, port, "disable", planted, ""); got.Missing != "" || got.Value.Version != "" {
		t.Errorf("%+v", got)
	}
	refuse := &pgproto3.ErrorResponse{Severity: planted, Code: planted, Message: "no", Detail: planted, Hint: planted}
	if got := databaseWith(t, loopback.Serve(t, database{refuse: refuse}.handle), planted); strings.Contains(got, planted) || got != "it refuses" {
		t.Error(got)
	}
	if got := asked(t, loopback.Serve(t, database{version: "123456789", create: "t"}.handle), "disable"); got.Value.Version != 0 {
		t.Errorf("%+v", got)
	}
}

// says answers every command of Redis with one text.
func says(text string) func(net.Conn) {
	return func(conn net.Conn) {
		in := bufio.NewReader(conn)
		for {
			words, err := command(in)
			if err != nil {
				return
			}
			answer := text
			if strings.EqualFold(words[0], "HELLO") {
				answer = "-ERR unknown command\r\n"
			}
			if strings.EqualFold(words[0], "AUTH") && !strings.HasPrefix(text, "-ERR") {
				answer = "+OK\r\n"
			}
			if _, err := conn.Write([]byte(answer)); err != nil {
				return
			}
		}
	}
}

// redisWith and databaseWith are what is told of a login with one secret, while
// the other service has another.
func redisWith(t *testing.T, port int, secret string) string {
	t.Helper()
	got := Redis(t.Context(), at(port), "something else", "", secret)
	return got.Missing + got.Value.Refused + got.Value.NoWrite
}

func databaseWith(t *testing.T, port int, secret string) string {
	t.Helper()
	got := Postgres(t.Context(), at(port), secret)
	return got.Missing + got.Value.Refused
}

// leaks reports whether a text holds any six characters of another.
func leaks(text, echo string) bool {
	for i := 0; i+part <= len(echo); i++ {
		if strings.Contains(text, echo[i:i+part]) {
			return true
		}
	}
	return len(echo) < part && strings.Contains(text, echo)
}

// part is how many characters of a secret in a row tell too much of it.
const part = 6

func backwards(text string) string {
	letters := []rune(text)
	slices.Reverse(letters)
	return string(letters)
}

// R55: whatever a server says, what is told of it is one of a few texts of kora's.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"planted-secret-value", "ERR planted", "WRONGPASS planted", `no pg_hba.conf entry for host "::1", user "kora", database "kora", no encryption`, "28P01", "\xff\\xff"} {
		f.Add(seed)
	}
	own := map[string]bool{"it refuses": true, "it refuses (ERR)": true}
	for _, of := range []string{"command", "key", "channel"} {
		own["the user may not do this: its rules lack the "+of+" (NOPERM)"] = true
	}
	for _, r := range replies {
		own[r.words+" ("+r.sign+")"], own[r.words+" (ERR)"] = true, true
	}
	entries := map[string]bool{"": true, `: no entry for user "kora" and database "kora" without TLS`: true, `: no entry for user "kora" and database "kora" over TLS`: true}
	f.Fuzz(func(t *testing.T, text string) {
		if got := replyOf(text).words; !own[got] {
			t.Errorf("%q", got)
		}
		if got := noEntry(text, at(1)); !entries[got] {
			t.Errorf("%q", got)
		}
		if got := stateOf(text).words; strings.Contains(got, "(") && !sqlState().MatchString(text) {
			t.Errorf("%q", got)
		}
	})
}
