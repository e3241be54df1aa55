package faults

// releaseEntries are the rules for rendering a release.
func releaseEntries() []Entry {
	return []Entry{
		{
			ChartSource, Error, "the chart cannot be reached",
			"nothing was judged: the folder, the archive or the registry did not give the chart, which is exit status 3 (R19)",
			"check the spelling of --chart, and for oci:// that the registry answers and that docker login has been done",
		},
		{
			ChartShape, Error, "not a chart that can be rendered",
			"a chart is a folder or an archive of one folder with plain files, a Chart.yaml, and all the charts it depends on; links and paths that lead out of it are refused, because a chart is not trusted (R43)",
			"name the chart's own folder or archive, and run helm dependency build where a dependency is missing",
		},
		{
			ChartLimit, Error, "a chart that is too large",
			"a chart that nobody looked at could fill the memory (R43)",
			"use the chart as it was released: kora's has less than a hundred files of some kilobytes",
		},
		{
			ChartCluster, Error, "the chart is not made for this version of Kubernetes",
			"the chart says which versions it was tested on (R19)",
			"give the version of your cluster with --kube-version, or upgrade the cluster",
		},
		{
			ChartValues, Error, "the chart's own schema refuses a value",
			"a chart may close its values by a schema, and Helm refuses by it too, without a place (R20)",
			"write the value as the schema of the chart wants it",
		},
		{
			ChartRefuses, Error, "the chart refuses these values",
			"a template of the chart calls fail or required for what no schema can say (R20, R35)",
			"change the value as the sentence says",
		},
		{
			TemplateFails, Error, "a template of the chart cannot be run",
			"the template is wrong, or it reads below a value that is not there (R20)",
			"correct the template at the place given, or set the value that it reads",
		},
		{
			RenderLimit, Error, "rendering took too long or too much",
			"a template that never ends would take the machine with it; what it would have written could not be checked, which is exit status 3 (R43)",
			"look for a loop without an end in the chart's templates, or for a value that asks for a huge number of something",
		},
		{
			ObjectShape, Error, "a template does not write a Kubernetes object",
			"the API server takes only a map with apiVersion, kind and metadata.name (R19)",
			"correct the template that the fault names",
		},
		{
			SameObject, Error, "two templates write the same object",
			"the later one would silently replace the earlier one in the cluster (R19)",
			"give one of the two another name, or remove it",
		},
		{
			ReleaseName, Error, "not the name of a release or of its namespace",
			"both are rendered into the objects, and only afterwards does Helm refuse the one and Kubernetes the other (R19)",
			"give the name that helm install will be given",
		},
		{
			TableIgnored, Warning, "a map in the place of a value, or a value in the place of a map",
			"the default's shape is what the chart's templates read; Helm only logs that the value has another (R20)",
			"write the value in the shape of the chart's default",
		},
		{
			NotServed, Error, "the kind is not served by this version of Kubernetes",
			"an API that has gone, or has not come yet, fails the whole install when it is reached (R19)",
			"use the version of the API that the fault names, or give the version of your cluster with --kube-version",
		},
	}
}
