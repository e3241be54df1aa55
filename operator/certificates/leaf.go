package certificates

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// leaf is the certificate that one replica serves. It lives in memory only, and
// so does its key; the authority's key is read to sign it and let go at once.
type leaf struct {
	Settings
	client client.Reader // reads webhook configurations from the cache
	direct client.Reader // reads the Secret from the API server
	gauges *gauges
	wake   bell

	mu      sync.RWMutex
	serving *tls.Certificate
	trust   error // why the served one is not the trusted one; nil when it is
}

func newLeaf(s Settings) *leaf {
	return &leaf{Settings: s, wake: newBell(), trust: errors.New("no certificate yet")}
}

// get is tls.Config's GetCertificate.
func (l *leaf) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.serving == nil {
		return nil, errors.New("the webhooks have no certificate yet")
	}
	return l.serving, nil
}

// ready gives nil only while the served certificate is the trusted one.
func (l *leaf) ready() error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.trust
}

// step mints a certificate when one is due, and judges the one that is served. A
// new one is not served before the API server trusts it, unless the old one is
// not trusted either: that is the overlap on the replica's side.
func (l *leaf) step(ctx context.Context) error {
	all, err := l.configurations(ctx, l.client)
	if err != nil {
		l.judge(nil, err)
		return err
	}
	l.mu.RLock()
	now := l.serving
	l.mu.RUnlock()
	if l.due(now, all) {
		fresh, err := l.mint(ctx)
		if err != nil {
			l.judge(now, l.trusted(now, all))
			return err
		}
		if l.trusted(fresh, all) == nil || l.trusted(now, all) != nil {
			now = fresh
		}
	}
	l.judge(now, l.trusted(now, all))
	return nil
}

func (l *leaf) judge(serving *tls.Certificate, trust error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if serving != nil {
		l.serving = serving
		l.gauges.leaf(serving.Leaf.NotAfter)
	}
	l.trust = trust
}

// due reports whether a new certificate is wanted: there is none, it is not valid
// now, two thirds of its life are over, or another authority signs by now.
func (l *leaf) due(c *tls.Certificate, all []configuration) bool {
	now := l.Clock.Now()
	if c == nil || !usable(c.Leaf, now) || aging(c.Leaf, now) {
		return true
	}
	for _, config := range all {
		if l.differ(config, func(e entry) bool {
			bundle := decodeBundle(e.config.CABundle)
			return len(bundle) > 0 && c.Leaf.CheckSignatureFrom(bundle[0]) != nil
		}) {
			return true
		}
	}
	return false
}

// trusted gives nil when a certificate passes, for every entry of kora's, what the
// API server asks of it.
func (l *leaf) trusted(c *tls.Certificate, all []configuration) error {
	if c == nil {
		return errors.New("no certificate yet")
	}
	entries := 0
	for _, config := range all {
		for _, e := range config.entries {
			if !l.ours(e) {
				continue
			}
			entries++
			if err := l.verify(c.Leaf, e.config.CABundle); err != nil {
				return fmt.Errorf("the API server does not trust the served certificate for %s: %w", e.name, err)
			}
		}
	}
	if entries == 0 {
		return fmt.Errorf("no webhook names the Service %s/%s", l.Namespace, l.Service)
	}
	return nil
}

func (l *leaf) verify(c *x509.Certificate, bundle []byte) error {
	roots := x509.NewCertPool()
	if len(bytes.TrimSpace(bundle)) == 0 || !roots.AppendCertsFromPEM(bundle) {
		return errors.New("caBundle is empty")
	}
	_, err := c.Verify(x509.VerifyOptions{Roots: roots, DNSName: l.host(), CurrentTime: l.Clock.Now()})
	return err
}

// mint reads the authority, signs, and forgets it.
func (l *leaf) mint(ctx context.Context) (*tls.Certificate, error) {
	secret := &corev1.Secret{}
	if err := l.direct.Get(ctx, client.ObjectKey{Namespace: l.Namespace, Name: l.Secret}, secret); err != nil {
		return nil, fmt.Errorf("read the certificate authority: %w", err)
	}
	defer func() {
		for _, value := range secret.Data {
			clear(value)
		}
	}()
	s, err := decodeState(secret.Data, l.host())
	if s.current == nil || !usable(s.current.cert, l.Clock.Now()) {
		return nil, errors.Join(errors.New("the certificate authority cannot sign now: the leader makes another"), err)
	}
	return s.current.sign(l.host(), l.Clock.Now(), l.LeafLife)
}
