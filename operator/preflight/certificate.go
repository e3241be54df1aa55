package preflight

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"slices"
	"strings"
	"time"
)

// soon is how long before its end a certificate is worth a warning.
const soon = 14 * 24 * time.Hour

// gatewayCertificate judges the pair that the gateway serves both hosts with.
func gatewayCertificate(v *verdict) {
	s := v.secret(v.Certificate, v.pair())
	if s == nil {
		return
	}
	finding := Finding{Object: "Secret " + v.Namespace + "/" + v.Certificate, Fix: v.held()}
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
	for _, der := range pair.Certificate {
		v.serving(der, finding)
	}
}

// serving judges whether a certificate, or one behind it in the chain, is for servers:
// browsers refuse one that says what it is for and not that.
func (v *verdict) serving(der []byte, finding Finding) {
	c, err := x509.ParseCertificate(der)
	if err != nil || len(c.ExtKeyUsage)+len(c.UnknownExtKeyUsage) == 0 || slices.Contains(c.ExtKeyUsage, x509.ExtKeyUsageServerAuth) || slices.Contains(c.ExtKeyUsage, x509.ExtKeyUsageAny) {
		return
	}
	finding.Message, finding.Field, finding.Expected = "the certificate is not for servers", "data.tls.crt", "the extended key usage serverAuth, or none"
	finding.Found = fmt.Sprintf("%q is for something else alone", c.Subject.CommonName)
	v.fail(finding)
}

// pair makes a certificate of nobody's authority for both hosts, in a folder of
// its own, and a Secret of it where there is none.
func (v *verdict) pair() string {
	names := "subjectAltName=DNS:" + strings.Join(v.hosts(), ",DNS:")
	fix := `dir="$(mktemp -d)" && ` + command("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", "-subj", "/CN=kora", "-addext", names) +
		` -keyout "$dir/tls.key" -out "$dir/tls.crt" && ` + v.kubectl("create", "secret", "tls", v.Certificate) + ` --cert="$dir/tls.crt" --key="$dir/tls.key"` +
		" # for a trial: where an authority gave you a certificate, make the Secret of that"
	return v.aboutSecret(v.Certificate, sound(fix, subdomain(v.FrontendHost)))
}

// held shows a certificate that is there: it may be the only copy of a real one,
// so nothing takes its place.
func (v *verdict) held() string {
	return v.aboutSecret(v.Certificate, v.kubectl("describe", "secret", v.Certificate)+
		remark("whoever put it there puts a pair for "+strings.Join(v.hosts(), " and ")+" into it; or name another Secret in gateway.tls.credentialName"))
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
