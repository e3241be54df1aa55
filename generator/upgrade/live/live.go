// Package live reads Helm's own records of kora from a cluster: the Secrets in
// which both Helm 3 and Helm 4 keep the revisions of a release (R56). It is the
// only part of the plan that brings in a client.
package live

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"

	"github.com/runkora/kora/generator/upgrade"
	"github.com/runkora/kora/internal/kube"
)

// timeout is for one request.
const timeout = 30 * time.Second

// maxRecord bounds a record that is unpacked; a Secret holds 1 MiB packed.
const maxRecord = 64 << 20

// Connect returns a client of a cluster; an empty place is what kubectl would
// take. What it asks ends
// with the context, and with it the program that a kubeconfig has for a credential
// (R55); an answer is bounded. A pipe is no kubeconfig, and nobody waits for one.
func Connect(ctx context.Context, place kube.Place) (kubernetes.Interface, error) {
	config, err := kube.Config(place, timeout)
	if err != nil {
		return nil, err
	}
	client, err := kube.Client(ctx, config)
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfigAndClient(config, client)
}

// Read returns the revisions of both releases in a namespace, the newest last.
func Read(ctx context.Context, client kubernetes.Interface, namespace string) (*upgrade.Live, error) {
	kora, err := history(ctx, client, namespace, "kora")
	if err != nil {
		return nil, err
	}
	crds, err := history(ctx, client, namespace, "kora-crds")
	if err != nil {
		return nil, err
	}
	return &upgrade.Live{Kora: kora, CRDs: crds}, nil
}

// history reads page by page: a release keeps any number of revisions, each in a
// Secret of up to 1 MiB.
func history(ctx context.Context, client kubernetes.Interface, namespace, name string) ([]upgrade.Revision, error) {
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return client.CoreV1().Secrets(namespace).List(ctx, o)
	}
	var out []upgrade.Revision
	err := kube.Each(ctx, metav1.ListOptions{LabelSelector: "owner=helm,name=" + name}, list, func(o runtime.Object) error {
		s := o.(*corev1.Secret)
		r, err := decode(s.Data["release"])
		if err != nil {
			return kube.Said(fmt.Sprintf("the Secret %s: %v", s.Name, err))
		}
		out = append(out, r)
		return nil
	})
	slices.SortFunc(out, func(a, b upgrade.Revision) int { return cmp.Compare(a.Number, b.Number) })
	return out, kube.Answered(err)
}

// record is the part of Helm's that a plan needs. Values are those that the
// person gave.
type record struct {
	Version int `json:"version"`
	Info    struct {
		Status string `json:"status"`
	} `json:"info"`
	Chart struct {
		Metadata struct {
			Version string `json:"version"`
		} `json:"metadata"`
	} `json:"chart"`
	Config map[string]any `json:"config"`
}

// decode reads base64 of gzip of JSON, which is how Helm keeps a revision.
func decode(data []byte) (upgrade.Revision, error) {
	packed, err := base64.StdEncoding.DecodeString(string(data))
	if err != nil {
		return upgrade.Revision{}, errors.New("it is not a record of Helm's")
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return upgrade.Revision{}, errors.New("it is not a record of Helm's")
	}
	text, err := io.ReadAll(io.LimitReader(unpacked, maxRecord+1))
	if err == nil && len(text) > maxRecord {
		err = errors.New("it is longer than a record can be")
	}
	if err != nil {
		return upgrade.Revision{}, err
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return upgrade.Revision{}, errors.New("it is not a record of Helm's")
	}
	return upgrade.Revision{Number: r.Version, Status: r.Info.Status, Version: r.Chart.Metadata.Version, Values: r.Config}, nil
}
