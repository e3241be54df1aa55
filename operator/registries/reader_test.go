package registries_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/registries"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// registry reads the shards of a kind as a service does: all of one generation.
func (p *place) registry(ctx context.Context, kind string) (names []string, entries map[string]map[string]any, generation string, err error) {
	list := &corev1.ConfigMapList{}
	if err := p.Admin.List(ctx, list, client.InNamespace(operatortest.System), client.MatchingLabels{registries.LabelRegistry: kind}); err != nil {
		return nil, nil, "", err
	}
	entries = map[string]map[string]any{}
	slices.SortFunc(list.Items, func(a, b corev1.ConfigMap) int { return strings.Compare(a.Name, b.Name) })
	for i, m := range list.Items {
		var s registries.Shard
		if err := json.Unmarshal([]byte(m.Data[registries.DataKey]), &s); err != nil {
			return nil, nil, "", err
		}
		if s.Shard != i || s.Shards != len(list.Items) || i > 0 && s.Generation != generation {
			return nil, nil, "", fmt.Errorf("shard %d of %d, generation %s, beside %d of %s", s.Shard, s.Shards, s.Generation, len(list.Items), generation)
		}
		generation = s.Generation
		for _, text := range s.Entries {
			var e map[string]any
			if err := json.Unmarshal(text, &e); err != nil {
				return nil, nil, "", err
			}
			name := fmt.Sprintf("%s/%s", e["tenant"], e["name"])
			names, entries[name] = append(names, name), e
		}
	}
	if len(list.Items) == 0 {
		return nil, nil, "", errors.New("there is no shard")
	}
	return names, entries, generation, nil
}

// holds waits until a registry has exactly these entries, in this order.
func (p *place) holds(t *testing.T, kind string, want ...string) (entries map[string]map[string]any, generation string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		names, all, stamp, err := p.registry(t.Context(), kind)
		if err == nil && !slices.Equal(names, want) {
			err = fmt.Errorf("%s holds %v, not %v", kind, names, want)
		}
		entries, generation = all, stamp
		return err
	})
	return entries, generation
}
