// Package attacks holds what has to be accepted and what has to be refused, as
// data: each published advisory about tools of this kind, each trick that is
// known to have worked somewhere, and the ordinary cases beside them. Tests of
// the verifier and of the real program go through the same list.
package attacks

import (
	"slices"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// The questions that can be asked of evidence, named as the commands are.
const (
	File        = "file"
	Attestation = "attestation"
	Provenance  = "provenance"
)

// Case is one artifact with its evidence, and what has to be said of it.
type Case struct {
	// Name tells what is tried; an advisory's number comes first.
	Name string
	// Ask is the question, Type the predicate type of an attestation.
	Ask, Type string
	Artifact  []byte
	// ByDigest gives the artifact's digest alone.
	ByDigest bool
	Evidence []byte
	// Root is the trust root, the instance's if nil; NoRoot gives none.
	Root   []byte
	NoRoot bool
	Policy policy.Options
	// Want is the verdict, and Says what a reason holds, if not empty.
	Want verify.Kind
	Says string
}

// Chart is the artifact of the cases.
var Chart = []byte("the bytes of a chart")

// Kora is who has to have signed them, unless a case says otherwise.
var Kora = sigstoretest.Kora("1.4.0")

// Cases returns all of them, on evidence of the instance.
func Cases(s *sigstoretest.Sigstore) []Case {
	all := slices.Concat(accepted(s), identities(s), bundles(s), statements(s), times(s), logs(s), keys(s), provenances(s), claims(s), dependencies(s), narrowed(s), references(s), bombs(s))
	for i := range all {
		c := &all[i]
		if c.Artifact == nil {
			c.Artifact = Chart
		}
		if c.Root == nil && !c.NoRoot {
			c.Root = s.TrustedRoot()
		}
		if c.Ask == "" {
			c.Ask = File
		}
		c.Policy.ByBuild = c.Ask == Provenance // as the command asks
	}
	return all
}

func digest() string { return sigstoretest.DigestOf(Chart) }

// provenance is what GitHub says about a build of kora's.
func provenance(digests ...string) []byte {
	return sigstoretest.Statement(slsa1, sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/release.yml", "refs/tags/v1.4.0"), digests...)
}

const (
	slsa1  = "https://slsa.dev/provenance/v1"
	slsa02 = "https://slsa.dev/provenance/v0.2"
	v01    = "https://in-toto.io/Statement/v0.1"
	v1     = "https://in-toto.io/Statement/v1"
)
