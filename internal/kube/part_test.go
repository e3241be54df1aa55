package kube

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	api "k8s.io/client-go/tools/clientcmd/api"
)

// toldOfPart is that a fault names the kubeconfig, the line and the field that a
// change made bad, and the file that it names.
func toldOfPart(t *testing.T, change func(*api.Cluster, *api.AuthInfo), field, path, want string) {
	t.Helper()
	at := kubeconfig(t, change)
	err := configured(t, at)
	f := Fault(err)
	if f.File != at || f.Field != field || f.Found != path || !strings.Contains(f.Message, want) || !strings.Contains(f.Fix, field) || !Lasting(err) {
		t.Errorf("%s: %+v", field, f)
		return
	}
	text, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	key := field[strings.LastIndex(field, ".")+1:]
	if lines := strings.Split(string(text), "\n"); f.Line < 1 || f.Column < 1 || !strings.Contains(lines[f.Line-1], key+": "+path) {
		t.Errorf("%s: line %d, column %d of\n%s", field, f.Line, f.Column, text)
	}
}

// R55: what a field of a kubeconfig holds, or the file that it names, is told by the
// field and its line where it is nothing to go by, and nothing of it is shown.
func TestPartsOfAKubeconfig(t *testing.T) {
	const planted = "planted-secret-value"
	bad := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(bad, []byte(planted), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte(" \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field, path, want string
		change            func(*api.Cluster, *api.AuthInfo)
	}{
		{"clusters[c].cluster.certificate-authority", bad, "no certificate in PEM form", func(c *api.Cluster, _ *api.AuthInfo) { c.CertificateAuthority = bad }},
		{"clusters[c].cluster.certificate-authority-data", "", "no certificate in PEM form", func(c *api.Cluster, _ *api.AuthInfo) { c.CertificateAuthorityData = []byte(planted) }},
		{"users[u].user.client-certificate", bad, "no certificate and its key", func(_ *api.Cluster, u *api.AuthInfo) { u.ClientCertificate, u.ClientKey = bad, bad }},
		{"users[u].user.client-certificate-data", "", "no certificate and its key", func(_ *api.Cluster, u *api.AuthInfo) {
			u.ClientCertificateData, u.ClientKeyData = []byte(planted), []byte(planted)
		}},
		{"users[u].user.tokenFile", empty, "is empty", func(_ *api.Cluster, u *api.AuthInfo) { u.TokenFile = empty }},
	} {
		toldOfPart(t, c.change, c.field, c.path, c.want)
		if f := Fault(configured(t, kubeconfig(t, c.change))); strings.Contains(f.Message+f.Found+f.Fix+f.Source, planted) {
			t.Errorf("%+v", f)
		}
	}
}

// R2, R55: a CA that Helm's flag gives is told by that flag, and so is what to do.
func TestTheAuthorityOfHelmsFlag(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad")
	if err := os.WriteFile(bad, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{bad: "no certificate in PEM form", "/no/such": "is not there", "/dev/zero": "is no plain file"} {
		_, err := Config(Place{Kubeconfig: kubeconfig(t, nil), Given: Given{CAFile: path}}, time.Second)
		f := Fault(err)
		if f.File != "--kube-ca-file" || f.Found != path || !strings.Contains(f.Message, want) || !strings.Contains(f.Fix, "--kube-ca-file") || strings.Contains(f.Fix, "--kubeconfig") || !Lasting(err) {
			t.Errorf("%s: %+v", path, f)
		}
	}
}

// R55: what a run does not use is not looked at: the CA of a kubeconfig under Helm's
// own, and the credential under Helm's token.
func TestPartsThatAreNotUsed(t *testing.T) {
	at := kubeconfig(t, func(c *api.Cluster, u *api.AuthInfo) {
		c.CertificateAuthority, u.TokenFile = "/no/such", "/no/such"
	})
	if _, err := Config(Place{Kubeconfig: at, Given: Given{CAFile: authorityFile(t), Token: "t"}}, time.Second); err != nil {
		t.Error(err)
	}
}

// authorityFile is a certificate in PEM form.
func authorityFile(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(1)}, &x509.Certificate{SerialNumber: big.NewInt(1)}, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: text}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// R55: a configuration that no transport comes of, such as one with a provider that
// is not built in, is told as what is wrong with the kubeconfig.
func TestAConfigurationThatCannotBeUsed(t *testing.T) {
	err := configured(t, kubeconfig(t, func(_ *api.Cluster, u *api.AuthInfo) { u.AuthProvider = &api.AuthProviderConfig{Name: "gone"} }))
	if !errors.As(err, new(*Unusable)) || !Lasting(err) || !strings.Contains(Fault(err).Fix, "mend the kubeconfig") {
		t.Errorf("%+v", Fault(err))
	}
}
