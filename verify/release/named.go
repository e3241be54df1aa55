package release

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/registry"
)

// helmConfig is the media type of a chart's config, which holds what stands in
// its Chart.yaml.
const helmConfig = "application/vnd.cncf.helm.config.v1+json"

// What reasons are called that the manifest, and a chart's config, give.
const (
	manifestEvidence = "manifest"
	configEvidence   = "config"
)

const otherFix = "do not use it under this name: somebody has put one signed artifact in the place of another, or the name is misspelt"

// otherKind is the reason of a chart where an image was asked, or the reverse:
// both are signed by the same workflow, and one in the place of the other is
// an attack (R45).
func otherKind(item Item, a registry.Artifact) *verify.Reason {
	no := func(message, fix string) *verify.Reason {
		return &verify.Reason{Evidence: manifestEvidence, Kind: verify.NoneMatches, Message: message, Fix: fix}
	}
	switch isChart := a.ConfigType == helmConfig; {
	case item.What == Chart && !isChart:
		return no("it is no Helm chart", "check an image with kora verify image")
	case item.What == Image && isChart:
		return no("it is a Helm chart, and no image", "check a chart with kora verify chart")
	case item.What == Image && !a.Index && a.ConfigType != string(types.OCIConfigJSON) && a.ConfigType != string(types.DockerConfigJSON):
		return no("it is no image that a container could run", "name the image itself")
	}
	return nil
}

// named holds what a signed artifact says of its own name against the name it
// was asked for: a chart's config, and a tag beside a digest.
func named(ctx context.Context, item Item, target registry.Target, a registry.Artifact, v *verify.Verdict) {
	if item.Tagged {
		digest, err := target.TagOf(ctx)
		switch {
		case err != nil:
			refuse(v, reason(manifestEvidence, err))
		case digest != "" && digest != a.Digest:
			wrong := differs(manifestEvidence, "the tag leads elsewhere than the digest beside it", "digest", digest, a.Digest)
			if moved := movedDigest(item, digest); moved != nil {
				wrong = *moved
			}
			refuse(v, wrong)
		}
	}
	if item.What != Chart {
		return
	}
	raw, err := target.Config(ctx, a)
	if err != nil {
		refuse(v, reason(configEvidence, err))
		return
	}
	var own Named
	if err := json.Unmarshal(raw, &own); err != nil || own.Name == "" || own.Version == "" {
		refuse(v, verify.Reason{Evidence: configEvidence, Kind: verify.BadEvidence, Message: "it does not say which chart it is"})
		return
	}
	if name := path.Base(target.Name()); !target.OnDisk() && own.Name != name {
		refuse(v, differs(configEvidence, "it is signed, and is another chart", "name", own.Name, name))
	}
	asked := cmp.Or(a.Tag, target.Beside())
	if tag := strings.ReplaceAll(own.Version, "+", "_"); asked != "" && tag != asked {
		refuse(v, differs(configEvidence, "it is signed, and is another version of the chart", "version", own.Version, asked))
	}
}

func differs(name, message, field, found, expected string) verify.Reason {
	return verify.Reason{
		Evidence: name, Kind: verify.NoneMatches, Message: message, Fix: otherFix,
		Mismatches: []policy.Mismatch{{Field: field, Found: found, Expected: expected}},
	}
}

// refuse takes an artifact out of the verified ones: who signed it counts for
// nothing when it is something else than was asked for.
func refuse(v *verify.Verdict, why verify.Reason) {
	if len(v.Signers) > 0 {
		v.Reasons = nil // those of other evidence beside a good one
	}
	v.Signers, v.Reasons = []verify.Signer{}, append(v.Reasons, why)
	v.Conclude()
}

// otherReference is the reason of a signature of the older scheme whose signed
// payload names another repository. The registry may be a mirror's, so that the
// last part of the name is what counts; the new scheme signs no name.
func otherReference(raw evidence.Raw, name string) *verify.Reason {
	if raw.Format != evidence.SimpleSigning {
		return nil
	}
	var payload struct {
		Critical struct {
			Identity struct {
				Reference string `json:"docker-reference"`
			} `json:"identity"`
		} `json:"critical"`
	}
	if err := json.Unmarshal(raw.Bytes, &payload); err != nil {
		return nil // it was read strictly before, so that this is none
	}
	signed := payload.Critical.Identity.Reference
	if signed == "" || lastOf(signed) == path.Base(name) {
		return nil
	}
	r := differs(raw.Name, "it signs the artifact under another name", "docker-reference", signed, name)
	return &r
}

// lastOf is the last part of a repository's name, without tag and digest.
func lastOf(ref string) string {
	ref, _, _ = strings.Cut(ref, "@")
	name, _, _ := strings.Cut(path.Base(ref), ":")
	return name
}

// Apart refuses two names of one release that lead to the same digest: an
// image, signed and good, in the place of another one. Tags of one repository
// may be the same thing.
func Apart(items []Item, verdicts []verify.Verdict) {
	first := map[string]int{}
	for i := range verdicts {
		v := &verdicts[i]
		if items[i].What != Image && items[i].What != Chart || !v.Verified() {
			continue
		}
		j, seen := first[v.Digest]
		if !seen {
			first[v.Digest] = i
			continue
		}
		if lastOf(items[i].Ref) == lastOf(items[j].Ref) {
			continue
		}
		for _, pair := range [][2]int{{i, j}, {j, i}} {
			refuse(&verdicts[pair[0]], verify.Reason{
				Evidence: manifestEvidence, Kind: verify.NoneMatches, Fix: otherFix,
				Message: "it has the same digest as " + items[pair[1]].Ref + ", and two names of a release are two artifacts",
			})
		}
	}
}
