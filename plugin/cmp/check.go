package cmp

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/roots"
)

// check looks at what the settings name, on every call, also of an application
// that asks for no signature: what is wrong shall be seen when it is set, and not
// when it is needed (R43). No value and nothing of a file stands in a fault.
func (s Settings) check(ctx context.Context) faults.List {
	var found faults.List
	refuse := func(name, message, expected string) {
		f := fault(faults.PluginSetting, settingPrefix+name, message)
		f.Expected = expected
		found = append(found, f)
	}
	options, readable := s.Policy, true
	if s.Key != "" {
		key, err := readKey(s.Key)
		if readable = err == nil; !readable {
			refuse("KEY", "the key cannot be read: "+because(err), "the path of a public key in PEM, mounted into the sidecar")
		}
		options.Key, options.KeyName = key, "the key"
	}
	if _, wrong := policy.New(options); readable && len(wrong) > 0 {
		name, message, expected := s.signer()
		refuse(name, message, expected)
	}
	if s.TrustedRoot != "" {
		if err := regular(s.TrustedRoot); err != nil {
			refuse("TRUSTED_ROOT", "the trust root cannot be read: "+because(err), "the path of a trusted_root.json, mounted into the sidecar")
		} else if _, wrong := (roots.Source{File: s.TrustedRoot, Offline: true}).Load(ctx); wrong.Refused() {
			refuse("TRUSTED_ROOT", "this is no trust root", "the path of a trusted_root.json, mounted into the sidecar")
		}
	}
	return found
}

// signer is the setting that a policy of signers refused, and why.
func (s Settings) signer() (name, message, expected string) {
	p := s.Policy
	switch {
	case s.Key != "" && (p.Identity != "" || p.IdentityRegexp != "" || p.Issuer != ""):
		return "KEY", "a key and an identity or its issuer are given, and only one can be meant", "a key, or KORA_CMP_IDENTITY… and KORA_CMP_ISSUER"
	case s.Key != "":
		return "KEY", "this is no public key", "one public key in PEM"
	case p.Identity != "" && p.IdentityRegexp != "":
		return "IDENTITY_REGEXP", "an identity and an expression are given, and only one can be meant", "one of the two"
	case p.IdentityRegexp != "":
		return "IDENTITY_REGEXP", "the expression does not parse, or lets others in", `a whole identity with ^ and $ and escaped dots, which no other repository, workflow or branch matches`
	}
	return "IDENTITY", "the identity or its issuer cannot be taken", "the identity of a signer's certificate, and the URL of its issuer"
}

// because is a reason without the path that it is about.
func because(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func regular(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is " + kindOf(info.Mode()) + " and no file")
	}
	return err
}

const mostKey = 64 << 10

// readKey reads a file of the sidecar; a pipe would make it wait.
func readKey(name string) ([]byte, error) {
	if err := regular(name); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostKey))
}
