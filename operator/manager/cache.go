package manager

import (
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// cacheOptions keep in memory what the operator made, by its label, and of what
// others make only this: ConfigMaps and endpoints of the system namespace, the
// ServiceAccounts that are called default, where Services lead, and the StatefulSets of agents. Of Secrets
// the metadata of the webhooks' authority alone is kept, and nothing of what is in any.
func cacheOptions(system string) (cache.Options, error) {
	ofAgents, err := labels.Parse(agents.LabelAgentSlug) // that there is one
	own := labels.SelectorFromSet(labels.Set{v1alpha1.LabelManagedBy: v1alpha1.Operator})
	here := map[string]cache.Config{system: {}}
	byObject := map[client.Object]cache.ByObject{
		&corev1.Namespace{}:           {Label: own},
		&corev1.ConfigMap{}:           {Namespaces: here},
		&corev1.Secret{}:              {Namespaces: here, Field: fields.OneTermEqualSelector("metadata.name", rules.WebhookCASecret)},
		&discoveryv1.EndpointSlice{}:  {Namespaces: here},
		&networkingv1.NetworkPolicy{}: {Label: own, Transform: small},
		&rbacv1.Role{}:                {Label: own, Transform: small},
		&rbacv1.RoleBinding{}:         {Label: own, Transform: small},
		&corev1.Service{}:             {Transform: whereTo},
		&corev1.ServiceAccount{}:      {Field: fields.OneTermEqualSelector("metadata.name", "default")},
		&appsv1.DaemonSet{}:           {Label: own, Transform: small},
		&appsv1.StatefulSet{}:         {Label: ofAgents, Transform: whose},
	}
	for _, o := range rules.OfTenants() {
		byObject[o] = cache.ByObject{Transform: withoutRest}
	}
	return cache.Options{DefaultTransform: withoutHistory, ByObject: byObject}, err
}

// clientOptions read Secrets from the API server each time: a cache of them
// would need the right to list all of the cluster.
func clientOptions() client.Options {
	return client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}}
}
