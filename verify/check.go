package verify

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	commonpb "github.com/sigstore/protobuf-specs/gen/pb-go/common/v1"
	"github.com/sigstore/sigstore-go/pkg/root"
	sgverify "github.com/sigstore/sigstore-go/pkg/verify"
	"github.com/sigstore/sigstore/pkg/signature"
	"github.com/sigstore/sigstore/pkg/signature/options"

	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/roots"
)

// check is sigstore-go's verifier under one trust root.
type check struct {
	root     string
	material root.TrustedMaterial
	verify   func(sgverify.SignedEntity, sgverify.PolicyBuilder) (*sgverify.VerificationResult, error)
	policy   sgverify.PolicyOption
	// bytes says that the key signs bytes and no digest. It is never asked
	// about a digest: a signature of nothing at all would do for any.
	bytes bool
}

// add makes the check of one root. An instance with logs has to show a log
// entry, a certificate log's promise and a time; only one that has no logs at
// all is taken by a timestamp alone.
func (v *Verifier) add(r roots.Root) error {
	opts := []sgverify.VerifierOption{sgverify.WithSignedTimestamps(1)}
	switch key := v.policy.Key(); {
	case key != nil && !r.Weak():
		opts = []sgverify.VerifierOption{sgverify.WithTransparencyLog(1), sgverify.WithObserverTimestamps(1)}
	case !r.Weak():
		opts = []sgverify.VerifierOption{sgverify.WithSignedCertificateTimestamps(1), sgverify.WithTransparencyLog(1), sgverify.WithObserverTimestamps(1)}
	}
	if v.policy.Key() == nil {
		return v.append(r.Name, r.Material, sgverify.WithoutIdentitiesUnsafe(), opts...) // the policy judges identities
	}
	keys, err := waysOf(v.policy.Key())
	if err != nil {
		return err
	}
	for _, k := range keys {
		err = errors.Join(err, v.append(r.Name, root.TrustedMaterialCollection{k.material, r.Material}, sgverify.WithKey(), opts...))
		v.last().bytes = k.bytes
	}
	return err
}

func (v *Verifier) addKeyAlone() error {
	keys, err := waysOf(v.policy.Key())
	if err != nil {
		return err
	}
	for _, k := range keys {
		err = errors.Join(err, v.append("", k.material, sgverify.WithKey(), sgverify.WithNoObserverTimestamps()))
		v.last().bytes = k.bytes
	}
	return err
}

func (v *Verifier) append(name string, m root.TrustedMaterial, p sgverify.PolicyOption, opts ...sgverify.VerifierOption) error {
	sv, err := sgverify.NewVerifier(m, opts...)
	if err != nil {
		return fmt.Errorf("trust root %s: %w", name, err)
	}
	v.checks = append(v.checks, check{root: name, material: m, verify: sv.Verify, policy: p})
	return nil
}

func (v *Verifier) last() *check { return &v.checks[len(v.checks)-1] }

// way is one way in which a key may sign.
type way struct {
	material root.TrustedMaterial
	bytes    bool
}

// waysOf returns the ways of a key: an Ed25519 key signs bytes, or their digest
// where a log takes only digests.
func waysOf(key crypto.PublicKey) ([]way, error) {
	_, edwards := key.(ed25519.PublicKey)
	plain, err := wayOf(key, edwards)
	if err != nil || !edwards {
		return []way{plain}, err
	}
	hashed, err := wayOf(key, false, options.WithED25519ph())
	return []way{plain, hashed}, err
}

func wayOf(key crypto.PublicKey, bytes bool, o ...signature.LoadOption) (way, error) {
	sv, err := signature.LoadDefaultVerifier(key, o...)
	if err != nil {
		return way{}, fmt.Errorf("the key cannot be used: %w", err)
	}
	always := root.NewExpiringKey(sv, time.Time{}, time.Time{})
	return way{root.NewTrustedPublicKeyMaterial(func(string) (root.TimeConstrainedVerifier, error) { return always, nil }), bytes}, nil
}

// errNeedsBytes is a signature over bytes where only a digest is known.
var errNeedsBytes = errors.New("the artifact's bytes are needed for a signature of this kind, and only its SHA-256 is known")

// run asks sigstore-go. A panic on a stranger's bytes is an error like any other.
func (c check) run(a Artifact, item evidence.Item) (result *sgverify.VerificationResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, errors.New("its verifier gave up on it")
		}
	}()
	switch {
	case item.Statement != nil:
		result, err = c.byStatement(item)
	case c.bytes:
		result, err = c.byBytes(a, item)
	default:
		result, err = c.byDigest(a, item)
	}
	if err == nil {
		err = c.logsValid(item, result)
	}
	return result, err
}

// byStatement checks the envelope of a statement, and not for which artifact: kora
// has read its subjects, and read them as sigstore-go does.
func (c check) byStatement(item evidence.Item) (*sgverify.VerificationResult, error) {
	result, err := c.verify(item.Bundle, sgverify.NewPolicy(sgverify.WithoutArtifactUnsafe(), c.policy))
	if err == nil {
		err = alike(item.Statement, result)
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

func (c check) byDigest(a Artifact, item evidence.Item) (*sgverify.VerificationResult, error) {
	algorithm := messageAlgorithm(item.Bundle.GetMessageSignature().GetMessageDigest().GetAlgorithm())
	value, known := a.Digests[algorithm]
	switch {
	case algorithm != "sha256" && algorithm != "sha384" && algorithm != "sha512":
		return nil, fmt.Errorf("the digest algorithm %s is none that is taken", algorithm)
	case !known:
		return nil, fmt.Errorf("it is over the %s digest: %w", algorithm, errNeedsBytes)
	}
	raw, err := hex.DecodeString(value)
	if err != nil {
		return nil, err
	}
	return c.verify(item.Bundle, sgverify.NewPolicy(sgverify.WithArtifactDigest(algorithm, raw), c.policy))
}

// byBytes reads the artifact again, and holds that it did not change meanwhile.
func (c check) byBytes(a Artifact, item evidence.Item) (*sgverify.VerificationResult, error) {
	if a.open == nil {
		return nil, errNeedsBytes
	}
	r, err := a.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	sum := sha256.New()
	result, err := c.verify(item.Bundle, sgverify.NewPolicy(sgverify.WithArtifact(io.TeeReader(r, sum)), c.policy))
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != a.Digests["sha256"] {
		return nil, errors.New("the artifact changed while it was read")
	}
	return result, err
}

func messageAlgorithm(h commonpb.HashAlgorithm) string {
	switch h {
	case commonpb.HashAlgorithm_SHA2_256:
		return "sha256"
	case commonpb.HashAlgorithm_SHA2_384:
		return "sha384"
	case commonpb.HashAlgorithm_SHA2_512:
		return "sha512"
	}
	return h.String()
}

// logsValid holds that a log's key was valid at every verified time: a proof
// of inclusion alone does not show when it was made.
func (c check) logsValid(item evidence.Item, result *sgverify.VerificationResult) error {
	logs := c.material.RekorLogs()
	entries := item.Bundle.GetVerificationMaterial().GetTlogEntries()
	if len(logs) == 0 || c.keyAlone() {
		return nil
	}
	for _, e := range entries {
		log, known := logs[hex.EncodeToString(e.GetLogId().GetKeyId())]
		if known && during(log, result.VerifiedTimestamps) {
			return nil
		}
	}
	return errors.New("the log's key was not valid when it was signed")
}

func (c check) keyAlone() bool { return c.root == "" }

func during(log *root.TransparencyLog, times []sgverify.TimestampVerificationResult) bool {
	for _, t := range times {
		early := t.Timestamp.Before(log.ValidityPeriodStart)
		late := !log.ValidityPeriodEnd.IsZero() && t.Timestamp.After(log.ValidityPeriodEnd)
		if early || late {
			return false
		}
	}
	return true
}
