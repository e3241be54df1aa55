package gather

import (
	"context"
	"errors"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/preflight/facts"
)

// privileged asks whether the node agent's kind of pod would be admitted.
func (r *reader) privileged(ctx context.Context) facts.Part[facts.Answer] {
	mount := r.Settings.SandboxMount
	if r.NoTrial {
		return facts.NotAsked[facts.Answer]("it was not tried")
	}
	if !mount.Enabled {
		return facts.NotAsked[facts.Answer]("sandboxMount.enabled is false")
	}
	err := r.tryPrivileged(ctx, mount.Namespace)
	switch {
	case apierrors.IsNotFound(err):
		return r.standIns(ctx, mount.Namespace)
	case err != nil && !ruledOut(err):
		return unread[facts.Answer](err)
	}
	answer := facts.Answer{Object: "Pod " + mount.Namespace + "/" + privilegedName}
	if err != nil {
		answer.Refused = kube.Words(kube.Answered(err))
	}
	return facts.Known(answer)
}

// standIns tries the pod where it will not run, since its own namespace is not there
// yet. The rules of a cluster often leave out kube-system, whose yes alone says
// little, and often keep workloads out of default, whose no is a warning. What holds in
// one namespace alone, such as its level of Pod Security, says nothing of another.
func (r *reader) standIns(ctx context.Context, of string) facts.Part[facts.Answer] {
	answer, said := facts.Answer{Object: "Namespace " + of, Absent: true}, false
	for _, namespace := range []string{metav1.NamespaceSystem, metav1.NamespaceDefault} {
		err := r.tryPrivileged(ctx, namespace)
		if err != nil && !ruledOut(err) {
			return unread[facts.Answer](err)
		}
		if local(err) || err != nil && strings.Contains(err.Error(), "violates PodSecurity") {
			continue
		}
		said = true
		switch {
		case err == nil:
		case namespace == metav1.NamespaceSystem:
			answer.Refused = kube.Words(kube.Answered(err))
		default:
			answer.Warnings = append(answer.Warnings, kube.Words(kube.Answered(err)))
		}
	}
	if !said {
		return unread[facts.Answer](errors.New("namespace " + of + " is not there yet, and those that stood in for it are ruled by a level or a quota of their own"))
	}
	return facts.Known(answer)
}

// ruledOut reports whether a rule of the cluster refused a pod, in contrast to a right
// that is missing and to no answer at all.
func ruledOut(err error) bool {
	return !denied(err) && (apierrors.IsForbidden(err) || apierrors.IsInvalid(err))
}

func (r *reader) tryPrivileged(ctx context.Context, namespace string) error {
	_, err := r.typed.CoreV1().Pods(namespace).Create(ctx, privilegedPod(), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

const privilegedName = "privileged-check"

// privilegedPod is that of D, "Scale-out sandboxes".
func privilegedPod() *corev1.Pod {
	yes := true
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: privilegedName},
		Spec: corev1.PodSpec{
			HostNetwork: true, HostPID: true, RestartPolicy: corev1.RestartPolicyNever,
			Containers: []corev1.Container{{Name: privilegedName, Image: "busybox", SecurityContext: &corev1.SecurityContext{Privileged: &yes}}},
		},
	}
}
