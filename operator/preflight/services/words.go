package services

import (
	"regexp"
	"strings"
	"sync"
)

// saying is what a server's code means, in words of our own: its own words are
// left out where they hold a secret.
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

// errors of Redis by their first word, and by words inside them.
var replies = []struct {
	sign string
	saying
}{
	{"WRONGPASS", saying{words: "the password is refused"}},
	{"NOAUTH", saying{words: "it wants a password"}},
	{"NOPERM", saying{words: "the user may not do this"}},
	{"DENIED", saying{words: "its protected mode lets nobody in from here"}},
	{"LOADING", saying{words: "it reads its data just now", now: true}},
	{"BUSY", saying{words: "it runs a script just now", now: true}},
	{"MASTERDOWN", saying{words: "it is a replica without its master just now", now: true}},
	{"CLUSTERDOWN", saying{words: "its cluster is down", now: true}},
	{"TRYAGAIN", saying{words: "it wants to be asked again", now: true}},
	{"MISCONF", saying{words: "it cannot save its data just now", now: true}},
	{"max number of clients", saying{words: "it has too many connections just now", now: true}},
	{"without any password", saying{words: "it has no password set, and was given one"}},
	{"unknown command", saying{words: "it does not know a command of a login"}},
}

func stateOf(code string) saying {
	for _, s := range states {
		if strings.HasPrefix(code, s.code) {
			return s.saying
		}
	}
	return saying{words: "it refuses"}
}

func replyOf(text string) saying {
	for _, r := range replies {
		if strings.HasPrefix(text, r.sign) || strings.Contains(r.sign, " ") && strings.Contains(text, r.sign) {
			return r.saying
		}
	}
	return saying{words: "it refuses"}
}

// told joins our words and the server's, as far as those may be told.
func (s secrets) told(own, theirs string) string {
	if theirs = s.hush(theirs); theirs == "" {
		return own + "; its own words are left out"
	}
	return own + ": " + theirs
}

var (
	sqlState = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Z]{5}$`) })
	dotted   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{1,4}(\.[0-9]{1,4}){0,3}$`) })
)

// version is a version of Redis as it may be told, empty for what is none.
func (s secrets) version(text string) string {
	if !dotted().MatchString(text) || s.tells(text) {
		return ""
	}
	return text
}
