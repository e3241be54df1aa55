package testcluster

import (
	"fmt"
	"path/filepath"
)

// impatient is for the API server's clients: the default of 20 requests a second
// costs seconds at the start and in every test.
var impatient = []string{"--kube-api-qps=500", "--kube-api-burst=1000"}

func (c *Cluster) etcdURL() string { return "https://" + loopback(c.etcdPort) }

// etcd does not wait for the disk: what it holds is thrown away. Every user of
// this machine reaches its ports, so it answers to its own certificate only.
func (c *Cluster) etcd() program {
	cert, key, ca := c.path("etcd.crt"), c.path("etcd.key"), c.path("etcd-ca.crt")
	peer := "https://" + loopback(c.peerPort)
	return program{"etcd", []string{
		"--name=kora", "--data-dir=" + filepath.Join(c.home.dir, "etcd"), "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls=" + c.etcdURL(), "--advertise-client-urls=" + c.etcdURL(),
		"--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer, "--initial-cluster=kora=" + peer,
		"--cert-file=" + cert, "--key-file=" + key, "--trusted-ca-file=" + ca, "--client-cert-auth",
		"--peer-cert-file=" + cert, "--peer-key-file=" + key, "--peer-trusted-ca-file=" + ca, "--peer-client-cert-auth",
	}}
}

// apiServer takes its admission from its defaults, which Pod Security belongs to.
func (c *Cluster) apiServer() program {
	return program{"kube-apiserver", append([]string{
		"--etcd-servers=" + c.etcdURL(),
		"--etcd-cafile=" + c.path("etcd-ca.crt"), "--etcd-certfile=" + c.path("etcd.crt"), "--etcd-keyfile=" + c.path("etcd.key"),
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.apiPort),
		// It would publish its address as an Endpoint, which may not be loopback.
		"--endpoint-reconciler-type=none",
		// Loopback, so that a call to a Service (a webhook's above all) never
		// leaves this machine, and a test may listen there to answer it.
		"--service-cluster-ip-range=127.96.0.0/16",
		"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction", "--allow-privileged=true",
		"--tls-cert-file=" + c.path("server.crt"), "--tls-private-key-file=" + c.path("server.key"),
		"--client-ca-file=" + c.path("ca.crt"), "--token-auth-file=" + c.path("tokens.csv"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.path("service-accounts.pub"),
		"--service-account-signing-key-file=" + c.path("service-accounts.key"),
		"--requestheader-client-ca-file=" + c.path("front-proxy-ca.crt"), "--requestheader-allowed-names=front-proxy-client",
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + c.path("front-proxy-client.crt"), "--proxy-client-key-file=" + c.path("front-proxy-client.key"),
		"--profiling=false",
	}, c.options.APIServerFlags...)}
}

// secured are the flags of a component that calls the API server and serves
// its own health. There is one of each, so none waits to be elected.
func (c *Cluster) secured(user string, port int) []string {
	kubeconfig := c.kubeconfigs[user]
	return append([]string{
		"--kubeconfig=" + kubeconfig, "--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port),
		"--tls-cert-file=" + c.path("server.crt"), "--tls-private-key-file=" + c.path("server.key"),
		"--leader-elect=false", "--profiling=false",
	}, impatient...)
}

func (c *Cluster) controllerManager() program {
	return program{"kube-controller-manager", append(c.secured("controllers", c.controllersPort),
		"--use-service-account-credentials=true",
		"--service-account-private-key-file="+c.path("service-accounts.key"), "--root-ca-file="+c.path("ca.crt"),
		"--cluster-signing-cert-file="+c.path("ca.crt"), "--cluster-signing-key-file="+c.path("ca.key"),
		"--requestheader-client-ca-file="+c.path("front-proxy-ca.crt"),
	)}
}

func (c *Cluster) scheduler() program {
	return program{"kube-scheduler", c.secured("scheduler", c.schedulerPort)}
}

// kwok gives pods addresses that are set aside for measuring networks: nothing
// answers there. It serves nothing itself.
func (c *Cluster) kwok() program {
	return program{"kwok", []string{
		"--kubeconfig=" + c.kubeconfigs["kwok"], "--config=" + c.path("stages.yaml"), "--manage-all-nodes=true",
		"--node-ip=127.0.0.1", "--cidr=198.18.0.0/15", "--node-lease-duration-seconds=40",
	}}
}
