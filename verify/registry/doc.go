// Package registry fetches what verification needs: an artifact by the digest
// that its tag has now, and the evidence for that digest. It never judges
// evidence (R45, R48).
//
// go-containerregistry parses names, answers challenges and knows the formats.
// Around it stand kora's own bounds: bytes, time, connections, tries, and the
// hosts that a registry may send us to. A registry is not trusted: what it
// answers is measured, hashed and capped before anything reads it.
package registry
