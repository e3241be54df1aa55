package cmp

import (
	"context"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/login"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/reference"
	"github.com/runkora/kora/verify/registry"
	verified "github.com/runkora/kora/verify/release"
	"github.com/runkora/kora/verify/roots"
)

// repository is a chart's name in its registry, without tag and digest.
func repository(chart string) string {
	rest, ok := strings.CutPrefix(chart, ociScheme)
	if !ok {
		return ""
	}
	ref, ok := reference.Parse(strings.ReplaceAll(rest, "+", "_"))
	if !ok {
		return ""
	}
	return ref.Context().Name()
}

// allowed refuses a chart of a registry that the settings do not name, and a
// signature that nobody could check.
func (g *generation) allowed() {
	chart, name := g.asked.Chart, repository(g.asked.Chart)
	if strings.HasPrefix(chart, ociScheme) {
		if name != "" && !g.settings.allow(name) {
			f := fault(faults.PluginRegistry, parametersVariable, "charts of this registry are not allowed here")
			f.Field, f.Expected = chartParameter, g.settings.allowedText()
			g.add(f)
		}
	} else if rest, ok := strings.CutPrefix(chart, onDisk); ok && within(rest) {
		if _, err := g.call.Root.Stat(rest); err != nil {
			f := outside(chart, err)
			f.File, f.Field = parametersVariable, chartParameter
			g.add(f)
		}
	}
	if g.mustVerify() {
		g.verifiable(name)
	}
}

func (s Settings) allow(repository string) bool {
	for _, each := range s.Registries {
		if repository == each || strings.HasPrefix(repository, each+"/") {
			return true
		}
	}
	return false
}

func (s Settings) allowedText() string {
	if len(s.Registries) == 0 {
		return "no chart of a registry: KORA_CMP_REGISTRIES names none"
	}
	return "a chart below " + strings.Join(s.Registries, " or ")
}

// mustVerify is true where the application asks for a signature, and of every
// chart that is not kora's own where the plugin's settings do.
func (g *generation) mustVerify() bool {
	return g.asked.Verify || g.settings.Always && g.asked.Chart != ""
}

func (g *generation) verifiable(repository string) {
	if repository == "" {
		f := fault(faults.PluginUnsigned, parametersVariable, "the chart is to be verified, and it is in no registry")
		f.Field, f.Expected = verifyParameter, "the parameter chart with oci://REGISTRY/REPOSITORY:TAG"
		f.Fix = "name the chart in its registry; the chart that kora brings is as trusted as the plugin's image"
		g.add(f)
	}
	if g.settings.TrustedRoot == "" && g.settings.Key == "" {
		f := fault(faults.PluginUnsigned, "KORA_CMP_TRUSTED_ROOT", "the plugin has no trust root and no key, so nothing can be verified")
		f.Fix = "let the administrator mount a trusted_root.json or a key, and name it: kora fetches none here"
		g.add(f)
	}
}

// verified is the chart by the digest whose signature was verified, or "" where
// it was not. The tag is resolved once, and what is rendered is what was verified.
func (g *generation) verified(ctx context.Context) string {
	ref := strings.ReplaceAll(strings.TrimPrefix(g.asked.Chart, ociScheme), "+", "_")
	v := g.verifier(ctx)
	if v == nil {
		return ""
	}
	g.doing.now("verifying the signature of the chart of the parameter " + chartParameter)
	client := registry.New(registry.Options{Limits: registry.DefaultLimits(), Keychain: login.Keychain(), UserAgent: "kora/" + g.call.Version})
	defer client.Close()
	items := []verified.Item{{What: verified.Chart, Ref: ref}}
	run := verified.Run{Client: client, Verifier: v, Builds: v, Parallel: 1, Timeout: g.settings.Timeout}
	verdicts := run.All(ctx, items)
	g.add(verified.Faults(items, verdicts)...)
	if len(verdicts) != 1 || verdicts[0].Kind != verify.Verified || !reference.Digest(verdicts[0].Digest) {
		if !g.out.Found.Refused() { // never on without a verdict
			g.add(fault(faults.PluginUnsigned, "chart", "the signature was not verified"))
		}
		return ""
	}
	g.out.Verified = ociScheme + repository(g.asked.Chart) + "@" + verdicts[0].Digest
	return g.out.Verified
}

// verifier is made of the plugin's settings alone, and without a network.
func (g *generation) verifier(ctx context.Context) *verify.Verifier {
	options := g.settings.Policy
	if g.settings.Key != "" {
		key, err := readKey(g.settings.Key)
		if err != nil {
			g.add(fault(faults.PluginSetting, "KORA_CMP_KEY", "the key cannot be read"))
			return nil
		}
		options.Key, options.KeyName = key, g.settings.Key
	}
	p, found := policy.New(options)
	g.add(found.Strict()...) // nobody reads the warnings of a plugin that succeeds
	var trusted []roots.Root
	if g.settings.TrustedRoot != "" {
		var missing faults.List
		trusted, missing = roots.Source{File: g.settings.TrustedRoot, Offline: true}.Load(ctx)
		g.add(missing...)
	}
	if g.out.Found.Refused() {
		return nil
	}
	v, err := verify.New(p, trusted)
	if err != nil {
		g.add(faults.New(faults.TrustRoot, err.Error()))
		return nil
	}
	return v
}
