package authority

import (
	"bytes"
	"crypto/ecdsa"
	"encoding/pem"
	"fmt"
	"slices"
)

// write adds several pairs to a Secret's content: their certificates, and the keys of
// those that have one.
func write(data map[string][]byte, certificates, keys string, all []*Pair) error {
	var held bytes.Buffer
	for _, p := range all {
		if p.Key == nil {
			continue
		}
		key, err := private(p.Key)
		if err != nil {
			return err
		}
		held.Write(key)
	}
	if len(all) > 0 {
		data[certificates] = encoded(certificatesOf(all))
	}
	if held.Len() > 0 {
		data[keys] = held.Bytes()
	}
	return nil
}

// pairs reads what write wrote. A key belongs to the certificate whose it is.
func pairs(data map[string][]byte, certificate, keys string) ([]*Pair, error) {
	if len(data[certificate])+len(data[keys]) == 0 {
		return nil, nil
	}
	all, err := certificates(data, certificate)
	if err != nil {
		return nil, err
	}
	var out []*Pair
	for _, c := range all {
		out = append(out, &Pair{Certificate: c})
	}
	for rest := data[keys]; len(bytes.TrimSpace(rest)) > 0; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil || block.Type != "PRIVATE KEY" {
			return nil, fmt.Errorf("%s holds something that is no PEM private key", keys)
		}
		key, err := privateIn(block, keys)
		if err != nil {
			return nil, err
		}
		if !give(out, key) {
			return nil, fmt.Errorf("%s holds a key of none of %s", keys, certificate)
		}
	}
	return out, nil
}

// give hands a key to the pair whose it is.
func give(all []*Pair, key *ecdsa.PrivateKey) bool {
	at := slices.IndexFunc(all, func(p *Pair) bool { return p.Key == nil && key.PublicKey.Equal(p.Certificate.PublicKey) })
	if at >= 0 {
		all[at].Key = key
	}
	return at >= 0
}
