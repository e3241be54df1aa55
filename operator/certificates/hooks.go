package certificates

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Field owners of the two fields that the operator writes. Two, because an apply
// gives up what its owner applied before and does not name again.
const (
	bundleOwner = client.FieldOwner("kora-operator-ca-bundle")
	policyOwner = client.FieldOwner("kora-operator-failure-policy")
)

// entry is one webhook of a configuration, as far as the operator cares.
type entry struct {
	name   string
	config admissionv1.WebhookClientConfig
	policy admissionv1.FailurePolicyType
	reach  reach
}

// configuration is one of the two configurations as it was read.
type configuration struct {
	kind    string
	entries []entry
	object  client.Object
}

// configurations reads both kinds. One that is absent is an error: the chart made
// it, and nothing else may.
func (s Settings) configurations(ctx context.Context, from client.Reader) ([]configuration, error) {
	validating, mutating := &admissionv1.ValidatingWebhookConfiguration{}, &admissionv1.MutatingWebhookConfiguration{}
	for _, o := range []client.Object{validating, mutating} {
		if err := from.Get(ctx, client.ObjectKey{Name: s.Configuration}, o); err != nil {
			return nil, fmt.Errorf("read the %T %s, which the chart makes: %w", o, s.Configuration, err)
		}
	}
	first := configuration{kind: "ValidatingWebhookConfiguration", object: validating}
	for _, w := range validating.Webhooks {
		first.entries = append(first.entries, entry{w.Name, w.ClientConfig, deref(w.FailurePolicy), reach{path(w.ClientConfig), w.Rules, w.NamespaceSelector, w.ObjectSelector, w.MatchConditions}})
	}
	second := configuration{kind: "MutatingWebhookConfiguration", object: mutating}
	for _, w := range mutating.Webhooks {
		second.entries = append(second.entries, entry{w.Name, w.ClientConfig, deref(w.FailurePolicy), reach{path(w.ClientConfig), w.Rules, w.NamespaceSelector, w.ObjectSelector, w.MatchConditions}})
	}
	return []configuration{first, second}, nil
}

func path(c admissionv1.WebhookClientConfig) string {
	if c.Service == nil || c.Service.Path == nil {
		return ""
	}
	return *c.Service.Path
}

func deref(p *admissionv1.FailurePolicyType) admissionv1.FailurePolicyType {
	if p == nil {
		return admissionv1.Fail
	}
	return *p
}

// ours reports whether an entry is served by this operator. Others in the same
// configuration are let alone.
func (s Settings) ours(e entry) bool {
	service := e.config.Service
	return service != nil && service.Name == s.Service && service.Namespace == s.Namespace
}

// differ reports whether any of kora's entries differs.
func (s Settings) differ(c configuration, differs func(entry) bool) bool {
	for _, e := range c.entries {
		if s.ours(e) && differs(e) {
			return true
		}
	}
	return false
}

// apply writes one field of every entry of kora's by server-side apply, and takes
// it from whoever wrote it.
func (s Settings) apply(ctx context.Context, to client.Client, c configuration, owner client.FieldOwner, field map[string]any) error {
	var webhooks []any
	for _, e := range c.entries {
		if s.ours(e) {
			one := map[string]any{"name": e.name}
			for key, value := range field {
				one[key] = value
			}
			webhooks = append(webhooks, one)
		}
	}
	o := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": admissionv1.SchemeGroupVersion.String(), "kind": c.kind,
		"metadata": map[string]any{"name": s.Configuration}, "webhooks": webhooks,
	}}
	return to.Apply(ctx, client.ApplyConfigurationFromUnstructured(o), owner, client.ForceOwnership)
}

// inAll reports whether a certificate is in the caBundle of every entry of kora's.
func (s Settings) inAll(all []configuration, cert *x509.Certificate) bool {
	entries := 0
	for _, c := range all {
		for _, e := range c.entries {
			if !s.ours(e) {
				continue
			}
			entries++
			if !contains(decodeBundle(e.config.CABundle), cert) {
				return false
			}
		}
	}
	return entries > 0
}

func contains(all []*x509.Certificate, one *x509.Certificate) bool {
	for _, c := range all {
		if bytes.Equal(c.Raw, one.Raw) {
			return true
		}
	}
	return false
}
