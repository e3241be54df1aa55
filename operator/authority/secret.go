package authority

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
)

// The keys of a Secret that holds a State. It is of type kubernetes.io/tls.
const (
	KeyCertificate = "tls.crt"      // of who signs
	KeyPrivate     = "tls.key"      // its key, PKCS #8
	KeyTrusted     = "ca.crt"       // all that verify, as Bundle
	keyNext        = "next.crt"     // who signs next
	keyNextPrivate = "next.key"     // its key
	keyPrevious    = "previous.crt" // who signed before
	keyAside       = "aside.crt"    // who could sign, and another one does
	keyAsideKeys   = "aside.key"    // their keys
	keyEnded       = "ended.crt"    // who has ended by the clock
	keyEndedKeys   = "ended.key"    // the keys of those that have theirs
)

// Bundle is all trusted certificates in PEM, always in the same order.
func (s State) Bundle() []byte { return encoded(s.Trusted()) }

// PEM is the certificate alone.
func (p *Pair) PEM() []byte { return encoded([]*x509.Certificate{p.Certificate}) }

// Data is the content of the Secret.
func (s State) Data() (map[string][]byte, error) {
	key, err := private(s.Current.Key)
	if err != nil {
		return nil, err
	}
	data := map[string][]byte{KeyCertificate: encoded([]*x509.Certificate{s.Current.Certificate}), KeyPrivate: key, KeyTrusted: s.Bundle()}
	if s.Next != nil {
		if data[keyNextPrivate], err = private(s.Next.Key); err != nil {
			return nil, err
		}
		data[keyNext] = encoded([]*x509.Certificate{s.Next.Certificate})
	}
	if len(s.Previous) > 0 {
		data[keyPrevious] = encoded(s.Previous)
	}
	if err := write(data, keyAside, keyAsideKeys, s.Aside); err != nil {
		return nil, err
	}
	return data, write(data, keyEnded, keyEndedKeys, s.Ended)
}

// Parse reads what Data gave. An error says which key is not as it should be,
// and never what it holds.
func Parse(data map[string][]byte) (State, error) {
	current, err := pair(data, KeyCertificate, KeyPrivate)
	if err != nil {
		return State{}, err
	}
	s := State{Current: current}
	if len(data[keyNext]) > 0 || len(data[keyNextPrivate]) > 0 {
		if s.Next, err = pair(data, keyNext, keyNextPrivate); err != nil {
			return State{}, err
		}
	}
	if len(data[keyPrevious]) > 0 {
		if s.Previous, err = certificates(data, keyPrevious); err != nil {
			return State{}, err
		}
	}
	if s.Aside, err = pairs(data, keyAside, keyAsideKeys); err != nil {
		return State{}, err
	}
	if s.Ended, err = pairs(data, keyEnded, keyEndedKeys); err != nil {
		return State{}, err
	}
	return s, nil
}

// ParseBundle reads the certificates that Bundle gave.
func ParseBundle(bundle string) ([]*x509.Certificate, error) {
	return certificates(map[string][]byte{KeyTrusted: []byte(bundle)}, KeyTrusted)
}

func pair(data map[string][]byte, certificate, key string) (*Pair, error) {
	all, err := certificates(data, certificate)
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("%s holds %d certificates, not one", certificate, len(all))
	}
	block, rest := pem.Decode(data[key])
	if block == nil || block.Type != "PRIVATE KEY" || len(bytes.TrimSpace(rest)) > 0 {
		return nil, fmt.Errorf("%s holds no PEM private key", key)
	}
	private, err := privateIn(block, key)
	if err != nil {
		return nil, err
	}
	if !private.PublicKey.Equal(all[0].PublicKey) {
		return nil, fmt.Errorf("%s is not the key of %s", key, certificate)
	}
	return &Pair{all[0], private}, nil
}

func privateIn(block *pem.Block, key string) (*ecdsa.PrivateKey, error) {
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil { // its text may tell of the key
		return nil, fmt.Errorf("%s holds no PKCS #8 key", key)
	}
	private, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || private.Curve != elliptic.P256() {
		return nil, fmt.Errorf("%s is no ECDSA P-256 key", key)
	}
	return private, nil
}

// certificates reads one or more authorities.
func certificates(data map[string][]byte, name string) ([]*x509.Certificate, error) {
	var all []*x509.Certificate
	rest := data[name]
	for len(bytes.TrimSpace(rest)) > 0 {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil || block.Type != "CERTIFICATE" {
			return nil, fmt.Errorf("%s holds something that is no PEM certificate", name)
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !c.IsCA || !c.BasicConstraintsValid {
			return nil, fmt.Errorf("%s holds a certificate that is no authority's", name)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, errors.New(name + " is missing")
	}
	return all, nil
}

func encoded(all []*x509.Certificate) []byte {
	var out bytes.Buffer
	for _, c := range all {
		_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}) // a buffer takes all
	}
	return out.Bytes()
}

func private(key *ecdsa.PrivateKey) ([]byte, error) {
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, errors.New("the key cannot be written")
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), nil
}
