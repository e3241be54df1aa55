package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50 to R54: the program itself, under the chart's ServiceAccount, with its
// webhooks on and elected: it refuses, makes and deletes tenants; killed, another
// takes over; told to end, it ends with 0 and gives its lease back.
func TestTheProgramServesAndHandsOver(t *testing.T) {
	p := install(t)
	first := p.start()
	p.Endpoint(t, true)
	p.Policies(t, "Fail Fail")

	wrong := tenant("wrong")
	wrong.Spec.OIDC.Issuer = "https://login.example.com:99999"
	err := p.Admin.Create(t.Context(), wrong)
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), `spec.oidc.issuer "https://login.example.com:99999" names the port 99999, and ports end at 65535; write the one that the service listens on`) {
		t.Errorf("a wrong tenant: %v", err)
	}
	good := tenant("good")
	good.Spec.DeletionPolicy = v1alpha1.DeletionDelete
	p.create(good)
	operatortest.Eventually(t, func() error { return p.stands(good) })
	p.spoil(good)
	holder := p.holder()

	second := p.start()
	if now := p.holder(); now != holder || holder == "" {
		t.Errorf("the lease is %q's, and was %q's", now, holder)
	}
	if code := first.end(syscall.SIGKILL); code == done {
		t.Errorf("killed, it ended with %d", code)
	}
	policy := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Namespace: "kora-tenant-good", Name: "kora-default-deny"}}
	if err := p.Admin.Delete(t.Context(), policy.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error { return p.Admin.Get(t.Context(), client.ObjectKeyFromObject(policy), policy) })
	if now := p.holder(); now == holder || now == "" {
		t.Errorf("the lease is %q's still", now)
	}
	p.create(tenant("later"))
	operatortest.Eventually(t, func() error { return p.stands(tenant("later")) })
	p.deletes(good)
	p.keepsKeys()

	if code := second.end(syscall.SIGTERM); code != done {
		t.Errorf("told to end, it ended with %d", code)
	}
	if now := p.holder(); now != "" {
		t.Errorf("the lease is %q's still", now)
	}
	p.complains()
}

// stands: all six conditions are True, and the status is as every status is.
func (p *program) stands(o *v1alpha1.KoraTenant) error {
	now := &v1alpha1.KoraTenant{}
	if err := p.Admin.Get(p.Context(), client.ObjectKeyFromObject(o), now); err != nil {
		return err
	}
	six := append(status.Parts(now), v1alpha1.ConditionReady)
	for _, condition := range six {
		if !meta.IsStatusConditionTrue(now.Status.Conditions, condition) || len(six) != 6 || len(now.Status.Conditions) != 6 {
			return fmt.Errorf("%s is not True: %+v", condition, now.Status.Conditions)
		}
	}
	if found := status.Lint(now); len(found) > 0 {
		return fmt.Errorf("%q", found)
	}
	return nil
}

// spoil has the operator meet a key that is none, and make the authority anew.
func (p *program) spoil(o *v1alpha1.KoraTenant) {
	p.Helper()
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: v1alpha1.TenantNamespace(o.Name), Name: v1alpha1.TenantCA}}
	for at, change := range map[client.Object]string{secret: `{"stringData":{"tls.key":"planted-secret"}}`, o.DeepCopy(): `{"metadata":{"annotations":{"example.com/turn":"1"}}}`} {
		if err := p.Admin.Patch(p.Context(), at, client.RawPatch("application/merge-patch+json", []byte(change))); err != nil {
			p.Fatal(err)
		}
	}
	turn := 1
	operatortest.Eventually(p.T, func() error {
		turn++
		if err := p.Admin.Patch(p.Context(), o.DeepCopy(), client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"metadata":{"annotations":{"example.com/turn":"%d"}}}`, turn))); err != nil {
			return err
		}
		if err := p.Admin.Get(p.Context(), client.ObjectKeyFromObject(secret), secret); err != nil {
			return err
		}
		_, err := authority.Parse(secret.Data)
		return err
	})
	operatortest.Eventually(p.T, func() error { return p.stands(o) })
}

// holder is who has the lease, empty for nobody.
func (p *program) holder() string {
	p.Helper()
	lease, err := p.Cluster.Client().CoordinationV1().Leases(operatortest.System).Get(p.Context(), v1alpha1.Operator, metav1.GetOptions{})
	if err != nil {
		p.Fatal(err)
	}
	if lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// deletes: a tenant in use goes when that is confirmed, and its namespace with it.
func (p *program) deletes(o *v1alpha1.KoraTenant) {
	p.Helper()
	home := v1alpha1.TenantNamespace(o.Name)
	p.create(&v1alpha1.Connection{ObjectMeta: metav1.ObjectMeta{Namespace: home, Name: "github"}, Spec: v1alpha1.ConnectionSpec{
		Hosts: []v1alpha1.Host{"api.github.com"}, Authentication: v1alpha1.Authentication{Type: "none"}}})
	err := p.Admin.Delete(p.Context(), o.DeepCopy())
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "KoraTenant good is in use: 1 Connection (github). spec.deletionPolicy is Delete") {
		p.Fatalf("a tenant in use: %v", err)
	}
	p.Annotate(p.T, o.DeepCopy(), v1alpha1.AnnotationConfirmDeletion, operatortest.Confirmation(p.T, err.Error()))
	if err := p.Admin.Delete(p.Context(), o.DeepCopy()); err != nil {
		p.Fatal(err)
	}
	operatortest.Eventually(p.T, func() error {
		for _, each := range []client.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: home}}, o.DeepCopy()} {
			if err := p.Admin.Get(p.Context(), client.ObjectKeyFromObject(each), each); !apierrors.IsNotFound(err) {
				return fmt.Errorf("%s is there: %v", each.GetName(), err)
			}
		}
		return nil
	})
}

// keepsKeys: no key of an authority, and nothing that stood in a key's place, is in
// what the operators said, in an event, a status or a ConfigMap (R50).
func (p *program) keepsKeys() {
	p.Helper()
	planted := map[string]bool{"planted-secret": true}
	for namespace, names := range map[string][]string{"kora-tenant-later": {v1alpha1.TenantCA, v1alpha1.EgressCA}, operatortest.System: {rules.WebhookCASecret}} {
		for _, name := range names {
			secret := &corev1.Secret{}
			if err := p.Admin.Get(p.Context(), client.ObjectKey{Namespace: namespace, Name: name}, secret); err != nil {
				p.Fatal(err)
			}
			for key, value := range secret.Data {
				if lines := strings.Split(string(value), "\n"); strings.HasSuffix(key, ".key") && len(lines) > 2 {
					planted[lines[1]] = true // base64 of the first bytes, which say the algorithm, and of the key
				}
			}
		}
	}
	if len(planted) < 4 {
		p.Errorf("%d keys were found", len(planted))
	}
	for where, text := range p.told() {
		for secret := range planted {
			if strings.Contains(text, secret) {
				p.Errorf("%s holds a key", where)
			}
		}
	}
}

func (p *program) told() map[string]string {
	all := map[string]string{}
	for _, each := range p.all {
		all["what "+each.address+" said"] = each.words.String() + each.out.String()
	}
	for name, list := range map[string]client.ObjectList{"an event": &eventsv1.EventList{}, "a ConfigMap": &corev1.ConfigMapList{}, "a KoraTenant": &v1alpha1.KoraTenantList{}} {
		if err := p.Admin.List(p.Context(), list); err != nil {
			p.Fatal(err)
		}
		text, err := json.Marshal(list)
		if err != nil {
			p.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

// complains: the operators said what they did, as JSON, on stderr alone, and lacked
// no right but while RBAC learnt of a new tenant's.
func (p *program) complains() {
	p.Helper()
	for _, each := range p.all {
		if each.out.String() != "" {
			p.Errorf("on stdout: %s", each.out.String())
		}
		for line := range strings.Lines(each.words.String()) {
			if !json.Valid([]byte(line)) {
				p.Errorf("no JSON: %s", line)
			}
			if strings.Contains(line, "panic") || strings.Contains(line, "forbidden") && !strings.Contains(line, "kora-tenant-") {
				p.Errorf("it complained: %s", line)
			}
		}
	}
}
