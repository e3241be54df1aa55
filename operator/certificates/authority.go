package certificates

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/upkeep"
)

// authority keeps the Secret and caBundle, on the leader alone.
type authority struct {
	Settings
	client client.Client // reads webhook configurations from the cache
	direct client.Reader // reads the Secret from the API server, and is asked seldom
	tell   teller
	gauges *gauges
	asked  time.Time // when the Secret was last read
	known  state     // what it held, without the keys
	wake   bell
	moved  atomic.Bool // the Secret has changed, or is gone: see watch
	since  time.Time   // when the next authority was first seen in every caBundle
}

// step brings the Secret and then every caBundle to where they should be.
func (a *authority) step(ctx context.Context) error {
	all, err := a.configurations(ctx, a.client)
	if err != nil {
		return err
	}
	s := a.known
	if moved := a.moved.Swap(false); moved || a.due(all) {
		if s, err = a.keep(ctx, all); err != nil {
			a.moved.Store(moved)
			return err
		}
	}
	return a.publish(ctx, all, s.bundle())
}

// due reports whether the Secret is to be read: at first, now and then, when the
// clock went back, when a change is near, and when caBundle is not what it held.
func (a *authority) due(all []configuration) bool {
	now := a.Clock.Now()
	if a.known.current == nil || now.Sub(a.asked) >= a.Reread || now.Before(a.asked) {
		return true
	}
	if _, word, _ := a.known.step(a.host(), now, a.AuthorityLife, a.settled(all)); word != "" {
		return true
	}
	bundle := a.known.bundle()
	for _, c := range all {
		if a.differ(c, func(e entry) bool { return !bytes.Equal(e.config.CABundle, bundle) }) {
			return true
		}
	}
	return false
}

// settled reports whether every API server has seen the next authority.
func (a *authority) settled(all []configuration) bool {
	now := a.Clock.Now()
	if a.known.next == nil || !a.inAll(all, a.known.next.cert) {
		a.since = time.Time{}
		return false
	}
	if a.since.IsZero() || now.Before(a.since) {
		a.since = now
	}
	return now.Sub(a.since) >= a.Settle
}

// keep reads the Secret, changes what is due, and writes it. Another writer in
// between makes the write fail, and the next step starts from what that one wrote.
func (a *authority) keep(ctx context.Context, all []configuration) (state, error) {
	secret := &corev1.Secret{}
	err := a.direct.Get(ctx, client.ObjectKey{Namespace: a.Namespace, Name: a.Secret}, secret)
	absent := apierrors.IsNotFound(err)
	if err != nil && !absent {
		return state{}, fmt.Errorf("read Secret %s: %w", a.Secret, err)
	}
	before, broken := decodeState(secret.Data, a.host())
	if broken != nil {
		a.tell.warn("CertificateAuthorityBroken", "Secret %s/%s holds what the operator did not write (%v): it makes that anew", a.Namespace, a.Secret, broken)
	}
	if before.next == nil || a.known.next == nil || !bytes.Equal(before.next.cert.Raw, a.known.next.cert.Raw) {
		a.since = time.Time{} // somebody else's next one has been published for no time yet
	}
	a.known = before.public()
	after, word, err := before.step(a.host(), a.Clock.Now(), a.AuthorityLife, a.settled(all))
	if err != nil {
		return state{}, err
	}
	if word != "" || broken != nil {
		if err := a.write(ctx, secret, after, absent); err != nil {
			return state{}, err
		}
		a.tell.say("CertificateAuthority", "%s", word)
	}
	a.asked, a.known = a.Clock.Now(), after.public()
	a.gauges.authority(after.current.cert.NotAfter)
	return a.known, nil
}

func (a *authority) write(ctx context.Context, secret *corev1.Secret, s state, absent bool) error {
	data, err := s.encode()
	if err != nil {
		return err
	}
	secret.Data = data
	if absent {
		err = a.create(ctx, secret)
	} else {
		err = a.client.Update(ctx, secret) // with the version that was read
	}
	if err != nil {
		return fmt.Errorf("write Secret %s: %w", a.Secret, err)
	}
	return nil
}

// create has the Secret go with the chart: no key stays behind that signs for nobody.
func (a *authority) create(ctx context.Context, secret *corev1.Secret) error {
	owner, err := upkeep.OfChart(ctx, a.direct, a.Namespace)
	if err != nil {
		return err
	}
	secret.ObjectMeta = metav1.ObjectMeta{Namespace: a.Namespace, Name: a.Secret, OwnerReferences: []metav1.OwnerReference{owner},
		Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora"}}
	secret.Type = corev1.SecretTypeOpaque
	return a.client.Create(ctx, secret)
}

// publish writes caBundle where it differs (R54), and tells when it was somebody
// else who made it so.
func (a *authority) publish(ctx context.Context, all []configuration, bundle []byte) error {
	var found []error
	for _, c := range all {
		if !a.differ(c, func(e entry) bool { return !bytes.Equal(e.config.CABundle, bundle) }) {
			continue
		}
		field := map[string]any{"clientConfig": map[string]any{"caBundle": base64.StdEncoding.EncodeToString(bundle)}}
		if err := a.apply(ctx, a.client, c, bundleOwner, field); err != nil {
			found = append(found, fmt.Errorf("write caBundle of the %s %s: %w", c.kind, a.Configuration, err))
			continue
		}
		a.gauges.wrote("caBundle")
	}
	return errors.Join(found...)
}
