package rules

import (
	"fmt"
	"net/url"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// OAuthClient gives the faults of a client (R51).
func OAuthClient(c *v1alpha1.OAuthClient) field.ErrorList {
	at := field.NewPath("spec", "redirectURIs")
	var faults field.ErrorList
	for i, uri := range c.Spec.RedirectURIs {
		faults = append(faults, checkURL(at.Index(i), string(uri))...)
		faults = append(faults, answers(at.Index(i), string(uri))...)
	}
	return faults
}

// answers refuses a redirect URI whose query holds what kora's answer adds to it:
// the application would read one of two values, and not always kora's.
func answers(at *field.Path, uri string) field.ErrorList {
	u, err := url.Parse(uri)
	if err != nil {
		return nil // checkURL tells
	}
	var faults field.ErrorList
	query := u.Query()
	for _, key := range []string{"code", "state", "iss", "error", "error_description", "error_uri"} {
		if query.Has(key) {
			faults = append(faults, invalid(at, uri, "has %q in its query, which kora itself adds when a person returns; remove it", key))
		}
	}
	return faults
}

// clientWarnings tells of URIs that differ only in the port that https has anyway:
// they are compared character by character.
func clientWarnings(c *v1alpha1.OAuthClient) []string {
	var words []string
	for i, uri := range c.Spec.RedirectURIs {
		u, err := url.Parse(string(uri))
		if err != nil || u.Port() != "443" {
			continue
		}
		u.Host = u.Hostname()
		if !slices.Contains(c.Spec.RedirectURIs, v1alpha1.RedirectURI(u.String())) {
			words = append(words, fmt.Sprintf("spec.redirectURIs[%d]: browsers leave out :443, and URIs are compared character by character: %s is probably meant", i, u))
		}
	}
	return words
}
