package pulls_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/pulls"
	"github.com/runkora/kora/operator/settings"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// world is a release with the node agent, which pulls with these Secrets.
func world(t *testing.T, names ...any) *operatortest.World {
	t.Helper()
	values := map[string]any{
		"sandboxMount": map[string]any{"enabled": true},
		"global":       map[string]any{"imagePullSecrets": names},
		"operator":     map[string]any{"syncPeriod": "1s"},
	}
	w := operatortest.New(t, values)
	w.Apply(t, operatortest.Rendered(t, values, "Namespace")...)
	w.Apply(t, operatortest.Rendered(t, values, "Role", "RoleBinding")...)
	return w
}

func secret(t *testing.T, w *operatortest.World, namespace, name string, kind corev1.SecretType, data map[string][]byte) *corev1.Secret {
	t.Helper()
	o := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Type: kind, Data: data}
	if err := w.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Admin.Delete(context.Background(), o) })
	return o
}

func login(password string) map[string][]byte {
	return map[string][]byte{corev1.DockerConfigJsonKey: []byte(`{"auths":{"registry.example.com":{"password":"` + password + `"}}}`)}
}

// holds waits until a Secret beside the node agent holds a text; with none, until
// there is no such Secret.
func holds(t *testing.T, w *operatortest.World, name, text string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		got := &corev1.Secret{}
		err := w.Admin.Get(t.Context(), client.ObjectKey{Namespace: settings.MountNamespace, Name: name}, got)
		switch {
		case text == "" && apierrors.IsNotFound(err):
			return nil
		case text == "" && err == nil:
			return errors.New("it is still there")
		case err != nil:
			return err
		case !bytes.Contains(got.Data[corev1.DockerConfigJsonKey], []byte(text)):
			return fmt.Errorf("it holds something else than %s", text)
		}
		return nil
	})
}

// R21, R31: with the chart's rights alone, every pull Secret is where the node agent
// runs: made, kept equal when it is rotated or spoiled, and gone when the chart names
// it no longer. Nothing else is copied, and what somebody else made is left alone.
func TestTheNodeAgentHasItsPullSecrets(t *testing.T) {
	w := world(t, "mirror", "late", "kora-secrets", "own")
	mirror := secret(t, w, operatortest.System, "mirror", corev1.SecretTypeDockerConfigJson, login("one"))
	secret(t, w, operatortest.System, "kora-secrets", corev1.SecretTypeOpaque, map[string][]byte{"DB_PASSWORD": []byte("planted")})
	secret(t, w, operatortest.System, "own", corev1.SecretTypeDockerConfigJson, login("ours"))
	secret(t, w, settings.MountNamespace, "own", corev1.SecretTypeDockerConfigJson, login("theirs"))
	run := w.Start(t, pulls.New(w.Settings))
	holds(t, w, "mirror", "one")

	mirror.Data = login("rotated")
	if err := w.Admin.Update(t.Context(), mirror); err != nil {
		t.Fatal(err)
	}
	holds(t, w, "mirror", "rotated")
	copied := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: settings.MountNamespace, Name: "mirror"}}
	if err := w.Admin.Patch(t.Context(), copied, client.RawPatch("application/merge-patch+json", []byte(`{"data":{".dockerconfigjson":"e30="}}`))); err != nil {
		t.Fatal(err)
	}
	holds(t, w, "mirror", "rotated")
	secret(t, w, operatortest.System, "late", corev1.SecretTypeDockerConfigJson, login("late"))
	holds(t, w, "late", "late")
	holds(t, w, "own", "theirs")
	holds(t, w, "kora-secrets", "")

	w.Requests.Reset() // all is as it should be: passes every second write nothing
	secret(t, w, operatortest.System, "passes", corev1.SecretTypeOpaque, nil)
	reads := w.Requests.Reads()
	operatortest.Eventually(t, func() error {
		if now := w.Requests.Reads(); now < reads+10 {
			return fmt.Errorf("%d reads", now-reads)
		}
		return nil
	})
	if writes := w.Requests.Writes(); len(writes) > 0 {
		t.Errorf("it writes without need: %v", writes)
	}
	if err := run.Stop(); err != nil {
		t.Error(err)
	}
	later := world(t, "late")
	later.Start(t, pulls.New(later.Settings))
	holds(t, later, "mirror", "")
	holds(t, later, "late", "late")
	holds(t, later, "own", "theirs")
}

// R31: without the node agent the part ends at once, and asks nobody anything.
func TestNoNodeAgentNoCopies(t *testing.T) {
	without := settings.Settings{Operator: settings.Operator{ImagePullSecrets: []string{"mirror"}, SyncPeriod: "1s"}}
	if err := pulls.New(without).Start(t.Context()); err != nil { // it has no client
		t.Error(err)
	}
}

// R21, R31: a copy that lost its labels, is held in its deletion by a finalizer, cannot be
// changed any more, or is of another type follows its source as any other, in place where it
// can be. One of somebody's by which no image is pulled is told, and is left alone.
func TestCopiesThatSomebodyChangedFollow(t *testing.T) {
	names := []string{"stripped", "held", "fixed", "stuck"}
	w := world(t, "stripped", "held", "fixed", "stuck", "useless")
	sources := map[string]*corev1.Secret{}
	for _, name := range names {
		sources[name] = secret(t, w, operatortest.System, name, corev1.SecretTypeDockerConfigJson, login("one"))
	}
	secret(t, w, operatortest.System, "useless", corev1.SecretTypeDockerConfigJson, login("one"))
	useless := secret(t, w, settings.MountNamespace, "useless", corev1.SecretTypeOpaque, map[string][]byte{"a": []byte("theirs")})
	var log operatortest.Log
	run := w.StartWith(t, manager.Options{Log: log.Logger(), Parts: []manager.Part{pulls.New(w.Settings)}})
	uids := map[string]types.UID{}
	for name, change := range map[string]string{
		"stripped": `{"metadata":{"labels":null}}`,
		"held":     `{"metadata":{"finalizers":["example.com/held"]}}`,
		"fixed":    `{"immutable":true}`,
		"stuck":    `{"immutable":true,"metadata":{"finalizers":["example.com/held"]}}`,
	} {
		holds(t, w, name, "one")
		uids[name] = patch(t, w, name, change).UID
		t.Cleanup(func() { patch(t, w, name, `{"metadata":{"finalizers":null}}`) })
	}
	for _, name := range []string{"held", "stuck"} {
		if err := w.Admin.Delete(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: settings.MountNamespace, Name: name}}); err != nil {
			t.Fatal(err)
		}
	}
	for name, source := range sources {
		source.Data = login("two")
		if err := w.Admin.Update(t.Context(), source); err != nil {
			t.Fatal(err)
		}
		holds(t, w, name, "two")
	}
	for name, inPlace := range map[string]bool{"stripped": true, "held": true, "fixed": false, "stuck": false} {
		now := patch(t, w, name, `{}`)
		if (now.UID == uids[name]) != inPlace || now.Labels[v1alpha1.LabelManagedBy] != v1alpha1.Operator {
			t.Errorf("%s: it is the same object: %v, with %v", name, now.UID == uids[name], now.Labels)
		}
	}
	if now := patch(t, w, "useless", `{}`); string(now.Data["a"]) != "theirs" || now.UID != useless.UID {
		t.Errorf("somebody's own is changed: %v", now.UID != useless.UID)
	}
	operatortest.Eventually(t, func() error {
		if !strings.Contains(log.String(), "kora-sandbox-mount/"+useless.Name+" is not the operator's") {
			return errors.New("nothing tells of it")
		}
		return nil
	})
	patch(t, w, "stripped", `{"metadata":{"labels":null}}`)
	if err := run.Stop(); err != nil {
		t.Error(err)
	}
	patch(t, w, "stripped", `{"metadata":{"labels":null}}`) // and the chart names it no longer
	later := world(t, "held")
	later.Start(t, pulls.New(later.Settings))
	holds(t, later, "stripped", "")
	holds(t, later, "held", "two")
}

func patch(t *testing.T, w *operatortest.World, name, change string) *corev1.Secret {
	t.Helper()
	o := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: settings.MountNamespace, Name: name}}
	err := w.Admin.Patch(context.Background(), o, client.RawPatch(types.MergePatchType, []byte(change)))
	if client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	}
	return o
}
