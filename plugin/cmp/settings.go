package cmp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/reference"
)

// The bounds of one call. Argo CD's own is 60 seconds, unless it was changed.
const (
	DefaultTimeout = 50 * time.Second
	leastTimeout   = time.Second
	mostTimeout    = 10 * time.Minute
)

const settingPrefix = "KORA_CMP_"

// Settings are what the sidecar's administrator says (R43).
type Settings struct {
	Timeout time.Duration
	// Registries are those that charts may come from, each a host with or without
	// the beginning of a path: "ghcr.io/runkora/charts". None is the default.
	Registries []string
	// Always asks for a signature of every chart that is not kora's own.
	Always bool
	// TrustedRoot is the file of the trust root, and Key that of a public key in
	// place of an identity.
	TrustedRoot, Key string
	Policy           policy.Options
}

// settings are the variables of the sidecar by their names behind the prefix.
var settings = map[string]func(*Settings, string) error{
	"TIMEOUT":         (*Settings).setTimeout,
	"REGISTRIES":      (*Settings).setRegistries,
	"VERIFY":          (*Settings).setVerify,
	"TRUSTED_ROOT":    func(s *Settings, v string) error { s.TrustedRoot = v; return nil },
	"KEY":             func(s *Settings, v string) error { s.Key = v; return nil },
	"IDENTITY":        func(s *Settings, v string) error { s.Policy.Identity = v; return nil },
	"IDENTITY_REGEXP": func(s *Settings, v string) error { s.Policy.IdentityRegexp = v; return nil },
	"ISSUER":          func(s *Settings, v string) error { s.Policy.Issuer = v; return nil },
}

// ReadSettings reads the variables KORA_CMP_ of the sidecar. Values never stand in
// a fault.
func ReadSettings(environ []string) (Settings, faults.List) {
	out := Settings{Timeout: DefaultTimeout}
	var found faults.List
	given := byName(environ)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		short, ours := strings.CutPrefix(name, settingPrefix)
		if !ours || given[name] == "" {
			continue
		}
		set, known := settings[short]
		if !known {
			f := fault(faults.PluginSetting, name, "the plugin has no such setting")
			f.Fix = suggestion(settingPrefix, short, slices.Sorted(maps.Keys(settings)))
			found = append(found, f)
			continue
		}
		if err := set(&out, given[name]); err != nil {
			f := fault(faults.PluginSetting, name, "the setting cannot be read")
			f.Expected = err.Error()
			found = append(found, f)
		}
	}
	return out, found
}

// byName are the variables of a process, of which the last of a name holds.
func byName(environ []string) map[string]string {
	out := map[string]string{}
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok {
			out[name] = value
		}
	}
	return out
}

func (s *Settings) setTimeout(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < leastTimeout || d > mostTimeout {
		return fmt.Errorf("a time from %s to %s, such as 50s", leastTimeout, mostTimeout)
	}
	s.Timeout = d
	return nil
}

func (s *Settings) setRegistries(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(part), ociScheme), "/")
		if part == "" {
			continue
		}
		// A registry alone is allowed too: any repository completes it.
		ref, ok := reference.Parse(part + "/x:x")
		if !ok || strings.ContainsAny(part, "@*") {
			return fmt.Errorf("registries with commas between them, such as ghcr.io/runkora/charts")
		}
		s.Registries = append(s.Registries, strings.TrimSuffix(ref.Context().Name(), "/x"))
	}
	return nil
}

func (s *Settings) setVerify(text string) error {
	switch text {
	case "always":
		s.Always = true
	case "asked":
	default:
		return fmt.Errorf("always, or asked: where the application asks for it")
	}
	return nil
}

// fault is one of a thing that has a name and no file.
func fault(code faults.Code, name, message string) faults.Fault {
	f := faults.New(code, message)
	f.File = name
	return f
}

// suggestion names what was most likely meant.
func suggestion(prefix, name string, all []string) string {
	if near := fields.Nearest(name, all); near != "" {
		return fmt.Sprintf("did you mean %q?", prefix+near)
	}
	return "use one of: " + prefix + strings.Join(all, ", "+prefix)
}
