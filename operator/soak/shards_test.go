package soak_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/registries"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// registries: all shards are of one pass, and hold each resource once, as it is.
func (s *soak) registries(all state) (faults []string) {
	generation, seen := "", map[string]int{}
	for id, o := range all[operatortest.System] {
		text, is := o.(*corev1.ConfigMap)
		if !is || o.GetLabels()[registries.LabelRegistry] == "" {
			continue
		}
		var shard struct {
			registries.Shard
			Entries []struct {
				Tenant, Name, SecretHash string
				Spec                     json.RawMessage
			} `json:"entries"`
		}
		if err := json.Unmarshal([]byte(text.Data[registries.DataKey]), &shard); err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", id, err))
			continue
		}
		if generation == "" {
			generation = shard.Generation
		}
		if shard.Generation != generation {
			faults = append(faults, fmt.Sprintf("%s is of another pass", id))
		}
		for _, e := range shard.Entries {
			seen[shard.Kind+" "+e.Tenant+" "+e.Name]++
			resource := find(all[v1alpha1.TenantNamespace(e.Tenant)], shard.Kind, e.Name)
			if resource == nil {
				faults = append(faults, fmt.Sprintf("%s has %s of %s, which is not there", id, e.Name, e.Tenant))
				continue
			}
			if want, _ := json.Marshal(specOf(resource)); string(want) != string(e.Spec) {
				faults = append(faults, fmt.Sprintf("%s has %s of %s as %s", id, e.Name, e.Tenant, e.Spec))
			}
			if c, is := resource.(*v1alpha1.Connection); is && c.Status.SecretHash != e.SecretHash {
				faults = append(faults, fmt.Sprintf("the status of Connection %s/%s has another hash", e.Tenant, e.Name))
			}
		}
	}
	want := 0
	for _, resources := range s.model.tenants {
		for id := range resources {
			if !strings.HasPrefix(id, "SandboxImage ") {
				want++
			}
		}
	}
	for entry, n := range seen {
		if n > 1 {
			faults = append(faults, fmt.Sprintf("%s is in its registry %d times", entry, n))
		}
	}
	if len(seen) != want {
		faults = append(faults, fmt.Sprintf("the registries have %d entries and not %d", len(seen), want))
	}
	return faults
}

func find(there map[string]client.Object, kind, name string) client.Object {
	for id, o := range there {
		if of, is, _ := strings.Cut(id, " "); strings.EqualFold(of, kind) && is == name {
			return o
		}
	}
	return nil
}
