package services

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/runkora/kora/operator/preflight"
)

// saying is what a server's code means, in words of our own. Its own sentence is
// never told: it may hold what it was given, in any of endlessly many writings.
type saying struct {
	words string
	now   bool // it is so at present only, so it is no answer
}

// states are the codes of PostgreSQL that a login or a question ends with, by
// their beginning, the longer first.
var states = []struct {
	code string
	saying
}{
	{"28P01", saying{words: "the password is refused"}},
	{"28", saying{words: "the login is refused, by pg_hba.conf or by the role itself"}},
	{"3D000", saying{words: "the database is not there"}},
	{"F0", saying{words: "its configuration is such that it cannot judge a login"}},
	{"42501", saying{words: "the role may not do this"}},
	{"53300", saying{words: "it has too many connections just now", now: true}},
	{"53", saying{words: "it lacks something just now", now: true}},
	{"57P03", saying{words: "it starts, or stops, just now", now: true}},
	{"57", saying{words: "it was told to stop", now: true}},
	{"55", saying{words: "it is not ready for this just now", now: true}},
	{"08", saying{words: "the connection broke", now: true}},
	{"58", saying{words: "its system failed", now: true}},
	{"XX", saying{words: "it failed by itself", now: true}},
}

// replies are errors of Redis by their first word, and by words inside them.
var replies = []struct {
	sign string
	saying
}{
	{"WRONGPASS", saying{words: "the password is refused"}},
	{"NOAUTH", saying{words: "it wants a password"}},
	{"NOPERM", saying{words: "the user may not do this"}}, // and what, by words inside it: whatNot
	{"DENIED", saying{words: "its protected mode lets nobody in from here"}},
	{"LOADING", saying{words: "it reads its data just now", now: true}},
	{"BUSY", saying{words: "it runs a script just now", now: true}},
	{"MASTERDOWN", saying{words: "it is a replica without its master just now", now: true}},
	{"CLUSTERDOWN", saying{words: "its cluster does not serve every key"}},
	{"TRYAGAIN", saying{words: "it wants to be asked again", now: true}},
	{"MISCONF", saying{words: "it cannot save its data, and takes no writes for that"}},
	{"OOM", saying{words: "its memory is full up to maxmemory, and maxmemory-policy drops nothing for a write"}},
	{"NOREPLICAS", saying{words: "fewer replicas follow it than min-replicas-to-write"}},
	{"READONLY", saying{words: "it is a replica, read-only"}},
	{"max number of clients", saying{words: "it has too many connections just now", now: true}},
	{"without any password", saying{words: "it has no password set, and was given one"}},
	{"unknown command", saying{words: "it does not know a command that kora gives"}},
}

// stateOf is what a code of PostgreSQL means. The code itself is told where it has
// the form of one: too little to tell much by.
func stateOf(code string) saying {
	out := saying{words: "it refuses"}
	for _, s := range states {
		if strings.HasPrefix(code, s.code) {
			out = s.saying
			break
		}
	}
	if sqlState().MatchString(code) {
		out.words += " (" + code + ")"
	}
	return out
}

// replyOf is what an error of Redis means, with its first word where that is one
// of those that are known.
func replyOf(text string) saying {
	first, _, _ := strings.Cut(text, " ")
	for _, r := range replies {
		switch {
		case first == r.sign:
			return saying{r.words + whatNot(text) + " (" + r.sign + ")", r.now}
		case first == "ERR" && strings.Contains(r.sign, " ") && strings.Contains(text, r.sign):
			return saying{r.words + " (ERR)", r.now}
		}
	}
	if first == "ERR" {
		return saying{words: "it refuses (ERR)"}
	}
	return saying{words: "it refuses"}
}

// whatNot is what the rules of a user of Redis are too narrow for, as it says.
func whatNot(text string) string {
	text, denied := strings.CutPrefix(text, "NOPERM ")
	for _, of := range []string{"command", "key", "channel"} {
		if denied && strings.Contains(text, of) {
			return ": its rules lack the " + of
		}
	}
	return ""
}

// noEntry is what PostgreSQL says of a login that pg_hba.conf has no line for.
// Nothing of it is told but what the settings hold themselves.
func noEntry(message string, at preflight.Endpoint) string {
	said := hba().FindStringSubmatch(message)
	if said == nil || said[1] != at.User || said[2] != at.Database {
		return ""
	}
	how := "without TLS"
	if said[3] == "SSL encryption" {
		how = "over TLS"
	}
	return ": no entry for user " + strconv.Quote(at.User) + " and database " + strconv.Quote(at.Database) + " " + how
}

// ofRole is what PostgreSQL says of a role that may not log in, or is not there.
// Nothing of it is told but that.
func ofRole(message string, at preflight.Endpoint) string {
	switch message {
	case `role "` + at.User + `" is not permitted to log in`:
		return preflight.NoLogin
	case `role "` + at.User + `" does not exist`:
		return preflight.NoRole
	}
	return ""
}

var (
	sqlState = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Z]{2}(?:[0-9]{3}|P[0-9]{2})$`) })
	dotted   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,3}$`) })
	hba      = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^no pg_hba\.conf entry for host "[0-9A-Fa-f.:]{2,45}", user "([^"]*)", database "([^"]*)", (SSL encryption|no encryption)$`)
	})
)

// secrets are what must stand in no text that leaves this package.
type secrets []string

// version is a version of Redis as it may be told: empty for what is none, and
// where it is a part of a secret.
func (s secrets) version(text string) string {
	if !dotted().MatchString(text) {
		return ""
	}
	for _, secret := range s {
		if strings.Contains(secret, text) || strings.Contains(secret, strings.ReplaceAll(text, ".", "")) {
			return ""
		}
	}
	return text
}
