package registry

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Kind says what a failed fetch means for the verdict.
type Kind int

// Only Wrong is a judgement about the artifact. The others say that nothing
// could be checked: a registry that is slow, busy, closed or gone proves
// nothing (exit status 3).
const (
	Unreachable Kind = iota // no answer, a broken one, 429 or 5xx after every try
	Denied                  // 401 or 403
	Missing                 // there is no such thing there
	Offline                 // not asked, because of --offline
	Wrong                   // it answered with something other than was asked for
	Limited                 // it is more than kora reads: what was left unread proves nothing
)

// Error is why something could not be had. Its text holds no query of a URL,
// nothing a registry wrote, and no credential.
type Error struct {
	Kind Kind
	What string // "ghcr.io/runkora/kora@sha256:…"
	Why  string // one sentence without a full stop
	Fix  string // what to do; empty where the kind says it

	status int  // of the answer, 0 where there was none
	cut    bool // the connection broke in the middle of an answer
}

func (e *Error) Error() string { return e.What + ": " + e.Why }

// KindOf is the kind of an error of this package; of any other, Unreachable.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Unreachable
}

// FixOf is what to do about an error of this package.
func FixOf(err error) string {
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return "try again; where it stays, see that the registry can be reached from here"
	case e.Fix != "":
		return e.Fix
	}
	return map[Kind]string{
		Unreachable: "try again; where it stays, see that the registry can be reached from here",
		Denied:      "log in with docker login, as somebody who may pull it: kora reads the docker config",
		Missing:     "see that name, tag and digest are those of the release",
		Offline:     "leave out --offline, or give the artifact as an OCI layout directory or tarball",
		Limited:     "see what it is: where it does not belong to the release, remove it; kora reads no more than this of anything",
		Wrong:       "pull it from the registry of the release; a mirror or a proxy between may have changed it",
	}[e.Kind]
}

// The bounds and rules that an answer can break.
var (
	errIdle    = errors.New("it sent nothing for too long")
	errSlow    = errors.New("it took too long")
	errOffline = errors.New("--offline allows no connection")
)

// tooLarge is an answer over its limit.
type tooLarge int64

func (n tooLarge) Error() string { return fmt.Sprintf("it is larger than %d bytes", int64(n)) }

// rule is a connection that kora does not make, with the way out.
type rule struct{ why, fix string }

func (r rule) Error() string { return r.why }

// wrap makes an Error of whatever a transport returned.
func wrap(what string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	out := &Error{Kind: Unreachable, What: what, Why: plain(err)}
	if r, ok := errors.AsType[rule](err); ok {
		out.Why, out.Fix = r.why, r.fix
	}
	if n, ok := errors.AsType[tooLarge](err); ok {
		out.Kind, out.Why = Limited, n.Error()
	}
	if l, ok := errors.AsType[limited](err); ok {
		out.Kind, out.Why = Limited, l.Error()
	}
	if w, ok := errors.AsType[wrong](err); ok {
		out.Kind, out.Why = Wrong, w.Error()
	}
	if errors.Is(err, errOffline) {
		out.Kind, out.Why = Offline, errOffline.Error()
	}
	return out
}

// plain is the cause without the address, whose query may be a signed URL.
func plain(err error) string {
	for {
		u, ok := errors.AsType[*url.Error](err)
		if !ok {
			break
		}
		err = u.Err
	}
	switch {
	case errors.Is(err, errIdle):
		return errIdle.Error()
	case errors.Is(err, errSlow):
		return errSlow.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return errSlow.Error()
	case errors.Is(err, context.Canceled):
		return "the run was stopped"
	}
	return visible(err.Error())
}

// visible is a text as one line of at most 300 bytes that drives no terminal.
func visible(s string) string {
	s = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}
