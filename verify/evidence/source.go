package evidence

import (
	"fmt"
	"regexp"
	"strings"
)

// Source is a repository that a provenance names, in one form however it is
// written.
type Source struct {
	// Repository is https://HOST/PATH, without .git; the host in lower case.
	Repository string
	// Ref is the reference behind it, "" where none is said.
	Ref string
	// Commits are what its digests say, those by sha1 and by gitCommit.
	Commits []string
}

// The parts of an address that several readers read alike. What would have to
// be decoded first, such as %2F, is none of them.
var (
	sourceHost = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?$`)
	sourceUser = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	sourcePart = regexp.MustCompile(`^[A-Za-z0-9._~-]+$`)
)

// sourcePorts are the ports that go without saying.
var sourcePorts = map[string]string{"https": ":443", "http": ":80", "ssh": ":22", "git": ":9418"}

// sourceOf reads the address of a repository: https, http, ssh and git, with or
// without git+ before and .git behind, HOST:PATH as scp has it, and @REF, or
// #REF[:FOLDER], behind. Anything else is an error: what kora cannot compare
// could say anything (R47).
func sourceOf(text string) (Source, error) {
	no := fmt.Errorf("%q is no address of a repository that can be compared", short(text))
	scheme, at, hasScheme := strings.Cut(strings.TrimPrefix(text, "git+"), "://")
	if !hasScheme {
		host, path, ok := strings.Cut(scheme, ":")
		if !ok || strings.Contains(host, "/") || !strings.ContainsAny(host, ".@") {
			return Source{}, no
		}
		scheme, at = "ssh", host+"/"+path
	}
	port, known := sourcePorts[strings.ToLower(scheme)]
	host, path, ok := strings.Cut(at, "/")
	if user, rest, has := strings.Cut(host, "@"); has {
		ok = ok && strings.EqualFold(scheme, "ssh") && sourceUser.MatchString(user)
		host = rest
	}
	if !known || !ok || !sourceHost.MatchString(host) {
		return Source{}, no
	}
	path, ref := cutSource(path)
	for part := range strings.SplitSeq(path, "/") {
		if !sourcePart.MatchString(part) || part == "." || part == ".." {
			return Source{}, no
		}
	}
	return Source{Repository: "https://" + strings.TrimSuffix(strings.ToLower(host), port) + "/" + path, Ref: ref}, nil
}

// cutSource parts a path from the reference behind it. What follows a reference
// by # and a colon is a folder, as BuildKit writes it.
func cutSource(path string) (repository, ref string) {
	if i := strings.IndexAny(path, "@#"); i >= 0 {
		sign := path[i]
		path, ref = path[:i], path[i+1:]
		if sign == '#' {
			ref, _, _ = strings.Cut(ref, ":")
		}
	}
	return strings.TrimSuffix(strings.TrimSuffix(path, "/"), ".git"), ref
}

// repositories reports whether an address says of itself that it is one of a
// repository.
func repositories(text string) bool {
	for _, start := range []string{"git+", "git:", "git@", "ssh:"} {
		if len(text) >= len(start) && strings.EqualFold(text[:len(start)], start) {
			return true
		}
	}
	return false
}

// with adds the commits of a digest.
func (s Source) with(digest map[string]string) Source {
	for _, algorithm := range []string{"sha1", "gitCommit"} {
		if commit := digest[algorithm]; commit != "" {
			s.Commits = append(s.Commits, commit)
		}
	}
	return s
}
