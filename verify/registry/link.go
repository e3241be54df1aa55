package registry

import (
	"net/url"
	"strings"
)

// next is the address of the page that follows, "" after the last one. It has
// to be the registry's own: a page elsewhere would be read by whom it names.
func next(a answer) (string, error) {
	for _, header := range a.header.Values("Link") {
		for link := range strings.SplitSeq(header, ",") {
			target, params, ok := strings.Cut(link, ">")
			target, begins := strings.CutPrefix(strings.TrimSpace(target), "<")
			if !ok || !begins || !isNext(params) {
				continue
			}
			u, err := url.Parse(target)
			if err != nil {
				return "", wrong("the registry names a next page that is no address")
			}
			if u = a.url.ResolveReference(u); u.Scheme != a.url.Scheme || authority(u) != authority(a.url) {
				return "", wrong("the registry names a next page on another host")
			}
			return u.String(), nil
		}
	}
	return "", nil
}

func isNext(params string) bool {
	for p := range strings.SplitSeq(params, ";") {
		k, v, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(k, "rel") && strings.EqualFold(strings.Trim(v, `"`), "next") {
			return true
		}
	}
	return false
}
