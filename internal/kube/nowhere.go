package kube

import (
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
)

// Nowhere is an ErrNowhere that names the files that somebody gave and that say
// nothing of a cluster.
type Nowhere struct{ Why string }

// Error is of error.
func (n *Nowhere) Error() string { return "no cluster is configured: " + n.Why }

// Is is of errors.
func (n *Nowhere) Is(target error) bool { return target == ErrNowhere }

// nowhere says of each file that was named why it is none to go by.
func nowhere(rules *clientcmd.ClientConfigLoadingRules) error {
	named := filepath.SplitList(os.Getenv(clientcmd.RecommendedConfigPathEnvVar))
	if rules.ExplicitPath != "" {
		named = []string{rules.ExplicitPath}
	}
	var out []string
	for _, path := range named {
		switch _, err := os.Stat(path); {
		case path == "":
		case os.IsNotExist(err):
			out = append(out, "the kubeconfig "+path+" is not there")
		default:
			out = append(out, "the kubeconfig "+path+" names none")
		}
	}
	if out == nil {
		return ErrNowhere
	}
	return &Nowhere{Line(strings.Join(out, ", "))}
}
