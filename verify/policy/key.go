package policy

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/runkora/kora/internal/faults"
)

// setKey takes a key instead of an identity. What only a certificate can say
// cannot be asked of a key.
func (p *Policy) setKey(o Options) faults.List {
	var found faults.List
	if o.Identity != "" || o.IdentityRegexp != "" || o.Issuer != "" || o.SourceRepository != "" || o.SignerWorkflow != "" || o.SourceRef != "" || o.HostedRunner {
		found = append(found, shape("key", o.KeyName, "a key has no identity, issuer, repository, workflow or runner: only a certificate says these")...)
	}
	key, err := parseKey(o.Key)
	if err != nil {
		f := faults.New(faults.BadKey, err.Error())
		f.File = o.KeyName
		e, _ := faults.Lookup(faults.BadKey)
		f.Fix = e.Fix
		found = append(found, f)
	}
	p.key, p.keyName = key, o.KeyName
	return found
}

func parseKey(data []byte) (crypto.PublicKey, error) {
	block, rest := pem.Decode(data)
	switch {
	case block == nil:
		return nil, errors.New("the key is not PEM")
	case block.Type != "PUBLIC KEY":
		return nil, fmt.Errorf("the PEM block is a %s and not a PUBLIC KEY", block.Type)
	case len(bytes.TrimSpace(rest)) > 0:
		return nil, errors.New("something follows the key's PEM block, and only one key is taken")
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the public key does not parse")
	}
	return key, strong(key)
}

func strong(key crypto.PublicKey) error {
	switch k := key.(type) {
	case ed25519.PublicKey:
		return nil
	case *ecdsa.PublicKey:
		if k.Curve == elliptic.P256() || k.Curve == elliptic.P384() || k.Curve == elliptic.P521() {
			return nil
		}
		return errors.New("the curve of the key is not P-256, P-384 or P-521")
	case *rsa.PublicKey:
		if n := k.N.BitLen(); n < 2048 || n > 4096 {
			return fmt.Errorf("the RSA key has %d bits, and 2048 to 4096 are taken", n)
		}
		return nil
	}
	return fmt.Errorf("a key of the kind %T is not taken", key)
}
