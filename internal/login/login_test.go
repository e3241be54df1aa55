package login

import (
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
)

const planted = "planted-Passw0rd"

// home is a home with nothing in it but what is written there; scripts are helper
// programs, by the end of their names.
func home(t *testing.T, files, scripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range files {
		write(filepath.Join(dir, path), text)
	}
	for name, text := range scripts {
		write(filepath.Join(dir, "bin", "docker-credential-"+name), "#!/bin/sh\n"+text+"\n")
	}
	for _, name := range []string{"DOCKER_CONFIG", "DOCKER_AUTH_CONFIG", "REGISTRY_AUTH_FILE", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", dir)
	if files[".docker/config.json"] != "" {
		t.Setenv("DOCKER_CONFIG", filepath.Join(dir, ".docker")) // docker's reader keeps the first home
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+":/usr/bin:/bin")
	return dir
}

// of are the credentials for ghcr.io/a/b as one text.
func of(ctx context.Context, t *testing.T) (string, error) {
	t.Helper()
	repo, err := name.NewRepository("ghcr.io/a/b")
	if err != nil {
		t.Fatal(err)
	}
	auth, err := authn.Resolve(ctx, Keychain(), repo)
	if err != nil {
		return "", err
	}
	c, err := auth.Authorization()
	if err != nil {
		t.Fatal(err)
	}
	return c.Username + ":" + c.Password + ":" + c.IdentityToken, nil
}

func prints(user, secret string) string {
	return `if test "$(cat)" != ghcr.io; then echo credentials not found in native keychain; exit 1; fi; echo '{"ServerURL":"x","Username":"` + user + `","Secret":"` + secret + `"}'`
}

// R45: credentials are found where docker and podman have them, in their order.
func TestWhereCredentialsAre(t *testing.T) {
	auths := func(key, pair string) string {
		return `{"auths":{"` + key + `":{"auth":"` + base64.StdEncoding.EncodeToString([]byte(pair)) + `"}}}`
	}
	none := `cat >/dev/null; echo "credentials not found in native keychain"; exit 1`
	for what, c := range map[string]struct {
		files, scripts, env map[string]string
		want                string
	}{
		"nothing":                    {nil, nil, nil, "::"},
		"an empty config":            {map[string]string{".docker/config.json": ""}, nil, nil, "::"},
		"docker's file":              {map[string]string{".docker/config.json": auths("ghcr.io", "me:one")}, nil, nil, "me:one:"},
		"an address as key":          {map[string]string{".docker/config.json": auths("https://ghcr.io/v1/", "me:one")}, nil, nil, "me:one:"},
		"podman's file":              {map[string]string{".config/containers/auth.json": auths("ghcr.io", "me:two")}, nil, nil, "me:two:"},
		"the environment first":      {map[string]string{".docker/config.json": `{"credsStore":"x"}`}, map[string]string{"x": prints("me", "three")}, map[string]string{"DOCKER_AUTH_CONFIG": auths("ghcr.io", "me:four")}, "me:four:"},
		"a store":                    {map[string]string{".docker/config.json": `{"credsStore":"x"}`}, map[string]string{"x": prints("me", "three")}, nil, "me:three:"},
		"a helper before the store":  {map[string]string{".docker/config.json": `{"credsStore":"x","credHelpers":{"ghcr.io":"y"}}`}, map[string]string{"x": none, "y": prints("me", "five")}, nil, "me:five:"},
		"a token":                    {map[string]string{".docker/config.json": `{"credsStore":"x"}`}, map[string]string{"x": prints("<token>", "six")}, nil, "::six"},
		"a store that has nothing":   {map[string]string{".docker/config.json": `{"credsStore":"x"}`}, map[string]string{"x": none}, nil, "::"},
		"a helper of other registry": {map[string]string{".docker/config.json": `{"credHelpers":{"quay.io":"x"}}`}, map[string]string{"x": prints("me", "seven")}, nil, "::"},
		"podman's helper":            {map[string]string{".config/containers/auth.json": `{"credHelpers":{"ghcr.io":"x"}}`}, map[string]string{"x": prints("me", "eight")}, nil, "me:eight:"},
	} {
		t.Run(what, func(t *testing.T) {
			home(t, c.files, c.scripts)
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			if got, err := of(t.Context(), t); err != nil || got != c.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// R45: what a helper prints stands nowhere, neither in an error nor on this
// program's own standard error, and one that prints without end is ended.
func TestAHelperThatPrintsSecrets(t *testing.T) {
	for want, script := range map[string]string{
		"failed with status 3":           "echo " + planted + "; echo " + planted + " >&2; exit 3",
		"prints no credentials":          "echo " + planted + "; echo " + planted + " >&2",
		"prints more than 1048576 bytes": "trap '' PIPE; while :; do echo " + strings.Repeat(planted, 100) + "; done",
		"cannot be run, or does not end": "echo " + planted + "; sleep 60 &",
	} {
		home(t, map[string]string{".docker/config.json": `{"credsStore":"x"}`}, map[string]string{"x": script})
		said, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		own := os.Stderr
		os.Stderr = said
		got, err := of(t.Context(), t)
		os.Stderr = own
		text, _ := os.ReadFile(said.Name())
		said.Close()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error()+got+string(text), planted) {
			t.Errorf("%s: %q, %v; on standard error %q", want, got, err, text)
		}
	}
}

// R45: a helper that hangs is ended in time, with what it started.
func TestAHelperThatHangs(t *testing.T) {
	dir := home(t, map[string]string{".docker/config.json": `{"credsStore":"x"}`}, nil)
	pid := filepath.Join(dir, "pid")
	home(t, map[string]string{".docker/config.json": `{"credsStore":"x"}`}, map[string]string{"x": "sleep 600 & echo $! >" + pid + ".new; mv " + pid + ".new " + pid + "; wait"})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(pid); err == nil {
				cancel()
			}
		}
	}()
	if got, err := of(ctx, t); got != "" || !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", got, err)
	}
	text, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for !gone(child) {
		time.Sleep(time.Millisecond) // until the whole test's time is over
	}
}

// gone reports whether a process has ended, be it that nobody has asked for its status.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(status), ") Z ")
}

// R45: what of a config cannot be read is not quoted, and no helper is outside of
// the path in which programs are found.
func TestAConfigThatIsNone(t *testing.T) {
	for _, text := range []string{`{"auths":"` + planted + `"`, `{"credsStore":["` + planted + `"]}`, `{"auths":{"ghcr.io":{"auth":"` + planted + `"}}}`, `{"credsStore":"../` + planted + `"}`} {
		home(t, map[string]string{".docker/config.json": text}, nil)
		if got, err := of(t.Context(), t); err == nil || strings.Contains(err.Error(), planted) {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

// R45: nobody else asks the keychain that has no bounds.
func TestNobodyElseRunsHelpers(t *testing.T) {
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "internal/login/") {
			return err
		}
		text, err := fs.ReadFile(root, path)
		if strings.Contains(string(text), "authn."+"DefaultKeychain") {
			t.Errorf("%s: ask login.Keychain instead", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
