package operatortest

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Planted is the value of every secret in a test: it may be nowhere but in Secrets.
const Planted = "PLANTED-s3cret"

// Log is all that the operator logs, for a test to look at.
type Log struct {
	mu  sync.Mutex
	all []string
}

// Logger is what writes it.
func (l *Log) Logger() logr.Logger {
	return funcr.New(func(prefix, args string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all = append(l.all, prefix+" "+args)
	}, funcr.Options{Verbosity: 2})
}

// String is its lines so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n")
}

// KeepsSecrets fails the test where the planted value is in the log, an event, a
// ConfigMap, a KoraTenant, or an object of the other lists.
func (w *World) KeepsSecrets(t testing.TB, log *Log, others ...client.ObjectList) {
	t.Helper()
	if strings.Contains(log.String(), Planted) {
		t.Error("the log holds a secret's value")
	}
	for _, list := range append(others, &eventsv1.EventList{}, &corev1.ConfigMapList{}, &v1alpha1.KoraTenantList{}) {
		if err := w.Admin.List(context.Background(), list); err != nil {
			t.Error(err)
		}
		text, err := json.Marshal(list)
		if err != nil {
			t.Error(err)
		}
		if strings.Contains(string(text), Planted) {
			t.Errorf("something of %T holds a secret's value", list)
		}
	}
}
