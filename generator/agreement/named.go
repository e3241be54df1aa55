package agreement

import "strings"

// Named is what an environment calls a value of the chart that it may tell, or
// what is in one: "workspace.size" for "agents.workspace.size". Others keep their
// path.
func Named(path string) string {
	for _, f := range facts() {
		rest, below := strings.CutPrefix(path, f.value)
		if below && f.env != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return f.env + rest
		}
	}
	return path
}
