package faults

// clusterEntries are the rules for what a command asks of a cluster.
func clusterEntries() []Entry {
	return []Entry{
		{
			ClusterSilent, Error, "the cluster cannot be asked",
			"no kubeconfig says where it is, or its API server does not answer in time; nothing was judged, which is exit status 3 (R55)",
			"check --kubeconfig, --context and that kubectl get --raw /readyz answers",
		},
		{
			ClusterDenied, Error, "the cluster does not let this account look",
			"what may not be read cannot be judged, which is exit status 3 (R55)",
			"grant the right that the message names, or use an account that has it",
		},
		{
			NoSandboxNode, Error, "no node takes a sandbox",
			"a size can be told only of nodes that the sandbox's placement admits and that are open; this is exit status 3, because a pool that scales to zero is no mistake (R10)",
			"start one node of the pool, or look at agents.workloads.sandbox",
		},
		{
			SizeFitsNone, Warning, "a size that fits no node",
			"a run of that size would wait until the scheduler gives its reason (R10)",
			"lower the size, or add larger nodes",
		},
		{
			BadBundle, Error, "a bundle that cannot be judged",
			"half of what a cluster is would be judged as all of it; nothing was, which is exit status 3 (R55)",
			"collect it again with kora preflight collect, and copy it whole",
		},
		{
			PodRefused, Error, "the cluster would refuse the sandbox's pod",
			"what a pod takes depends on its RuntimeClass, so no size is told of one whose class is not there or does not go with it; this is exit status 3, because the class may come with a later install (R10)",
			"install the RuntimeClass, or change the patches of the sandbox",
		},
	}
}
