package kube

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"

	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/runkora/kora/internal/source"
)

// caFlag is how Helm takes a CA that stands over the kubeconfig's.
const caFlag = "--kube-ca-file"

// Part is a field of a kubeconfig, or Helm's flag over it, that holds or names
// nothing to go by.
type Part struct {
	File         string // the kubeconfig, or the flag
	Line, Column int    // 0 where they are not known
	Field        string // such as clusters[prod].cluster.certificate-authority; empty for the flag
	Path         string // the file that it names; empty for data in the kubeconfig
	Why          string
}

// Error is of error.
func (p *Part) Error() string {
	at := cmp.Or(p.Field, p.File)
	if p.Path != "" {
		at += ": " + p.Path
	}
	return at + " " + p.Why
}

// fix says what to give instead, to the flag or to the field.
func (p *Part) fix() string {
	if p.File == caFlag {
		return "give Helm's " + caFlag + ", or HELM_KUBECAFILE, a plain file of at most 1 MiB with the certificates of who signs the API server's, in PEM form; or leave it out"
	}
	return fmt.Sprintf("mend %s there, by a plain file of at most 1 MiB where it names one; or give --kubeconfig, or KUBECONFIG, another kubeconfig", p.Field)
}

// field is one of a kubeconfig, with what it holds or the file that it names.
type field struct {
	list, name, key string // such as clusters, prod, certificate-authority
	path            string
	data            []byte // which stands over the path
	origin          string // the kubeconfig
}

// parts looks at what a context of the kubeconfig names and holds, and at what is
// given over it.
func parts(file api.Config, p Place) error {
	if given := (field{path: p.Given.CAFile}); given.path != "" {
		if text, why := given.read(); why != "" || !signs(text) {
			return &Part{File: caFlag, Path: given.path, Why: cmp.Or(why, noCertificate)}
		}
	}
	context := file.Contexts[p.in(file)]
	if context == nil {
		return nil
	}
	if c := file.Clusters[context.Cluster]; c != nil && p.Given.CAFile == "" && !p.Given.InsecureSkipTLS {
		at := field{"clusters", context.Cluster, "certificate-authority", c.CertificateAuthority, c.CertificateAuthorityData, c.LocationOfOrigin}
		if text, why := at.read(); why != "" || text != nil && !signs(text) {
			return at.part(cmp.Or(why, noCertificate))
		}
	}
	if u := file.AuthInfos[context.AuthInfo]; u != nil && p.Given.Token == "" {
		return login(context.AuthInfo, u)
	}
	return nil
}

const noCertificate = "has no certificate in PEM form"

func signs(text []byte) bool { return x509.NewCertPool().AppendCertsFromPEM(text) }

// login looks at what a user logs in with.
func login(name string, u *api.AuthInfo) error {
	token := field{"users", name, "tokenFile", u.TokenFile, nil, u.LocationOfOrigin}
	if text, why := token.read(); why != "" || text != nil && u.Token == "" && len(bytes.TrimSpace(text)) == 0 {
		return token.part(cmp.Or(why, "is empty"))
	}
	certificate := field{"users", name, "client-certificate", u.ClientCertificate, u.ClientCertificateData, u.LocationOfOrigin}
	key := field{"users", name, "client-key", u.ClientKey, u.ClientKeyData, u.LocationOfOrigin}
	chain, why := certificate.read()
	if why != "" {
		return certificate.part(why)
	}
	private, why := key.read()
	if why != "" {
		return key.part(why)
	}
	if chain == nil || private == nil { // clientcmd says which is missing
		return nil
	}
	if _, err := tls.X509KeyPair(chain, private); err != nil {
		return certificate.part("and " + key.title() + " are no certificate and its key in PEM form")
	}
	return nil
}

// read is what the field holds, nil where it is not there, or why that cannot be had.
func (f field) read() (text []byte, why string) {
	if len(f.data) > 0 || f.path == "" {
		return f.data, ""
	}
	var file *NoFile
	if errors.As(plain(f.path), &file) {
		return nil, file.Why
	}
	text, err := os.ReadFile(f.path)
	if err != nil {
		return nil, "cannot be read: " + reason(err)
	}
	return append([]byte{}, text...), ""
}

func (f field) part(why string) *Part {
	out := &Part{File: f.origin, Field: f.title(), Path: f.path, Why: why}
	if len(f.data) > 0 {
		out.Path = ""
	}
	out.Line, out.Column = f.place()
	return out
}

// written is the key as it stands there: client-key, or client-key-data.
func (f field) written() string {
	if len(f.data) > 0 {
		return f.key + "-data"
	}
	return f.key
}

// kind is what an entry of the list holds beside its name.
func (f field) kind() string { return strings.TrimSuffix(f.list, "s") }

// title is the field's path, as in clusters[prod].cluster.certificate-authority.
func (f field) title() string {
	return fmt.Sprintf("%s[%s].%s.%s", f.list, Line(f.name), f.kind(), f.written())
}

// place is where the field stands in its kubeconfig, as far as that says so.
func (f field) place() (line, column int) {
	text, err := os.ReadFile(f.origin)
	if err != nil {
		return 0, 0
	}
	documents, _ := source.Parse(source.NewFile(f.origin, string(text)), source.DefaultLimits)
	for _, document := range documents {
		for _, entry := range items(document.Get(f.list)) {
			if name := entry.Get("name"); name == nil || name.Value != f.name {
				continue
			}
			if at := entry.Get(f.kind()).Field(f.written()); at != nil {
				return at.Value.Pos.Line, at.Value.Pos.Column
			}
		}
	}
	return 0, 0
}

func items(list *source.Node) []*source.Node {
	if list == nil {
		return nil
	}
	return list.Items
}
