package cmp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// bySet is the part of a way out that a command line has and the plugin has not.
var bySet = regexp.MustCompile(`,? or (give|use) (it with )?--set.*$`)

// flags are kora's own by what stands for them here.
var flags = strings.NewReplacer(
	"--trusted-root", "the sidecar's "+settingPrefix+"TRUSTED_ROOT",
	"--certificate-identity-regexp", "the sidecar's "+settingPrefix+"IDENTITY_REGEXP",
	"--certificate-identity", "the sidecar's "+settingPrefix+"IDENTITY",
	"--certificate-oidc-issuer", settingPrefix+"ISSUER",
	"--key", "the sidecar's "+settingPrefix+"KEY",
	"--chart", "the parameter "+chartParameter,
	"--values", "the parameter "+valuesFilesParameter,
	"--release-name", "the parameter "+releaseParameter,
	"--namespace", "spec.destination.namespace",
	"--kube-version", "KUBE_VERSION",
	"--api-versions", "KUBE_API_VERSIONS",
)

// spoken are the faults in the words of Argo CD: it gives no flags and no standard
// input, so nobody could follow a way out that names one (R43). What the repository
// says, in messages and in what was found, is left as it is.
func spoken(found faults.List) faults.List {
	out := slices.Clone(found)
	for i := range out {
		f := &out[i]
		if entry, ok := faults.Lookup(f.Code); ok && f.Fix == "" {
			f.Fix = entry.Fix
		}
		if strings.HasPrefix(f.File, "--") && !strings.Contains(f.File, " ") {
			f.File = flags.Replace(f.File)
		}
		f.Fix = flags.Replace(bySet.ReplaceAllString(f.Fix, ""))
		f.Fix = strings.TrimSuffix(f.Fix, ", or give - and pipe the text into standard input")
		f.Expected = flags.Replace(f.Expected)
	}
	return out
}
