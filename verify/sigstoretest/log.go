package sigstoretest

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"

	commonpb "github.com/sigstore/protobuf-specs/gen/pb-go/common/v1"
	rekorpb "github.com/sigstore/protobuf-specs/gen/pb-go/rekor/v1"
	rekornote "github.com/sigstore/rekor-tiles/v2/pkg/note"
	"github.com/sigstore/rekor/pkg/util"
	"github.com/sigstore/sigstore/pkg/signature"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
)

func (s *Sigstore) newRekor1() logKey { return s.ecdsaLog(s.newKey()) }

// newRekor2 makes a log whose id is that of a signed note's key.
func (s *Sigstore) newRekor2() logKey {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	s.must(err)
	id := sha256.Sum256(append([]byte("rekor2."+s.name+"\n\x01"), public...))
	return logKey{private, s.spki(public), id[:], commonpb.PublicKeyDetails_PKIX_ED25519}
}

// hashes of two texts that an entry gives.
func hashOf(data []byte) map[string]any {
	sum := sha256.Sum256(data)
	return map[string]any{"algorithm": "sha256", "value": hex.EncodeToString(sum[:])}
}

// signedDigest is the body of a Rekor 1 entry for a signature of bytes.
func (s *Sigstore) signedDigest(digest, sig, verifier []byte) []byte {
	return s.canonical(map[string]any{"apiVersion": "0.0.1", "kind": "hashedrekord", "spec": map[string]any{
		"data":      map[string]any{"hash": map[string]any{"algorithm": "sha256", "value": hex.EncodeToString(digest)}},
		"signature": map[string]any{"content": base64.StdEncoding.EncodeToString(sig), "publicKey": map[string]any{"content": base64.StdEncoding.EncodeToString(verifier)}},
	}})
}

// signedEnvelope is the body of a Rekor 1 entry for an attestation.
func (s *Sigstore) signedEnvelope(payload, sig, verifier []byte) []byte {
	return s.canonical(map[string]any{"apiVersion": "0.0.1", "kind": "dsse", "spec": map[string]any{
		"envelopeHash": hashOf(append([]byte("envelope of "), payload...)), "payloadHash": hashOf(payload),
		"signatures": []any{map[string]any{
			"signature": base64.StdEncoding.EncodeToString(sig), "verifier": base64.StdEncoding.EncodeToString(verifier),
		}},
	}})
}

// canonical relies on encoding/json, which sorts the keys of a map; no text
// here holds what it would escape.
func (s *Sigstore) canonical(v map[string]any) []byte {
	out, err := json.Marshal(v)
	s.must(err)
	return out
}

// rekor1Entry adds a body to the first log, which gives a promise and a proof.
func (s *Sigstore) rekor1Entry(body []byte, kind string, shape Shape) *rekorpb.TransparencyLogEntry {
	const index = 4711
	e := &rekorpb.TransparencyLogEntry{
		LogIndex: index, LogId: &commonpb.LogId{KeyId: slices.Clone(s.rekor1.id)}, IntegratedTime: shape.At.Unix(),
		KindVersion: &rekorpb.KindVersion{Kind: kind, Version: "0.0.1"}, CanonicalizedBody: body,
	}
	if !shape.NoPromise {
		signed := s.canonical(map[string]any{
			"body": base64.StdEncoding.EncodeToString(body), "integratedTime": shape.At.Unix(),
			"logID": hex.EncodeToString(s.rekor1.id), "logIndex": index,
		})
		e.InclusionPromise = &rekorpb.InclusionPromise{SignedEntryTimestamp: s.sign(s.rekor1.signer, signed)}
	}
	if !shape.NoProof {
		e.InclusionProof = s.proof(body, func(root []byte) string {
			signer, err := signature.LoadECDSASignerVerifier(s.rekor1.signer.(*ecdsa.PrivateKey), crypto.SHA256)
			s.must(err)
			text, err := util.CreateAndSignCheckpoint(context.Background(), "rekor1."+s.name, 1234567, 2, root, signer)
			s.must(err)
			return string(text)
		})
	}
	return e
}

// proof shows that a body is the first of two in a tree.
func (s *Sigstore) proof(body []byte, checkpoint func(root []byte) string) *rekorpb.InclusionProof {
	other := rfc6962.DefaultHasher.HashLeaf([]byte("another entry"))
	root := rfc6962.DefaultHasher.HashChildren(rfc6962.DefaultHasher.HashLeaf(body), other)
	return &rekorpb.InclusionProof{
		LogIndex: 0, TreeSize: 2, RootHash: root, Hashes: [][]byte{other},
		Checkpoint: &rekorpb.Checkpoint{Envelope: checkpoint(root)},
	}
}

// rekor2Entry adds a digest to the second log, which gives a proof and no time.
func (s *Sigstore) rekor2Entry(digest, sig []byte, verifier map[string]any) *rekorpb.TransparencyLogEntry {
	body := s.canonical(map[string]any{"apiVersion": "0.0.2", "kind": "hashedrekord", "spec": map[string]any{"hashedRekordV002": map[string]any{
		"data":      map[string]any{"algorithm": "SHA2_256", "digest": base64.StdEncoding.EncodeToString(digest)},
		"signature": map[string]any{"content": base64.StdEncoding.EncodeToString(sig), "verifier": verifier},
	}}})
	return &rekorpb.TransparencyLogEntry{
		LogIndex: 0, LogId: &commonpb.LogId{KeyId: slices.Clone(s.rekor2.id)}, CanonicalizedBody: body,
		KindVersion: &rekorpb.KindVersion{Kind: "hashedrekord", Version: "0.0.2"},
		InclusionProof: s.proof(body, func(root []byte) string {
			return s.checkpoint("https://rekor2."+s.name, root)
		}),
	}
}

func (s *Sigstore) checkpoint(base string, root []byte) string {
	u, err := url.Parse(base)
	s.must(err)
	signer, err := signature.LoadED25519Signer(s.rekor2.signer.(ed25519.PrivateKey))
	s.must(err)
	noteSigner, err := rekornote.NewNoteSigner(context.Background(), u.Hostname(), signer)
	s.must(err)
	text := fmt.Sprintf("%s\n2\n%s\n", u.Hostname(), base64.StdEncoding.EncodeToString(root))
	signed, err := note.Sign(&note.Note{Text: text}, noteSigner)
	s.must(err)
	return string(signed)
}

// sign signs data's SHA-256 with an ECDSA key.
func (s *Sigstore) sign(key crypto.Signer, data []byte) []byte {
	sum := sha256.Sum256(data)
	return s.signSum(key, sum[:])
}

func (s *Sigstore) signSum(key crypto.Signer, sum []byte) []byte {
	sig, err := key.Sign(rand.Reader, sum, crypto.SHA256)
	s.must(err)
	return sig
}
