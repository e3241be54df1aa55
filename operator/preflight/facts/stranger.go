package facts

// Stranger is something that looks like a part of the platform, in a namespace
// that nobody of the platform knows of. Nothing is taken from there.
type Stranger struct {
	Of     string `json:"of"`     // istio or spire, the category of the checks
	Object string `json:"object"` // such as DaemonSet team/spire-agent
	Why    string `json:"why"`    // what it looks like, and why it is not
}
