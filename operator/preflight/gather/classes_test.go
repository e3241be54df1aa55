package gather

import (
	"testing"

	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R55: a StorageClass is the default one by either of the two annotations that the API
// server goes by, and declined where one says something else and none says true.
func TestADefaultClassByEitherAnnotation(t *testing.T) {
	const now, before = "storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"
	for name, c := range map[string]struct {
		notes              map[string]string
		isDefault, refused bool
	}{
		"none":                  {nil, false, false},
		"the one of today":      {map[string]string{now: "true"}, true, false},
		"that of before":        {map[string]string{before: "true"}, true, false},
		"both":                  {map[string]string{now: "true", before: "true"}, true, false},
		"that of before alone":  {map[string]string{now: "false", before: "true"}, true, false},
		"the one of today wins": {map[string]string{now: "true", before: "false"}, true, false},
		"declined":              {map[string]string{now: "false"}, false, true},
		"declined before":       {map[string]string{before: "false"}, false, true},
		"declined by both":      {map[string]string{now: "", before: "True"}, false, true},
		"another note":          {map[string]string{"storageclass.kubernetes.io/other": "true"}, false, false},
	} {
		class := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "standard", Annotations: c.notes}}
		s := &server{lists: map[string]list{"/apis/storage.k8s.io/v1/storageclasses": items(class)}}
		f := s.look(t, Request{Settings: settings(), Checks: []string{"storage-class"}})
		if got := f.StorageClasses.Value; len(got) != 1 || got[0].Default != c.isDefault || got[0].Declined != c.refused {
			t.Errorf("%s: %+v", name, f.StorageClasses)
		}
	}
}
