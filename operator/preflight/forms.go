package preflight

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"

	"github.com/runkora/kora/operator/preflight/facts"
)

const leastRSA = 2048

// oneLine refuses what a file that ends in a line break brought along: the
// password would be wrong, and nobody sees why.
func oneLine(v facts.Value) string {
	if bytes.ContainsAny(v.Bytes, "\r\n") {
		return "the value holds a line break, as from a file that ends in one"
	}
	return ""
}

// signingKey judges an RSA private key in PEM, of PKCS #1 or #8.
func signingKey(v facts.Value) string {
	block, _ := pem.Decode(v.Bytes)
	if block == nil {
		return "the value is no PEM block"
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return "the value is no private key without a passphrase"
		}
		var ok bool
		if key, ok = any.(*rsa.PrivateKey); !ok {
			return "the value is a private key, but not an RSA one"
		}
	}
	if bits := key.N.BitLen(); bits < leastRSA {
		return fmt.Sprintf("the key has %d bits, and %d are the least", bits, leastRSA)
	}
	return ""
}

// encryptionKey judges base64 on one line: Go's decoder takes it in several.
func encryptionKey(v facts.Value) string {
	if said := oneLine(v); said != "" {
		return said
	}
	raw, err := base64.StdEncoding.DecodeString(string(v.Bytes))
	if err != nil {
		return "the value is not base64 on one line"
	}
	if len(raw) != encryptionKeyLength {
		return fmt.Sprintf("the value encodes %d bytes, and it must be %d", len(raw), encryptionKeyLength)
	}
	return ""
}

func dockerConfig(v facts.Value) string {
	var config struct {
		Auths map[string]json.RawMessage `json:"auths"`
	}
	if json.Unmarshal(v.Bytes, &config) != nil {
		return "the value is not JSON"
	}
	if len(config.Auths) == 0 {
		return "the value names no registry under auths"
	}
	return ""
}

func certificates(v facts.Value) string {
	if !x509.NewCertPool().AppendCertsFromPEM(v.Bytes) {
		return "the value holds no certificate in PEM"
	}
	return ""
}
