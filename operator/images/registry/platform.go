package registry

import (
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// normal is a platform as nodes compare it: without capitals, of Linux where it names
// no system, and under the name that kora's images have of several for one machine.
func normal(p v1.Platform) v1.Platform {
	p.OS, p.Architecture, p.Variant = strings.ToLower(p.OS), strings.ToLower(p.Architecture), strings.ToLower(p.Variant)
	if p.OS == "" {
		p.OS = "linux"
	}
	switch p.Architecture {
	case "x86_64", "x86-64":
		p.Architecture = "amd64"
	case "aarch64":
		p.Architecture = "arm64"
	case "i386":
		p.Architecture = "386"
	case "armhf", "armel":
		p.Architecture = "arm"
	}
	return p
}

// platform is os/architecture[/variant].
func platform(p v1.Platform) string {
	p = normal(p)
	return strings.TrimSuffix(strings.Join([]string{p.OS, p.Architecture, p.Variant}, "/"), "/")
}

// base is a platform without its variant, which nodes do not tell.
func base(platform string) string {
	parts := strings.SplitN(platform, "/", 3)
	return strings.Join(parts[:min(len(parts), 2)], "/")
}

// plainPlatform takes short words of letters and digits, and no unknown/unknown.
func plainPlatform(p v1.Platform) bool {
	return word(p.OS) && word(p.Architecture) && (p.Variant == "" || word(p.Variant)) && p.OS != "unknown"
}

func word(s string) bool {
	return len(s) > 0 && len(s) <= 20 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789._-") == ""
}

// maxListed is what status.platforms takes.
const maxListed = 32

func platforms(entries []v1.Descriptor) []string {
	var all []string
	for _, entry := range entries {
		all = append(all, platform(*entry.Platform))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), maxListed)]
}
