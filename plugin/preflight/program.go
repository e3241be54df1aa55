package preflight

import (
	"os"
	"path/filepath"
	"strings"
)

// program is how whoever reads a fix calls this kora: as a plugin of Helm, or by
// its name.
func program() []string {
	if hosted() {
		return []string{"helm", "kora"}
	}
	return []string{"kora"}
}

func hosted() bool {
	return os.Getenv("HELM_PLUGIN_DIR") != "" && os.Getenv("HELM_PLUGIN_NAME") == "kora"
}

// kubeconfig is the file that this run was given: Helm keeps its flag to itself,
// and hands it on in the environment. A list of files is no flag.
func (s Source) kubeconfig() string {
	if file := os.Getenv("KUBECONFIG"); s.Place.Kubeconfig == "" && hosted() && !strings.ContainsRune(file, filepath.ListSeparator) {
		return file
	}
	return s.Place.Kubeconfig
}
