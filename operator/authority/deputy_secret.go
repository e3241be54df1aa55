package authority

import (
	"bytes"
	"crypto/x509"
)

// Data is the content of the Secret of a deputy under an authority: its certificate
// and key, the certificates of those before it, and those that verify all of them.
// The authority's key is not in it.
func (d Deputy) Data(by State) (map[string][]byte, error) {
	key, err := private(d.Current.Key)
	if err != nil {
		return nil, err
	}
	data := map[string][]byte{KeyCertificate: encoded([]*x509.Certificate{d.Current.Certificate}), KeyPrivate: key, KeyTrusted: by.Bundle()}
	if len(d.Previous) > 0 {
		data[keyPrevious] = encoded(d.Previous)
	}
	if len(d.Ended) > 0 {
		data[keyEnded] = encoded(d.Ended)
	}
	return data, nil
}

// ParseDeputy reads what Data gave. An error says which key is not as it should be,
// and never what it holds.
func ParseDeputy(data map[string][]byte) (Deputy, error) {
	current, err := pair(data, KeyCertificate, KeyPrivate)
	if err != nil {
		return Deputy{}, err
	}
	d := Deputy{Current: current}
	if len(data[keyPrevious]) > 0 {
		if d.Previous, err = certificates(data, keyPrevious); err != nil {
			return Deputy{}, err
		}
	}
	if len(data[keyEnded]) > 0 {
		if d.Ended, err = certificates(data, keyEnded); err != nil {
			return Deputy{}, err
		}
	}
	return d, nil
}

// Published reports whether a Secret's content tells the trusted certificates of
// an authority as they are.
func (s State) Published(data map[string][]byte) bool {
	return bytes.Equal(data[KeyTrusted], s.Bundle())
}
