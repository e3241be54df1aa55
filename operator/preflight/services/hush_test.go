package services

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
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
	}
}

// R55: whatever a server does with the password that it was given, or with the
// other one, no text holds it; what the refusal means is told all the same.
func TestNoEchoIsTold(t *testing.T) {
	const other = "another-p4ssw0rd/+&'\"x"
	for _, secret := range []string{planted, other, "kurz"} {
		for name, echo := range echoes(t, map[bool]string{true: secret, false: strings.Repeat(secret, 3)}[len(secret) > 2*part]) {
			text := "ERR unknown command 'auth', with args beginning with: " + strings.NewReplacer("\r", " ", "\n", " ").Replace(echo)
			got := redisWith(t, serve(t, says("-"+text+"\r\n")), secret)
			if !strings.HasPrefix(got, "it does not know a command of a login") || leaks(got, echo) {
				t.Errorf("Redis, %s: %q of %q", name, got, text)
			}
			refuse := &pgproto3.ErrorResponse{Severity: "FATAL", Code: "28P01", Message: "no such pass " + echo + " data"}
			got = databaseWith(t, serve(t, database{refuse: refuse}.handle), secret)
			if !strings.HasPrefix(got, "the password is refused") || leaks(got, echo) {
				t.Errorf("PostgreSQL, %s: %q of %q", name, got, echo)
			}
		}
	}
}

// R55: a server's own words are told where they hold no secret.
func TestOtherWordsAreTold(t *testing.T) {
	refuse := &pgproto3.ErrorResponse{Severity: "FATAL", Code: "28000", Message: `no pg_hba.conf entry for host "10.0.0.1", user "kora", no encryption`}
	if got := databaseWith(t, serve(t, database{refuse: refuse}.handle), planted); !strings.Contains(got, refuse.Message+" (28000)") {
		t.Error(got)
	}
	if got := redisWith(t, serve(t, says("-NOPERM this user has no permissions to run the 'info' command\r\n")), planted); !strings.Contains(got, "has no permissions to run the 'info' command") {
		t.Error(got)
	}
}

// R55: nothing else of what a server says is free text: neither its version nor
// the code of its error.
func TestNoOtherFieldEchoes(t *testing.T) {
	info := "redis_version:" + planted + "\r\nrole:" + planted + "\r\n"
	port := serve(t, says(fmt.Sprintf("$%d\r\n%s\r\n", len(info), info)))
	if got := redisAt(t, port, "disable", planted, ""); got.Missing != "" || got.Value.Version != "" {
		t.Errorf("%+v", got)
	}
	refuse := &pgproto3.ErrorResponse{Severity: planted, Code: planted, Message: "no", Detail: planted, Hint: planted}
	if got := databaseWith(t, serve(t, database{refuse: refuse}.handle), planted); strings.Contains(got, planted) || got != "it refuses: no" {
		t.Error(got)
	}
	if got := asked(t, serve(t, database{version: "123456789", create: "t"}.handle), "disable"); got.Value.Version != 0 {
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
	return got.Missing + got.Value.Refused
}

func databaseWith(t *testing.T, port int, secret string) string {
	t.Helper()
	got := Postgres(t.Context(), at(port), secret, "something else")
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

// R55: a text that is all encodings is read in no more memory than another, and
// nothing behind what is read is told.
func TestALongTextIsCutFirst(t *testing.T) {
	for _, text := range []string{strings.Repeat("QUFB ", 1<<13), strings.Repeat(`\x41`, 1<<13), strings.Repeat("%41", 1<<13), strings.Repeat("414141414 ", 1<<12)} {
		made := allocated(func() {
			if got := (secrets{planted}).hush(text + planted); strings.Contains(got, planted) || len(got) > 1100 {
				t.Errorf("%d bytes are told", len(got))
			}
		})
		if made > most {
			t.Errorf("%.10s: %d bytes", text, made)
		}
	}
}

func FuzzHush(f *testing.F) {
	for _, seed := range []string{"planted-secret-value", "%70lanted", `\x70lanted-secret`, "cGxhbnRlZA==", "&#112;", "\\", "%", "\xff\\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := secrets{planted}.hush(text)
		if strings.Contains(strings.ToLower(got), planted[:part]) || strings.ContainsAny(got, "\n\x1b") {
			t.Errorf("%q", got)
		}
	})
}
