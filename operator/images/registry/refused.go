package registry

import (
	"errors"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// bound is the failure of a document that is beyond a bound, or otherwise the one given.
func (s *session) bound(err error, document string, otherwise *Failure) *Failure {
	var own *Failure
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, errParts):
		return crowded(document)
	case errors.Is(err, errPlatform):
		return &Failure{Reason: v1alpha1.ReasonInvalid, Message: "spec.image has a config that names no platform in plain words", Fix: "build it for the nodes' platform, such as linux/amd64"}
	}
	return otherwise
}

// unread is what nobody can say of whether it is an image.
func (s *session) unread(err error) *Failure {
	if errors.Is(err, errParts) {
		return s.unavailable(fmt.Sprintf("answers with a document of unknown kind and more than %d parts, which the operator does not read", maxParts), lookAgain)
	}
	return s.notImage()
}

// unjudged is an index of which nodes could pull something that nobody looked at.
func unjudged(what string) *Failure {
	return &Failure{Reason: v1alpha1.ReasonInvalid, Message: what, Fix: "push an index of images alone, each with its platform, one for each kind of node"}
}

func (s *session) notImage() *Failure {
	return s.unavailable("answers with something that is no container image", lookAgain)
}

// artifact is what a registry stores besides images: charts, signatures and others.
func artifact() *Failure {
	return &Failure{Reason: v1alpha1.ReasonInvalid, Message: "spec.image names an artifact that is no container image", Fix: "name an image that is built from kora-sandbox-base"}
}
