package preflight

import (
	"context"
	"slices"
	"strings"

	authentication "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/preflight/facts"
)

// account is the name that the API server knows this run by, where something was
// refused to it: a right is worth a command only for that name. Empty: nothing
// was refused, or the server does not say. The question changes nothing.
func account(ctx context.Context, config *rest.Config, seen *facts.Facts) string {
	if !refused(seen) {
		return ""
	}
	asked, err := kube.Client(ctx, config)
	if err != nil {
		return ""
	}
	client, err := kubernetes.NewForConfigAndClient(config, asked)
	if err != nil {
		return ""
	}
	me, err := client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authentication.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		return ""
	}
	return me.Status.UserInfo.Username
}

func refused(seen *facts.Facts) bool {
	why, _ := seen.Unread()
	for _, a := range seen.Release.Value {
		why = append(why, a.Refused)
	}
	why = append(why, seen.Privileged.Value.Refused, seen.Kubernetes.Missing)
	return slices.ContainsFunc(why, func(text string) bool {
		return strings.Contains(text, " cannot ") || strings.Contains(text, "RBAC permissions")
	})
}
