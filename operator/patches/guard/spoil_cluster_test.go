package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/patches/guard"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// server asks a real API server, dry. Fields that an older one does not know are nothing
// to it.
type server struct {
	client    rest.Interface
	namespace string
	newest    bool
}

func newServer(t *testing.T) *server {
	cluster := testcluster.Shared(t)
	config := cluster.Config()
	config.WarningHandler = rest.NoWarnings{}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	version, err := client.ServerVersion()
	_, classErr := client.SchedulingV1().PriorityClasses().Create(t.Context(), &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "agents"}, Value: 5}, metav1.CreateOptions{})
	_, runtimeErr := client.NodeV1().RuntimeClasses().Create(t.Context(), &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "gvisor"}, Handler: "runsc"}, metav1.CreateOptions{})
	if err := errors.Join(err, classErr, runtimeErr); err != nil {
		t.Fatal(err)
	}
	return &server{client.CoreV1().RESTClient(), cluster.Namespace(t, testcluster.Privileged), version.Minor >= "36"}
}

func (s *server) refuses(ctx context.Context, pod []byte) error {
	return s.client.Post().Namespace(s.namespace).Resource("pods").Param("dryRun", "All").Param("fieldValidation", "Ignore").
		SetHeader("Content-Type", "application/json").Body(pod).Do(ctx).Error()
}

// said is what kora has against a pod, and whether it can be read at all.
func said(text []byte) ([]guard.Violation, bool) {
	pod := &corev1.Pod{}
	if json.Unmarshal(text, pod) != nil {
		return nil, false
	}
	return guard.Sound(pod, pod, fields.Of(pod)), true
}

// R2, R19: whatever is done to any field of a pod, kora refuses it where the API
// server does, and nowhere else, but for what kinder names. Servers before 1.36 do
// not know every field: of them it is only asked that they take what kora takes.
func TestClusterJudgesSpoiledPodsAsKoraDoes(t *testing.T) {
	s := newServer(t)
	work := make(chan spoiled)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for one := range work {
				s.compare(t, one)
			}
		})
	}
	tried := 0
	spoil(t, func(pod []byte) bool { return s.takes(t, pod) }, func(one spoiled) { tried++; work <- one })
	close(work)
	wait.Wait()
	if tried < 8000 {
		t.Errorf("%d pods: too few to prove anything", tried)
	}
}

// takes reports whether a pod is taken before anything in it is spoiled. By kora and by
// the newest server each is; an older one does not know what the last ones are of.
func (s *server) takes(t *testing.T, pod []byte) bool {
	found, _ := said(pod)
	err := s.refuses(t.Context(), pod)
	if len(found) > 0 || err != nil && s.newest {
		t.Fatalf("%+v, %v", found, err)
	}
	return err == nil
}

// kinder is what the API server takes although no node does anything with it, or
// does not look at before the pod's controller has added its labels.
var kinder = regexp.MustCompile(`topologySpreadConstraints\[\d\]\.topologyKey = |emptyDir\.medium = |lifecycle\.stopSignal = ` +
	`|limits\.storage = "-1"|matchLabels\.pod-template-hash added`)

func (s *server) compare(t *testing.T, one spoiled) {
	found, readable := said(one.pod)
	if !readable {
		return // refused before anybody judges
	}
	err := s.refuses(t.Context(), one.pod)
	switch {
	case apierrors.IsForbidden(err): // for what the cluster has, not for what the pod is
	case err != nil && len(found) == 0:
		t.Errorf("kora takes %s: %s", one.where, strings.ReplaceAll(err.Error(), "\n", " "))
	case err == nil && len(found) > 0 && s.newest && !kinder.MatchString(one.where):
		t.Errorf("the server takes %s: %s: %s", one.where, found[0].Path, found[0].Message)
	}
}
