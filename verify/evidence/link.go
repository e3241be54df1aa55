package evidence

import (
	"cmp"
	"strings"
)

// link names a repository, or something else that a build used. An in-toto
// descriptor may say where it is in three places; its annotations mean what the
// builder likes, and are no claim that anybody could compare.
type link struct {
	URI      string            `json:"uri"`
	Location string            `json:"downloadLocation"`
	Name     string            `json:"name"`
	Digest   map[string]string `json:"digest"`
}

// address is where the link says that it is, "" where it does not.
func (l link) address() string { return cmp.Or(l.URI, l.Location) }

// source adds what the build is said to have been started from, if anything:
// each address that is given has to be one that can be compared (R47).
func (p *SLSA) source(l link) error {
	var err error
	for _, address := range said(l.URI, l.Location) {
		s, bad := sourceOf(address)
		p.Sources, err = append(p.Sources, s.with(l.Digest)), cmp.Or(err, bad)
	}
	if s, bad := sourceOf(l.Name); bad == nil {
		p.Sources = append(p.Sources, s.with(l.Digest))
	}
	return err
}

// uses adds the repositories that the build is said to have used, in the order
// given. What is no repository, such as an image, is no claim about one.
func (p *SLSA) uses(all []link) error {
	for _, l := range all {
		for _, address := range said(l.URI, l.Location, l.Name) {
			s, err := sourceOf(address)
			switch {
			case err == nil:
				p.Dependencies = append(p.Dependencies, s.with(l.Digest))
			case repositories(address), address == l.URI && l.repository(), address == l.Location && l.Digest["gitCommit"] != "":
				return err
			}
		}
		if commits := (Source{}).with(l.Digest); l.unplaced() && len(commits.Commits) > 0 {
			p.Dependencies = append(p.Dependencies, commits)
		}
	}
	return nil
}

// repository reports whether a uri that cannot be read may be one of a
// repository: by a commit or a reference beside it.
func (l link) repository() bool {
	scheme, _, _ := strings.Cut(strings.ToLower(l.URI), ":")
	web := scheme == "http" || scheme == "https"
	return l.Digest["gitCommit"] != "" || web && (l.Digest["sha1"] != "" || strings.Contains(l.URI, "@"))
}

// unplaced reports whether a link has a commit and says nowhere of what: then it
// can only be that of the source. A name with a SHA-1 alone may be a file's.
func (l link) unplaced() bool {
	if _, err := sourceOf(l.Name); err == nil || l.address() != "" {
		return false
	}
	return l.Digest["gitCommit"] != "" || l.Name == ""
}
