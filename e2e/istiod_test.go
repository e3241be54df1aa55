//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// standInIstiod does what istiod would, since no container runs: as soon as its
// Service and its injector's webhook are there it writes the caBundle, and answers
// every pod as it is. A failed start is told by the pods that nobody admits.
func standInIstiod(w *world) {
	ctx, cancel := context.WithCancel(w.Context())
	done := make(chan struct{})
	w.Cleanup(func() { cancel(); <-done })
	ca, key := selfSigned(w, "istiod.istio-system.svc")
	pair, err := tls.X509KeyPair(ca, key)
	if err != nil {
		w.Fatal(err)
	}
	go func() {
		defer close(done)
		var server *http.Server
		for ctx.Err() == nil {
			if s, err := w.cluster.Client().CoreV1().Services("istio-system").Get(ctx, "istiod", metav1.GetOptions{}); err == nil && server == nil {
				server = answer(net.JoinHostPort(s.Spec.ClusterIP, "443"), pair)
			}
			if server != nil {
				trust(ctx, w, ca)
			}
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
		if server != nil {
			server.Close()
		}
	}()
}

// answer serves at an address of the service range, nil where it cannot.
func answer(address string, pair tls.Certificate) *http.Server {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil
	}
	quiet := log.New(io.Discard, "", 0) // until the caBundle is there the API server does not trust it
	server := &http.Server{ErrorLog: quiet, Handler: http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		review := admissionv1.AdmissionReview{}
		if json.NewDecoder(r.Body).Decode(&review) != nil || review.Request == nil {
			http.Error(out, "no review", http.StatusBadRequest)
			return
		}
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
		review.Request = nil
		_ = json.NewEncoder(out).Encode(review)
	})}
	go server.Serve(tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{pair}})) //nolint:errcheck // it ends with Close
	return server
}

// trust writes the caBundle into every webhook of istiod's where it is another.
func trust(ctx context.Context, w *world, ca []byte) {
	api := w.cluster.Client().AdmissionregistrationV1()
	if list, err := api.MutatingWebhookConfigurations().List(ctx, metav1.ListOptions{}); err == nil {
		for _, config := range list.Items {
			var all []admissionregistrationv1.WebhookClientConfig
			for _, hook := range config.Webhooks {
				all = append(all, hook.ClientConfig)
			}
			if patch := bundles(all, ca); patch != nil {
				_, _ = api.MutatingWebhookConfigurations().Patch(ctx, config.Name, types.JSONPatchType, patch, metav1.PatchOptions{FieldManager: "pilot-discovery"})
			}
		}
	}
	if list, err := api.ValidatingWebhookConfigurations().List(ctx, metav1.ListOptions{}); err == nil {
		for _, config := range list.Items {
			var all []admissionregistrationv1.WebhookClientConfig
			for _, hook := range config.Webhooks {
				all = append(all, hook.ClientConfig)
			}
			if patch := bundles(all, ca); patch != nil {
				_, _ = api.ValidatingWebhookConfigurations().Patch(ctx, config.Name, types.JSONPatchType, patch, metav1.PatchOptions{FieldManager: "pilot-discovery"})
			}
		}
	}
}

// bundles is the patch of one configuration, nil where nothing is to be done.
func bundles(all []admissionregistrationv1.WebhookClientConfig, ca []byte) []byte {
	var changes []map[string]any
	for i, config := range all {
		if config.Service != nil && config.Service.Name == "istiod" && !bytes.Equal(config.CABundle, ca) {
			changes = append(changes, map[string]any{"op": "add", "path": fmt.Sprintf("/webhooks/%d/clientConfig/caBundle", i), "value": ca})
		}
	}
	if changes == nil {
		return nil
	}
	text, _ := json.Marshal(changes)
	return text
}
