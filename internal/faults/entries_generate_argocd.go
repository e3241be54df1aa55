package faults

// argocdEntries are the traps of an app-of-apps.
func argocdEntries() []Entry {
	return []Entry{
		{
			AppHealth, Warning, "waves of child Applications, and no health check of Applications",
			"since 1.8 Argo CD has none, so a wave of child Applications ends at once and the next starts before it is healthy (R41)",
			"add resource.customizations.health.argoproj.io_Application to the ConfigMap argocd-cm, as argocd-cm-patch.yaml of kora generate argocd does",
		},
		{
			ParentApply, Error, "server-side apply on an Application that holds Applications",
			"with it, Argo CD does not wait between the waves of the children (R41)",
			"remove ServerSideApply=true from the parent, and set it on the children that need it",
		},
		{
			BigAnnotation, Error, "an object that is too big for client-side apply",
			"client-side apply keeps a copy in an annotation, and the API server refuses annotations above 262144 bytes (R40)",
			"annotate the object with argocd.argoproj.io/sync-options: ServerSideApply=true",
		},
		{
			NamespaceLabels, Error, "managedNamespaceMetadata without CreateNamespace=true",
			"without it, Argo CD neither makes nor labels the namespace, and says nothing (R40)",
			"add CreateNamespace=true to syncPolicy.syncOptions",
		},
		{
			IgnoredOnly, Error, "ignoreDifferences without RespectIgnoreDifferences=true",
			"the difference is hidden, and every sync still writes over what the operator wrote (R40)",
			"add RespectIgnoreDifferences=true to syncPolicy.syncOptions",
		},
		{
			OneWebhook, Error, "ignoreDifferences reaches one webhook of several",
			"a JSON pointer names one entry by its number, and the operator writes caBundle and failurePolicy of every entry (R40)",
			"use jqPathExpressions over all entries: .webhooks[]?.clientConfig.caBundle and .webhooks[]?.failurePolicy",
		},
		{
			RefPlace, Error, "a $ref that Argo CD does not resolve",
			"$name stands for another source only at the start of a path, of a source that has that ref and no chart; elsewhere it is a plain text (R40)",
			"begin the path with $name/, and give the git source ref: name",
		},
		{
			UnorderedSet, Error, "waves on the Applications of an ApplicationSet",
			"an ApplicationSet makes its Applications all at once and passes over their waves (R40)",
			"use an app-of-apps, or spec.strategy.type RollingSync with a step for each wave",
		},
		{
			PrunedCRDs, Error, "an Application of custom resource definitions that may delete them",
			"deleting a definition deletes every object of its kind in the whole cluster, every tenant among them (R40)",
			"set automated.prune to false, and leave resources-finalizer.argocd.argoproj.io out of the Application",
		},
		{
			WaveOrder, Error, "an Application whose wave is not after what it needs",
			"a chart that starts before its definitions, its mesh or its identities fails, or runs without them (R40, R41)",
			"give it a sync-wave above those of the Applications it needs",
		},
		{
			RendersOtherly, Warning, "a chart that renders or runs otherwise under Argo CD than under Helm",
			"under Argo CD a chart is rendered by helm template: lookup finds nothing, Release.IsInstall is always true, random functions change with each render, and hooks run on every sync (R40)",
			"take the value from a Secret or from values, and let hooks be safe to run again",
		},
		{
			HiddenValues, Error, "values that another field of the same source hides",
			"parameters win over valuesObject, valuesObject over values, and values over valueFiles: where both stand, values is not read (R40)",
			"keep valuesObject alone, and move what values holds into it",
		},
		{
			AppShape, Error, "an Application that Argo CD would not sync as it is meant",
			"an Application has a project, a source has a chart or a path and the settings of one tool, and a destination names one cluster; the rest Argo CD refuses or passes over (R40)",
			"write the field that is named",
		},
		{
			NothingToLint, Error, "something that --lint cannot look through",
			"a check of nothing, or of a template that does not parse, would read as if all were well (R40, R41)",
			"name the file or folder that holds the Applications, and write templates that Helm can read",
		},
	}
}

// upgradeEntries are the rules for the plan of an upgrade.
func upgradeEntries() []Entry {
	return []Entry{
		{
			UpgradeVersion, Error, "not a version of kora",
			"a plan goes from one release to another, each named by its three numbers (R56)",
			"write MAJOR.MINOR.PATCH, such as 1.4.0",
		},
		{
			Downgrade, Error, "an upgrade to an older version",
			"migrations are never undone: the schema of a release works with the release before it alone (R56)",
			"roll back to the revision before with helm rollback, or restore a backup of the database",
		},
		{
			TrustDomainMove, Error, "the upgrade would change the trust domain",
			"the trust domain is part of every identity, so changing it is a migration of identities of its own (R56)",
			"keep global.trustDomain as it is",
		},
		{
			ClaimsMove, Error, "the upgrade would change the volume claims of agents that are there",
			"a StatefulSet's volumeClaimTemplates are immutable, so kora-agents could not update the agents (R56)",
			"keep agents.workspace as it is, and move agents to new claims after the upgrade",
		},
		{
			LiveRelease, Error, "the release in the cluster is not in a state to upgrade",
			"a plan starts from what runs, and Helm refuses a release whose last operation has not ended (R56)",
			"look at helm history, and end what is under way first",
		},
		{
			ClusterReach, Error, "the cluster could not be read",
			"without the live release the plan would rest on a guess (R56)",
			"check the kubeconfig and the rights to read Secrets in the release's namespace, or give --current FILE",
		},
		{
			UpgradeOpen, Error, "a rule of upgrades could not be judged",
			"a plan whose rules were not all judged may change identities or claims (R56)",
			"give the values that run (--current or --kubeconfig) and the new ones (-f), or accept it with --allow-unchecked",
		},
	}
}
