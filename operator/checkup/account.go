package checkup

import (
	"context"
	"regexp"
	"slices"

	authentication "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// judge gives the outcomes of a look. Where something was refused to the operator, the
// command that gives the right names the account that it is to the API server, which is
// asked for that once.
func (c *Checkup) judge(ctx context.Context, seen *facts.Facts) []preflight.Outcome {
	outcomes := preflight.Judge(c.checks, seen, c.engine)
	if c.engine.Account != "" || !slices.ContainsFunc(outcomes, refused) {
		return outcomes
	}
	if c.engine.Account = c.account(ctx); c.engine.Account == "" {
		return outcomes // the words stand in the place of the command
	}
	return preflight.Judge(c.checks, seen, c.engine)
}

// account is the operator's name, empty where the API server does not say. The question
// needs no right and changes nothing.
func (c *Checkup) account(ctx context.Context) string {
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		return ""
	}
	me, err := client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authentication.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		return ""
	}
	return me.Status.UserInfo.Username
}

var forbidden = regexp.MustCompile(`cannot [a-z]+ resource`)

// refused reports whether a check tells of a right that lacks, in RBAC's words.
func refused(o preflight.Outcome) bool {
	return bad(o) && slices.ContainsFunc(o.Findings, func(f preflight.Finding) bool {
		return forbidden.MatchString(f.Message + " " + f.Found)
	})
}
