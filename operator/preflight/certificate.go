package preflight

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strings"
	"time"
)

// soon is how long before its end a certificate is worth a warning.
const soon = 14 * 24 * time.Hour

// gatewayCertificate judges the pair that the gateway serves both hosts with.
func gatewayCertificate(v *verdict) {
	fix := v.pair()
	s := v.secret(v.Certificate, fix)
	if s == nil {
		return
	}
	finding := Finding{Object: "Secret " + v.Namespace + "/" + v.Certificate, Fix: fix}
	if s.Type != "kubernetes.io/tls" {
		finding.Message, finding.Field, finding.Found, finding.Expected = "the Secret is of another type", "type", s.Type, "kubernetes.io/tls"
		v.fail(finding)
		return
	}
	chain, key := s.Values["tls.crt"], s.Values["tls.key"]
	if chain.Length > 0 && chain.Bytes == nil {
		v.unread("the certificate in "+finding.Object, "only its length is known", v.again("--only", v.id))
		return
	}
	pair, err := tls.X509KeyPair(chain.Bytes, key.Bytes)
	if err != nil {
		finding.Message, finding.Field = "the certificate and the key are no pair", "data"
		v.fail(finding)
		return
	}
	v.leaf(pair.Leaf, finding)
}

// pair makes a certificate of nobody's authority for both hosts, and puts it, or
// what stands in the two files by then, where the gateway reads it. A Secret of
// another type has to give way, since the type of one never changes.
func (v *verdict) pair() string {
	names := "subjectAltName=DNS:" + strings.Join(v.hosts(), ",DNS:")
	return command("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", "-subj", "/CN=kora", "-addext", names, "-keyout", "tls.key", "-out", "tls.crt") +
		" && " + v.kubectl("create", "secret", "tls", v.Certificate, "--cert=tls.crt", "--key=tls.key", "--dry-run=client", "-o", "yaml") +
		" | kubectl replace --force -f - # for a trial: where an authority gave you tls.crt and tls.key, begin at kubectl"
}

func (v *verdict) hosts() []string { return []string{v.FrontendHost, "api." + v.FrontendHost} }

func (v *verdict) leaf(leaf *x509.Certificate, finding Finding) {
	finding.Field = "data.tls.crt"
	for _, host := range v.hosts() {
		if leaf.VerifyHostname(host) != nil {
			finding.Message, finding.Found, finding.Expected = "the certificate is not valid for a public host", orNothing(strings.Join(leaf.DNSNames, ", ")), host
			v.fail(finding)
		}
	}
	now, end := v.Now(), leaf.NotAfter
	finding.Expected = ""
	switch {
	case now.After(end):
		finding.Message, finding.Found = "the certificate has expired", "since "+end.UTC().Format(time.RFC3339)
		v.fail(finding)
	case now.Before(leaf.NotBefore):
		finding.Message, finding.Found = "the certificate is not valid yet", "from "+leaf.NotBefore.UTC().Format(time.RFC3339)
		v.fail(finding)
	case end.Sub(now) < soon:
		finding.Message, finding.Found = "the certificate ends soon", fmt.Sprintf("in %d days", int(end.Sub(now)/(24*time.Hour)))
		v.warn(finding)
	}
}
