package images

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/status"
	"k8s.io/apimachinery/pkg/api/meta"
)

// BaseLabel is on every image that is built from kora-sandbox-base (R52).
const BaseLabel = "io.runkora.sandbox.base"

// sandboxUser is the uid of agents and sandboxes (R6), as an image's config says it.
const sandboxUser = "100"

// Judge says whether an image may be a sandbox (R52): each of its configs for the
// nodes' platforms runs as uid 100 and has the label. All faults at once; the
// reason is the first one's.
func Judge(image registry.Image) status.Verdict {
	if len(image.Configs) == 0 {
		return status.Bad(v1alpha1.ReasonPlatformMissing, "spec.image is for %s, and the nodes that run sandboxes are %s: build and push it for their platform (docker buildx build --platform %s)",
			listed(image.Platforms), listed(image.Missing), strings.Join(image.Missing, ","))
	}
	var faults []string
	reason := ""
	for _, check := range []struct {
		reason string
		judge  func(registry.Config) string
	}{{v1alpha1.ReasonWrongUser, userFault}, {v1alpha1.ReasonNotSandboxBase, labelFault}} {
		for _, config := range image.Configs {
			fault := check.judge(config)
			if fault == "" {
				continue
			}
			if reason == "" {
				reason = check.reason
			}
			if len(image.Configs) > 1 {
				fault = config.Platform + ": " + fault
			}
			faults = append(faults, fault)
		}
	}
	if faults != nil {
		return status.Bad(reason, "spec.image: %s", strings.Join(slices.Compact(faults), "; "))
	}
	return good(image.Digest, image.Missing, image.Partial)
}

// pulled begins every verdict on an image that is valid.
const pulled = "sandboxes pull the image as "

// good says of a valid image which nodes do not take it, too: where a node pulls another
// platform's in place of its own, or needs a variant, is for its runtime to say.
func good(digest string, missing, partial []string) status.Verdict {
	more := ""
	if len(missing) > 0 {
		more += fmt.Sprintf("; it has no image for %s, and sandboxes on such nodes do not start", listed(missing))
	}
	if len(partial) > 0 {
		more += fmt.Sprintf("; it has no image for %s itself, and sandboxes on such nodes start only where the node takes another of its images instead", listed(partial))
	}
	return status.Good(pulled+"%s%s", digest, more)
}

// ownWords reports whether the status of a valid image is one that an operator
// writes: its words are of its digest, and it has platforms.
func ownWords(image *v1alpha1.SandboxImage) bool {
	c := meta.FindStatusCondition(image.Status.Conditions, v1alpha1.ConditionValid)
	rest, is := strings.CutPrefix(c.Message, pulled+image.Status.Digest)
	return is && (rest == "" || rest[0] == ';' || rest[0] == ',') && len(image.Status.Platforms) > 0
}

// userFault judges the user. Only numbers tell: a name stands in a file of the
// image, which the operator does not read and an image can change.
func userFault(c registry.Config) string {
	user, _, grouped := strings.Cut(c.User, ":")
	const fix = "set USER 100 in its Dockerfile, or build it FROM kora-sandbox-base"
	switch {
	case user == sandboxUser && (!grouped || !strings.HasSuffix(c.User, ":")):
		return ""
	case c.User == "":
		return "it names no user, which is root, and must run as uid 100: " + fix
	case strings.Trim(user, "0123456789") != "":
		return fmt.Sprintf("it runs as the user %s, a name whose number only its own files tell, and must run as uid 100: %s", shown(c.User), fix)
	}
	return fmt.Sprintf("it runs as the user %s and must run as uid 100: %s", shown(c.User), fix)
}

func labelFault(c registry.Config) string {
	if _, ok := c.Labels[BaseLabel]; ok {
		return ""
	}
	return "it lacks the label " + BaseLabel + ": build it FROM kora-sandbox-base"
}

// shown is a text of an image, quoted and short.
func shown(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("%q", text)
}

// listed joins platforms for a sentence.
func listed(platforms []string) string {
	if len(platforms) == 0 {
		return "no platform"
	}
	const most = 8
	if len(platforms) > most {
		return strings.Join(platforms[:most], ", ") + fmt.Sprintf(" and %d more", len(platforms)-most)
	}
	return strings.Join(platforms, ", ")
}
