package login

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/runkora/kora/internal/regular"
)

// maxConfig bounds a docker config, in bytes.
const maxConfig = 4 << 20

// config is what a docker config says of helper programs.
type config struct {
	CredsStore  string            `json:"credsStore"`
	CredHelpers map[string]string `json:"credHelpers"`
}

// read reads the config that authn.DefaultKeychain does; the zero config where
// there is none.
func read() (config, error) {
	var c config
	path := place()
	if path == "" {
		return c, nil
	}
	text, err := regular.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil || len(strings.TrimSpace(string(text))) > 0 && json.Unmarshal(text, &c) != nil {
		return c, errConfig
	}
	return c, nil
}

// place is docker's config where it has one, else podman's.
func place() string {
	home, _ := os.UserHomeDir()
	own, moved := filepath.Join(home, ".docker", "config.json"), os.Getenv("DOCKER_CONFIG")
	if home != "" && there(own) || moved != "" && there(filepath.Join(moved, "config.json")) {
		if moved != "" {
			return filepath.Join(moved, "config.json")
		}
		return own
	}
	configs := os.Getenv("XDG_CONFIG_HOME")
	if configs == "" && home != "" {
		configs = filepath.Join(home, ".config")
	}
	for _, path := range []string{os.Getenv("REGISTRY_AUTH_FILE"), under(os.Getenv("XDG_RUNTIME_DIR")), under(configs)} {
		if path != "" && there(path) {
			return path
		}
	}
	return ""
}

func under(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "containers", "auth.json")
}

func there(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// fromEnvironment is what DOCKER_AUTH_CONFIG has under a key, nil for nothing.
func fromEnvironment(key string) *authn.AuthConfig {
	var c struct {
		Auths map[string]struct {
			Auth string `json:"auth"`
		} `json:"auths"`
	}
	if json.Unmarshal([]byte(os.Getenv("DOCKER_AUTH_CONFIG")), &c) != nil {
		return nil
	}
	pair, err := base64.StdEncoding.DecodeString(c.Auths[key].Auth)
	user, password, ok := strings.Cut(string(pair), ":")
	if err != nil || !ok {
		return nil
	}
	return &authn.AuthConfig{Username: user, Password: strings.Trim(password, "\x00")}
}
