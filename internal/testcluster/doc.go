// Package testcluster runs a real Kubernetes control plane for tests: etcd,
// kube-apiserver, kube-controller-manager and kube-scheduler as processes on
// 127.0.0.1, and kwok in the place of the kubelets.
//
//	func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }
//
//	func TestAgentIsTaken(t *testing.T) {
//		cluster := testcluster.Shared(t) // skips under -short
//		namespace := cluster.Namespace(t, testcluster.Restricted)
//		client := cluster.Client()
//		…
//	}
//
// Admission (Pod Security too), RBAC, garbage collection, scheduling and the
// binding of claims are Kubernetes' own. Containers do not run: there are no
// images, logs, exec or probes; kwok says that pods run. The annotation
// [OutcomeAnnotation] makes a pod fail, hang or complete. Services do not
// route, but their range is loopback: a test listens on a Service's clusterIP
// and is called there, by the API server's webhooks as well.
//
// Nothing outlives the process that started it, however that ends.
package testcluster
