package kube

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"
)

// kubeconfig writes one whose user and cluster a test may change.
func kubeconfig(t *testing.T, change func(*api.Cluster, *api.AuthInfo)) string {
	t.Helper()
	file, cluster, user := api.NewConfig(), &api.Cluster{Server: "https://127.0.0.1:1"}, &api.AuthInfo{}
	if change != nil {
		change(cluster, user)
	}
	file.Clusters["c"], file.AuthInfos["u"] = cluster, user
	file.Contexts["x"] = &api.Context{Cluster: "c", AuthInfo: "u"}
	file.CurrentContext = "x"
	path := filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(*file, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// configured tells what Config says of a file, which it must do at once.
func configured(t *testing.T, path string) error {
	t.Helper()
	got := make(chan error, 1)
	go func() { _, err := Config(Place{Kubeconfig: path}, time.Second); got <- err }()
	select {
	case err := <-got:
		return err
	case <-time.After(time.Minute):
		t.Fatal("it is still read")
		return nil
	}
}

// R55: what has no end or no writer is not read, whether it is the kubeconfig or
// a file that it names; nor is what is no kubeconfig by its size.
func TestOnlyPlainFilesAreRead(t *testing.T) {
	pipe, large := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "large")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, make([]byte, fileLimit+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"/dev/zero": "is no plain file", pipe: "is no plain file", large: "holds more than 1 MiB", t.TempDir(): "is no plain file", "/no/such": "is not there"} {
		err := configured(t, path)
		var file *NoFile
		if f := Fault(err); !errors.As(err, &file) || f.File != path || !strings.Contains(f.Message, want) || !strings.Contains(f.Fix, "KUBECONFIG") {
			t.Errorf("%s: %v %+v", path, err, f)
		}
		for name, change := range map[string]func(*api.Cluster, *api.AuthInfo){
			"clusters[c].cluster.certificate-authority": func(c *api.Cluster, _ *api.AuthInfo) { c.CertificateAuthority = path },
			"users[u].user.client-certificate":          func(_ *api.Cluster, u *api.AuthInfo) { u.ClientCertificate = path },
			"users[u].user.client-key":                  func(_ *api.Cluster, u *api.AuthInfo) { u.ClientKey = path },
			"users[u].user.tokenFile":                   func(_ *api.Cluster, u *api.AuthInfo) { u.TokenFile = path },
		} {
			toldOfPart(t, change, name, path, want)
		}
	}
	if err := configured(t, kubeconfig(t, nil)); err != nil {
		t.Error(err)
	}
}

// R55: without --kubeconfig, $KUBECONFIG's files may be missing, but no pipe.
func TestTheEnvironmentsFiles(t *testing.T) {
	good, missing := kubeconfig(t, nil), filepath.Join(t.TempDir(), "none")
	t.Setenv("KUBECONFIG", missing+string(os.PathListSeparator)+good)
	if err := configured(t, ""); err != nil {
		t.Error(err)
	}
	t.Setenv("KUBECONFIG", "/dev/zero"+string(os.PathListSeparator)+good)
	if err := configured(t, ""); err == nil {
		t.Error("a device is read")
	}
	t.Setenv("KUBECONFIG", missing)
	if err := configured(t, ""); !errors.Is(err, ErrNowhere) || Fault(err).Fix == "" {
		t.Error(err)
	}
}

// R55: a kubeconfig that somebody named and that says nothing of a cluster is named,
// whether by the flag or by the environment.
func TestAKubeconfigWithoutAClusterIsNamed(t *testing.T) {
	empty, missing := filepath.Join(t.TempDir(), "empty"), filepath.Join(t.TempDir(), "none")
	if err := os.WriteFile(empty, []byte("apiVersion: v1\nkind: Config\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flag, environment, want string }{
		{empty, "", "no cluster is configured: the kubeconfig " + empty + " names none"},
		{"", empty, "no cluster is configured: the kubeconfig " + empty + " names none"},
		{"", missing + string(os.PathListSeparator) + empty, "no cluster is configured: the kubeconfig " + missing + " is not there, the kubeconfig " + empty + " names none"},
	} {
		t.Setenv("KUBECONFIG", c.environment)
		err := configured(t, c.flag)
		if f := Fault(err); !errors.Is(err, ErrNowhere) || f.Message != c.want || !strings.Contains(f.Fix, "a kubeconfig with a cluster") || !Lasting(err) {
			t.Errorf("%+v: %+v", c, f)
		}
	}
}
