package registry

import (
	"errors"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// The most that is looked at: an index of more images, or more images for the
// nodes, are not what a sandbox image is made for.
const (
	maxIndex  = 256
	maxChosen = 12
)

// maxParts is how many parts a document may have: read, one of a few bytes takes
// hundreds, and what is as large as an answer may be would fill the operator's memory.
const maxParts = 1 << 15

// maxHeaders is how many bytes of headers an answer may have.
const maxHeaders = 64 << 10

// errParts is what a document of more parts ends with.
var errParts = errors.New("more parts than are read")

// beyond is the failure of an image that is larger than the operator judges: nothing
// but another image changes that. The text goes on after "spec.image ".
func beyond(format string, args ...any) *Failure {
	return &Failure{Reason: v1alpha1.ReasonInvalid, Message: "spec.image " + fmt.Sprintf(format, args...),
		Fix: "push a smaller one: fewer entries, layers, labels, annotations and lines of history, and only the nodes' platforms"}
}

// crowded is beyond for the parts of one of an image's documents.
func crowded(document string) *Failure {
	return beyond("has %s of more than %d parts, and the operator reads no more", document, maxParts)
}

// large is beyond for the bytes of one of an image's documents.
func (l Limits) large(document string, bytes int64) *Failure {
	return beyond("has %s of %d bytes, and the operator reads %d of one", document, bytes, l.Body)
}

// weigh counts the bytes of a document that is about to be read, as the image itself
// declares them, and refuses those that are beyond the limits.
func (s *session) weigh(document string, bytes int64) *Failure {
	s.declared += max(bytes, 0)
	switch {
	case bytes > s.limits.Body:
		return s.limits.large(document, bytes)
	case s.declared > s.limits.Total:
		return beyond("has descriptions of more than %d bytes for the platforms of the nodes, and the operator reads no more", s.limits.Total)
	}
	return nil
}

// bound is a limit of a read that answers went beyond, in words for "the registry …".
// It may be the registry's doing alone, and so the image is asked for again.
type bound struct{ what, fix string }

func (b *bound) Error() string { return b.what }

const lookAgain = "check that the reference names an image, and that the host serves the registry API /v2/"

func (l Limits) tooLarge() *bound {
	return &bound{fmt.Sprintf("sends an answer of more than %d bytes, which no image's description is", l.Body), lookAgain}
}

func (l Limits) inAll() *bound {
	return &bound{fmt.Sprintf("sends more than %d bytes for one image", l.Total), lookAgain}
}

func (l Limits) tooMany() *bound {
	return &bound{fmt.Sprintf("leads through more than %d requests for one image, redirects counted", l.Requests), "push the image for fewer platforms, or have the registry redirect less"}
}
