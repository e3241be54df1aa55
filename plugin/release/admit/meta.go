package admit

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/patches/guard"
)

// Metadata returns what the API server would refuse in the metadata of an object of
// any kind, by Kubernetes' own library: the name in the kind's form, the namespace,
// labels, annotations, finalizers and owners.
func Metadata(apiVersion, kind string, meta metav1.ObjectMeta, newer bool) []guard.Violation {
	var found []guard.Violation
	for _, e := range apivalidation.ValidateObjectMeta(&meta, meta.Namespace != "", name(apiVersion, kind, newer), field.NewPath("metadata")) {
		found = append(found, guard.Violation{Code: faults.Unsound, Path: fields.Path(e.Field), Message: "the API server takes no such metadata: " + e.ErrorBody()})
	}
	return found
}

// name is the form of a kind's names.
func name(apiVersion, kind string, newer bool) apivalidation.ValidateNameFunc {
	group, _, _ := strings.Cut(apiVersion, "/")
	switch {
	case apiVersion == "v1" && kind == "Namespace":
		return apivalidation.NameIsDNSLabel
	case apiVersion == "v1" && kind == "Service":
		return func(name string, _ bool) []string { return serviceName(newer)(name) }
	case group == "rbac.authorization.k8s.io":
		return func(name string, _ bool) []string { return content.IsPathSegmentName(name) }
	case group == "batch" && kind == "CronJob":
		return cronJobName
	}
	return apivalidation.NameIsDNSSubdomain
}

// cronJobName leaves room for what its Jobs put behind it.
func cronJobName(name string, prefix bool) []string {
	const most = validation.DNS1035LabelMaxLength - 11
	if len(name) > most {
		return []string{validation.MaxLenError(most)}
	}
	return apivalidation.NameIsDNSSubdomain(name, prefix)
}

func serviceName(newer bool) func(string) []string {
	if newer {
		return validation.IsDNS1123Label
	}
	return validation.IsDNS1035Label
}
