package faults

// cmpEntries are the rules for what Argo CD hands to kora as its plugin.
func cmpEntries() []Entry {
	return []Entry{
		{
			PluginSetting, Error, "a setting of the plugin itself is wrong",
			"the KORA_CMP_ variables of the sidecar say what applications may do, and one that was misread would allow more or less (R43)",
			"correct the variable in the sidecar's patch, docs/cmp.md lists them all",
		},
		{
			PluginParameters, Error, "the application's parameters cannot be taken",
			"a parameter that was passed over would render something else than the application says (R43)",
			"write the parameter as docs/cmp.md has it: kora cmp parameters prints them all",
		},
		{
			PluginVariable, Error, "a variable of the application or of Argo CD cannot be taken",
			"kora reads a few variables by their names and no others, and one of its own that it does not know is most likely misspelt (R43)",
			"correct the name or the value under spec.source.plugin.env",
		},
		{
			PluginFile, Error, "a file that the application needs is not there, or is no plain file",
			"a device or a pipe would make the plugin wait, or read what is not the repository's (R43)",
			"commit the file itself",
		},
		{
			PluginOutside, Error, "a path leads out of the application's folder",
			"a repository is not trusted: what it names must be its own, in the folder of the application (R43)",
			"commit a copy in the application's folder, and name it from there on",
		},
		{
			PluginRegistry, Error, "the chart is in a registry that this plugin does not allow",
			"a repository must not make Argo CD fetch from wherever it likes: the plugin's own settings say from where (R43)",
			"use the chart that kora brings, or let the administrator add the registry to KORA_CMP_REGISTRIES",
		},
		{
			PluginUnsigned, Error, "a signature is asked for, and cannot be checked as things are",
			"an application that asks for a verified chart gets a verified digest or nothing (R43, R45)",
			"name a chart in a registry, and give the plugin a trust root or a key",
		},
		{
			PluginEmpty, Error, "nothing came out",
			"an empty answer means to Argo CD an application without objects, and it deletes what is there (R43)",
			"look at what the chart does with these values",
		},
		{
			PluginStopped, Error, "the plugin was stopped before it was done",
			"a call that takes 60 seconds is killed by Argo CD, which then says no more than that, so kora ends before and says what it was doing (R43)",
			"try again; when it happens again, look into what it was doing, or raise KORA_CMP_TIMEOUT below Argo CD's own limit",
		},
		{
			PluginClash, Error, "two places of the application say the same",
			"one of the two would be passed over, and nobody would see which (R43)",
			"keep one of the two",
		},
		{
			PluginUnread, Error, "a file in the folder of patches would not be read",
			"nothing is shown of a call that succeeds, so a patch that was passed over would never be missed (R43)",
			"move a patch to patches/KEY.yaml, and everything else out of the folder",
		},
		{
			PluginEndless, Error, "rendering took too long or too much",
			"what the repository asks for has no end, or is larger than a release of kora can be, however often it is tried (R43)",
			"look for templates of the chart that call themselves or repeat without end",
		},
	}
}
