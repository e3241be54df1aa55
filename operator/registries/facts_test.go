package registries

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const hidden = "PLANTED-s3cret"

func secretOf(namespace string, data map[string]string) *corev1.Secret {
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "s"}, Data: map[string][]byte{}}
	for k, v := range data {
		s.Data[k] = []byte(v)
	}
	return s
}

// R51: a Secret that lacks a key, or holds what no request carries, is told by
// field and key, without its value.
func TestFactsAreJudged(t *testing.T) {
	bearer := connectionNeed(v1alpha1.Authentication{Type: v1alpha1.AuthenticationBearer, SecretRef: &v1alpha1.CredentialsReference{LocalReference: v1alpha1.LocalReference{Name: "s"}, Key: "token"}})
	basic := connectionNeed(v1alpha1.Authentication{Type: v1alpha1.AuthenticationBasic, SecretRef: &v1alpha1.CredentialsReference{LocalReference: v1alpha1.LocalReference{Name: "s"}}})
	mtls := connectionNeed(v1alpha1.Authentication{Type: v1alpha1.AuthenticationMTLS, SecretRef: &v1alpha1.CredentialsReference{LocalReference: v1alpha1.LocalReference{Name: "s"}}})
	vertex := needOf(&v1alpha1.ModelProvider{Spec: v1alpha1.ModelProviderSpec{Type: v1alpha1.ProviderVertex, SecretRef: &v1alpha1.SecretKeyReference{LocalReference: v1alpha1.LocalReference{Name: "s"}, Key: "token"}}})
	for _, c := range []struct {
		name   string
		facts  facts
		need   *need
		reason string
		says   []string
	}{
		{"there", learn(nil, secretOf("a", map[string]string{"token": hidden})), bearer, "", nil},
		{"absent", facts{absent: true}, bearer, v1alpha1.ReasonReferenceNotFound, []string{"spec.authentication.secretRef.name", `"s"`}},
		{"denied", facts{denied: true}, bearer, v1alpha1.ReasonFailed, []string{"tries again"}},
		{"no key", learn(nil, secretOf("a", map[string]string{"other": hidden})), bearer, v1alpha1.ReasonSecretKeyMissing, []string{"spec.authentication.secretRef.key", `"token"`}},
		{"an empty key", learn(nil, secretOf("a", map[string]string{"token": ""})), bearer, v1alpha1.ReasonSecretKeyMissing, []string{`"token"`}},
		{"a line break", learn(nil, secretOf("a", map[string]string{"token": hidden + "\n"})), bearer, v1alpha1.ReasonInvalid, []string{"line break", "printf"}},
		{"both keys missing", learn(nil, secretOf("a", nil)), basic, v1alpha1.ReasonSecretKeyMissing, []string{"secretRef.name", `"username" and "password"`}},
		{"one key missing", learn(nil, secretOf("a", map[string]string{"username": "u"})), basic, v1alpha1.ReasonSecretKeyMissing, []string{`"password"`}},
		{"no certificate", learn(nil, secretOf("a", map[string]string{"tls.crt": hidden, "tls.key": hidden})), mtls, v1alpha1.ReasonInvalid, []string{"kubectl create secret tls"}},
		{"a document", learn(nil, secretOf("a", map[string]string{"token": "{\n}"})), vertex, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			fault := c.facts.judge(c.need)
			if fault == nil != (c.reason == "") || fault != nil && fault.Reason != c.reason {
				t.Fatalf("%+v", fault)
			}
			for _, text := range c.says {
				if !strings.Contains(fault.Message, text) {
					t.Errorf("it lacks %q: %s", text, fault.Message)
				}
			}
			if fault != nil && strings.Contains(fault.Message, hidden) {
				t.Errorf("a value is shown: %s", fault.Message)
			}
			if strings.Contains(fmt.Sprintf("%+v", c.facts), hidden) {
				t.Error("a value is kept")
			}
		})
	}
}

// R51: whoever may name a Secret need not be able to read it, so that only what people make
// to be sent is: never the token of a ServiceAccount, a release of Helm's, a pull Secret or
// the operator's own, whichever resource names it; and no status tells which keys it has.
func TestOnlySecretsThatAreMadeToBeSentAre(t *testing.T) {
	ref := v1alpha1.LocalReference{Name: "s"}
	keyed := v1alpha1.SecretKeyReference{LocalReference: ref, Key: "token"}
	auth := func(kind v1alpha1.AuthenticationType) *need {
		return needOf(&v1alpha1.Connection{Spec: v1alpha1.ConnectionSpec{Authentication: v1alpha1.Authentication{Type: kind, SecretRef: &v1alpha1.CredentialsReference{LocalReference: ref, Key: "token"}}}})
	}
	pair := map[corev1.SecretType]bool{"": true, corev1.SecretTypeOpaque: true, corev1.SecretTypeTLS: true}
	plain := map[corev1.SecretType]bool{"": true, corev1.SecretTypeOpaque: true, corev1.SecretTypeBasicAuth: true}
	for _, who := range []struct {
		need *need
		may  map[corev1.SecretType]bool
	}{
		{auth(v1alpha1.AuthenticationBearer), plain}, {auth(v1alpha1.AuthenticationOAuth2), plain}, {auth(v1alpha1.AuthenticationBasic), plain}, {auth(v1alpha1.AuthenticationMTLS), pair},
		{needOf(&v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{SecretRef: &keyed}}), plain},
		{needOf(&v1alpha1.ModelProvider{Spec: v1alpha1.ModelProviderSpec{Type: v1alpha1.ProviderOpenAI, SecretRef: &keyed}}), plain},
		{needOf(&v1alpha1.ModelProvider{Spec: v1alpha1.ModelProviderSpec{Type: v1alpha1.ProviderVertex, SecretRef: &keyed}}), plain},
	} {
		for _, kind := range []corev1.SecretType{"", corev1.SecretTypeOpaque, corev1.SecretTypeBasicAuth, corev1.SecretTypeTLS, corev1.SecretTypeServiceAccountToken, corev1.SecretTypeDockercfg,
			corev1.SecretTypeDockerConfigJson, corev1.SecretTypeSSHAuth, corev1.SecretTypeBootstrapToken, "helm.sh/release.v1", "example.com/other", "opaque", corev1.SecretType(strings.Repeat("x", 10_000))} {
			s := secretOf("a", map[string]string{"other": hidden})
			s.Type = kind
			fault := learn(nil, s).judge(who.need)
			switch {
			case fault == nil:
				t.Errorf("%q of %+v is taken without its key", kind, who.need)
			case who.may[kind] && fault.Reason != v1alpha1.ReasonSecretKeyMissing:
				t.Errorf("%q of %+v is refused: %s", kind, who.need, fault.Message)
			case !who.may[kind] && (fault.Reason != v1alpha1.ReasonInvalid || !strings.HasPrefix(fault.Message, who.need.field+`.name: the Secret "s" is of the type "`) || !strings.Contains(fault.Message, "name one of the type Opaque or kubernetes.io/")):
				t.Errorf("%q of %+v: %s %s", kind, who.need, fault.Reason, fault.Message)
			case len(fault.Message) > 1000:
				t.Errorf("%d bytes", len(fault.Message))
			}
		}
		own := secretOf("a", map[string]string{"token": hidden})
		own.Labels = map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator}
		if fault := learn(nil, own).judge(who.need); fault == nil || !strings.Contains(fault.Message, "operator's own") {
			t.Errorf("the operator's is taken for %+v: %+v", who.need, fault)
		}
	}
}

// R51: the hash changes with the values and the key, and is another for the same
// value elsewhere: nothing can be tried out or compared.
func TestHash(t *testing.T) {
	n := &need{keys: []string{"token"}}
	hash := func(key, namespace, value string) string {
		return learn([]byte(key), secretOf(namespace, map[string]string{"token": value, "other": "x"})).hash([]byte(key), n)
	}
	first := hash("k", "a", "v")
	if first != hash("k", "a", "v") || !strings.HasPrefix(first, "hmac-sha256:") || len(first) > 128 {
		t.Errorf("%s", first)
	}
	for _, other := range []string{hash("k", "a", "w"), hash("l", "a", "v"), hash("k", "b", "v")} {
		if other == first {
			t.Error("two are alike")
		}
	}
	if string(keyed([]byte("k"), []byte("ab"), []byte("c"))) == string(keyed([]byte("k"), []byte("a"), []byte("bc"))) {
		t.Error("parts run into one another")
	}
}
