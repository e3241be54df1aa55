package gather

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func amounts(of map[corev1.ResourceName]string) corev1.ResourceList {
	out := corev1.ResourceList{}
	for name, text := range of {
		out[name] = resource.MustParse(text)
	}
	return out
}

// R55: what a quota has left is compared with what all pods ask for: each replica,
// by requests and limits, beside what is used already.
func TestWhatAQuotaHasRoomFor(t *testing.T) {
	d := &demand{}
	d.add(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: amounts(map[corev1.ResourceName]string{"cpu": "500m", "memory": "1Gi"}), Limits: amounts(map[corev1.ResourceName]string{"memory": "2Gi"})}}}}}, 3)
	for _, c := range []struct {
		hard, used map[corev1.ResourceName]string
		scopes     []corev1.ResourceQuotaScope
		want       string
	}{
		{map[corev1.ResourceName]string{"pods": "3", "requests.cpu": "1500m", "limits.memory": "6Gi", "services": "0"}, nil, nil, ""},
		{map[corev1.ResourceName]string{"pods": "3"}, map[corev1.ResourceName]string{"pods": "1"}, nil, "pods: 3 are asked for, and 2 are left"},
		{map[corev1.ResourceName]string{"count/pods": "2", "cpu": "1"}, nil, nil, "count/pods: 3 are asked for, and 2 are left; cpu: 1500m are asked for, and 1 are left"},
		{map[corev1.ResourceName]string{"limits.memory": "5Gi"}, nil, nil, "limits.memory: 6Gi are asked for, and 5Gi are left"},
		{map[corev1.ResourceName]string{"pods": "1"}, nil, []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}, ""},
	} {
		q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: amounts(c.hard), Scopes: c.scopes}, Status: corev1.ResourceQuotaStatus{Used: amounts(c.used)}}
		if got := d.beyond(q); got != c.want {
			t.Errorf("%v: %q, want %q", c.hard, got, c.want)
		}
	}
}

// R55: an object counts by every name that a quota has for it, and a Service for the
// ports and the balancer that it takes.
func TestWhatAnObjectTakesOfAQuota(t *testing.T) {
	services, ports := schema.GroupResource{Resource: "services"}, []any{map[string]any{"port": int64(80)}, map[string]any{"port": int64(81), "nodePort": int64(30000)}}
	for name, c := range map[string]struct {
		of   schema.GroupResource
		spec map[string]any
		want map[corev1.ResourceName]string
	}{
		"a Service":             {services, map[string]any{"ports": ports}, map[corev1.ResourceName]string{"services": "1", "count/services": "1"}},
		"one of a port":         {services, map[string]any{"type": "NodePort", "ports": ports}, map[corev1.ResourceName]string{"services": "1", "count/services": "1", "services.nodeports": "2"}},
		"a balancer":            {services, map[string]any{"type": "LoadBalancer", "ports": ports}, map[corev1.ResourceName]string{"services": "1", "count/services": "1", "services.nodeports": "2", "services.loadbalancers": "1"}},
		"one without new ports": {services, map[string]any{"type": "LoadBalancer", "ports": ports, "allocateLoadBalancerNodePorts": false}, map[corev1.ResourceName]string{"services": "1", "count/services": "1", "services.nodeports": "1", "services.loadbalancers": "1"}},
		"a ConfigMap":           {schema.GroupResource{Resource: "configmaps"}, nil, map[corev1.ResourceName]string{"configmaps": "1", "count/configmaps": "1"}},
		"a ServiceAccount":      {schema.GroupResource{Resource: "serviceaccounts"}, nil, map[corev1.ResourceName]string{"count/serviceaccounts": "1"}},
		"a Deployment":          {schema.GroupResource{Group: "apps", Resource: "deployments"}, nil, map[corev1.ResourceName]string{"count/deployments.apps": "1", "count/replicasets.apps": "1"}},
		"a custom one":          {schema.GroupResource{Group: "spire.spiffe.io", Resource: "things"}, nil, map[corev1.ResourceName]string{"count/things.spire.spiffe.io": "1"}},
	} {
		d := &demand{}
		d.count(c.of, &unstructured.Unstructured{Object: map[string]any{"spec": c.spec}})
		if !equality.Semantic.DeepEqual(d.of, amounts(c.want)) {
			t.Errorf("%s: %v", name, d.of)
		}
	}
}

// R55: a pod is made of what a workload has for it, with the volumes of its claims,
// and without the accounts and priorities that only the install makes.
func TestThePodOfAWorkload(t *testing.T) {
	template := map[string]any{"spec": map[string]any{"serviceAccountName": "own", "priorityClassName": "own", "containers": []any{map[string]any{"name": "x"}}}}
	claims := []any{map[string]any{"metadata": map[string]any{"name": "data"}}}
	made := &trial{reader: &reader{Request: Request{Release: []*unstructured.Unstructured{{Object: map[string]any{"kind": "PriorityClass", "metadata": map[string]any{"name": "own"}}}}}}}
	for kind, spec := range map[string]map[string]any{
		"Deployment": {"template": template}, "Job": {"template": template}, "DaemonSet": {"template": template}, "StatefulSet": {"template": template, "volumeClaimTemplates": claims},
		"CronJob": {"jobTemplate": map[string]any{"spec": map[string]any{"template": template}}},
	} {
		pod := made.podOf(&unstructured.Unstructured{Object: map[string]any{"kind": kind, "metadata": map[string]any{"name": "a", "namespace": "b"}, "spec": spec}})
		if pod == nil || pod.Namespace != "b" || len(pod.Spec.Containers) != 1 || pod.Spec.ServiceAccountName != "" || pod.Spec.PriorityClassName != "" || (len(pod.Spec.Volumes) == 1) != (kind == "StatefulSet") {
			t.Errorf("%s: %+v", kind, pod)
		}
	}
	if pod := made.podOf(&unstructured.Unstructured{Object: map[string]any{"kind": "Service", "spec": map[string]any{"template": template}}}); pod != nil {
		t.Errorf("%+v", pod)
	}
}
