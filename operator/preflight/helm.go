package preflight

import "slices"

// helmName is Helm's flag for one of kubectl's, of which cluster and as whom.
func helmName(flag string) string {
	switch flag {
	case "--context":
		return "--kube-context"
	case "--server":
		return "--kube-apiserver"
	case "--as":
		return "--kube-as-user"
	case "--as-group":
		return "--kube-as-group"
	case "--certificate-authority":
		return "--kube-ca-file"
	case "--tls-server-name":
		return "--kube-tls-server-name"
	case "--insecure-skip-tls-verify=true":
		return "--kube-insecure-skip-tls-verify"
	}
	return flag
}

// ofHelm is a place in Helm's flags. They stand at every other word: a value
// follows each, but for the last one, which needs none.
func ofHelm(place []string) []string {
	out := slices.Clone(place)
	for i := 0; i < len(out); i += 2 {
		out[i] = helmName(out[i])
	}
	return out
}

// ofKora is a place in kora's flags: its own two, and what Helm alone knows where
// Helm calls kora and takes that off the line.
func (v *verdict) ofKora() []string {
	var out []string
	for i := 0; i < len(v.Place); i += 2 {
		words := v.Place[i:min(i+2, len(v.Place))]
		switch own := words[0] == "--kubeconfig" || words[0] == "--context"; {
		case own:
			out = append(out, words...)
		case len(v.Program) > 1:
			out = append(out, ofHelm(words)...)
		}
	}
	return out
}
