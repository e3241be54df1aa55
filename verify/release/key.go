package release

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
)

// Fingerprint names a public key by what it is: "sha256:" and the hex digest
// of its DER form, a SubjectPublicKeyInfo, as `openssl pkey -pubin -outform DER
// | sha256sum` prints it. It is empty where there is no key.
func Fingerprint(key []byte) string {
	block, _ := pem.Decode(key)
	if block == nil {
		return ""
	}
	sum := sha256.Sum256(block.Bytes)
	return "sha256:" + hex.EncodeToString(sum[:])
}
