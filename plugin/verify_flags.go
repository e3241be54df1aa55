package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/roots"
)

// trustFlags are those of every kora verify command: who has to have signed,
// and whom to trust for it. What cosign has too is named as there.
type trustFlags struct {
	policy  policy.Options
	keyFile string
	roots   roots.Source
	output  string
	// trusted are the digests of the trust roots that a run has.
	trusted []string
}

func (f *trustFlags) bind(flags *pflag.FlagSet) {
	p := &f.policy
	flags.StringVar(&p.Identity, "certificate-identity", "", "the whole `IDENTITY` of the signer")
	flags.StringVar(&p.IdentityRegexp, "certificate-identity-regexp", "", "an `EXPRESSION` that has to match the whole identity (default kora's release workflow at a version tag)")
	flags.StringVar(&p.Issuer, "certificate-oidc-issuer", "", "the `ISSUER` of the identity, exactly (default "+policy.DefaultIssuer+")")
	flags.StringVar(&p.SourceRepository, "source-repo", "", "the `OWNER/REPO` that was built (default the one that the identity lies in, where it tells)")
	flags.StringVar(&f.keyFile, "key", "", "a `FILE` with the public key that has to have signed, instead of an identity")
	flags.StringVar(&f.roots.File, "trusted-root", "", "a `FILE` with the trust root, one or several (default by TUF)")
	flags.BoolVar(&f.roots.Offline, "offline", false, "refuse every connection")
	flags.StringVar(&f.roots.Mirror, "tuf-mirror", "", "the `URL` of a TUF repository (default the public-good instance's)")
	flags.StringVar(&f.roots.TUFRoot, "tuf-root", "", "a `FILE` with the root.json to begin with (default the one built in)")
	flags.StringVarP(&f.output, "output", "o", "text", "print `FORMAT`: text or json")
}

// verifier makes the verifier of a run: its policy, and the trust roots that
// it needs. All that is wrong is told at once; warnings come beside a verifier.
func (f *trustFlags) verifier(ctx context.Context) (*verify.Verifier, faults.List) {
	found := f.readKey()
	if found.Refused() {
		return nil, found
	}
	p, bad := policy.New(f.policy)
	found = append(found, bad...)
	var trusted []roots.Root
	if f.keyFile == "" || f.roots.File != "" {
		var missing faults.List
		trusted, missing = f.roots.Load(ctx)
		found = append(found, missing...)
	}
	if found.Refused() {
		return nil, found
	}
	for _, r := range trusted {
		f.trusted = append(f.trusted, r.Digest)
	}
	v, err := verify.New(p, trusted)
	if err != nil {
		found = append(found, faults.New(faults.TrustRoot, err.Error()))
		return nil, found
	}
	return v, found
}

// maxKey bounds a file with a public key, in bytes.
const maxKey = 64 << 10

func (f *trustFlags) readKey() faults.List {
	if f.keyFile == "" {
		return nil
	}
	f.policy.KeyName = f.keyFile
	data, err := regular.Read(f.keyFile, maxKey)
	if err != nil {
		return faults.List{unreadable(f.keyFile, "the key cannot be read", err)}
	}
	f.policy.Key = data
	return nil
}

// checkOutput refuses a format that verify commands do not print, and flags of
// which one would decide nothing.
func (f *trustFlags) checkOutput() error {
	byTUF := f.roots.Mirror != "" || f.roots.TUFRoot != ""
	switch {
	case f.output != "text" && f.output != "json":
		return usageError{fmt.Errorf("no output format %q: use text or json", f.output)}
	case byTUF && f.roots.File != "":
		return usageError{errors.New("--trusted-root is the trust root, and --tuf-mirror and --tuf-root say where else it comes from: leave one of the two out")}
	case byTUF && f.keyFile != "":
		return usageError{errors.New("--key needs no trust root, and --tuf-mirror and --tuf-root say where one comes from: leave them out, or give --trusted-root to ask for a log entry too")}
	}
	return nil
}

// unreadable is the fault of a file that could not be read.
func unreadable(path, message string, err error) faults.Fault {
	f := faults.New(faults.FileMissing, message+": "+err.Error())
	f.File, f.Fix = path, "correct the path"
	return f
}
