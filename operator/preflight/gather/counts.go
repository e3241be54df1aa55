package gather

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/runkora/kora/operator/preflight/facts"
)

// bareCounts are the kinds that a quota can also count by their name alone.
var bareCounts = map[schema.GroupResource]bool{
	{Resource: "services"}: true, {Resource: "configmaps"}: true, {Resource: "secrets"}: true, {Resource: "persistentvolumeclaims"}: true,
	{Resource: "resourcequotas"}: true, {Resource: "replicationcontrollers"}: true,
}

// objects adds to what is asked of the quotas of each namespace the objects that the
// release makes anew: the server tries one after the other, and keeps none. Hooks go
// again before the rest comes, and what is there already is counted already.
func (t *trial) objects(answers []facts.Answer, asked map[string]*demand) {
	for i, o := range t.Release {
		namespace, a := o.GetNamespace(), answers[i]
		_, hook := o.GetAnnotations()["helm.sh/hook"]
		if namespace == "" || hook || t.ofAgent(i) || t.coming[namespace] || a.Owner != nil || a.Refused+a.Untried+a.Unread != "" {
			continue
		}
		mapping, err := t.mapper.RESTMapping(o.GroupVersionKind().GroupKind(), o.GroupVersionKind().Version)
		if err != nil {
			continue // the object itself is refused for that
		}
		if asked[namespace] == nil {
			asked[namespace] = &demand{}
		}
		asked[namespace].count(mapping.Resource.GroupResource(), o)
	}
}

// count adds one object by every name that a quota counts it by.
func (d *demand) count(of schema.GroupResource, o *unstructured.Unstructured) {
	d.plus(corev1.ResourceName("count/"+of.String()), one)
	if bareCounts[of] {
		d.plus(corev1.ResourceName(of.Resource), one)
	}
	switch of {
	case schema.GroupResource{Resource: "services"}:
		d.ports(o)
	case schema.GroupResource{Group: "apps", Resource: "deployments"}: // which makes one of these
		d.plus("count/replicasets.apps", one)
	}
}

// ports counts what a Service takes besides itself: a load balancer, and ports of nodes.
func (d *demand) ports(o *unstructured.Unstructured) {
	service := &corev1.Service{}
	if runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, service) != nil {
		return
	}
	ports := int64(len(service.Spec.Ports))
	switch service.Spec.Type {
	case corev1.ServiceTypeLoadBalancer:
		d.plus(corev1.ResourceServicesLoadBalancers, one)
		if all := service.Spec.AllocateLoadBalancerNodePorts; all != nil && !*all {
			ports = 0
			for _, p := range service.Spec.Ports {
				if p.NodePort != 0 {
					ports++
				}
			}
		}
	case corev1.ServiceTypeNodePort:
	default:
		return
	}
	d.plus(corev1.ResourceServicesNodePorts, *resource.NewQuantity(ports, resource.DecimalSI))
}
