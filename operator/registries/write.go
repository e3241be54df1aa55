package registries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// LabelRegistry is the kind of a registry, on each of its ConfigMaps.
const LabelRegistry = "runkora.io/registry"

// registries are what is to be written, in the order of the kinds.
func (s *snapshot) registries() []registry {
	var all []registry
	for _, kind := range kinds {
		r := registry{kind: kind}
		for _, each := range s.resources[kind] {
			if each.entry != nil && each.verdict.True() {
				r.entries = append(r.entries, each.entry)
			}
		}
		all = append(all, r)
	}
	return all
}

// write brings the ConfigMaps to what the registries say: all shards first, then
// away with those that are left over.
func (r *Reconciler) write(ctx context.Context, all []registry) error {
	there := &corev1.ConfigMapList{}
	if err := r.client.List(ctx, there, client.InNamespace(r.system), client.HasLabels{LabelRegistry}); err != nil {
		return err
	}
	old := map[string]*corev1.ConfigMap{}
	for i := range there.Items {
		old[there.Items[i].Name] = &there.Items[i]
	}
	generation := stamp(all)
	var failed []error
	for _, registry := range all {
		for _, shard := range registry.split(generation, MaxShard) {
			want := configMap(r.system, shard)
			failed = append(failed, r.putOnce(ctx, want, old[want.Name]))
			delete(old, want.Name)
		}
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	for name, is := range old {
		if !strings.HasPrefix(name, "kora-registry-") || is.Labels[v1alpha1.LabelManagedBy] != v1alpha1.Operator {
			continue
		}
		failed = append(failed, client.IgnoreNotFound(r.client.Delete(ctx, is)))
	}
	return errors.Join(failed...)
}

// putOnce is putOne, unless the cache only lags behind the last one.
func (r *Reconciler) putOnce(ctx context.Context, want, is *corev1.ConfigMap) error {
	m := mark{what: want.Data[DataKey]}
	if is != nil {
		m.before = is.ResourceVersion
	}
	if r.put.lags(want.Name, m.before, m.what) {
		return nil
	}
	changed, err := r.putOne(ctx, want, is)
	if delete(r.put, want.Name); err == nil && changed {
		r.put[want.Name] = m
	}
	return err
}

// putOne makes or changes one ConfigMap, and does nothing when nothing differs. It
// goes with the chart.
func (r *Reconciler) putOne(ctx context.Context, want, is *corev1.ConfigMap) (changed bool, err error) {
	if is == nil || !upkeep.Owned(is) {
		owner, err := upkeep.OfChart(ctx, r.live, r.system)
		if err != nil {
			return false, err
		}
		want.OwnerReferences = []metav1.OwnerReference{owner}
	}
	if is == nil {
		err := r.client.Create(ctx, want)
		if !apierrors.IsAlreadyExists(err) {
			return true, err
		}
		is = &corev1.ConfigMap{} // the cache lags, or it has lost its labels
		if err := r.live.Get(ctx, client.ObjectKeyFromObject(want), is); err != nil {
			return false, err
		}
	}
	if is.Immutable != nil && *is.Immutable { // nothing in it can be changed: it is made anew
		return true, r.anew(ctx, want, is)
	}
	before := is.DeepCopy()
	is.Data, is.BinaryData = want.Data, nil
	if is.Labels == nil {
		is.Labels = map[string]string{}
	}
	maps.Copy(is.Labels, want.Labels)
	if !upkeep.Owned(is) {
		is.OwnerReferences = append(is.OwnerReferences, want.OwnerReferences...)
	}
	patch := client.MergeFrom(before)
	data, err := patch.Data(is)
	if err != nil || string(data) == "{}" {
		return false, err
	}
	if err := r.client.Patch(ctx, is, patch); err != nil {
		return false, fmt.Errorf("ConfigMap %s: %w", want.Name, err)
	}
	return true, nil
}

// anew replaces a ConfigMap that somebody made immutable.
func (r *Reconciler) anew(ctx context.Context, want, is *corev1.ConfigMap) error {
	if err := r.grants.Clear(ctx, is); err != nil {
		return fmt.Errorf("ConfigMap %s: %w", want.Name, err)
	}
	if len(want.OwnerReferences) == 0 {
		want.OwnerReferences = is.OwnerReferences
	}
	return r.client.Create(ctx, want)
}

func configMap(namespace string, s Shard) *corev1.ConfigMap {
	text, _ := json.Marshal(s) // its entries are JSON already
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: s.Name(), Labels: map[string]string{
			LabelRegistry: s.Kind, v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora"}},
		Data: map[string]string{DataKey: string(text)},
	}
}
