package faults

// Unchecked reports whether a code says that something could not be checked,
// in contrast to checked and refused: its exit status is 3 and not 1.
func (c Code) Unchecked() bool {
	switch c {
	case FileMissing,
		ChartSource, RenderLimit,
		CouldNotCheck, NoTrustRoot,
		ClusterReach, NothingToLint, UpgradeOpen,
		PluginStopped,
		ClusterSilent, ClusterDenied, NoSandboxNode, BadBundle, PodRefused:
		return true
	}
	return false
}
