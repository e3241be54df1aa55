package releases

import (
	"embed"
	"fmt"
)

//go:embed values/*.gotmpl
var folder embed.FS

// Template gives the text of a values template of the reference install.
func Template(name string) (string, error) {
	text, err := folder.ReadFile("values/" + name)
	if err != nil {
		return "", fmt.Errorf("no values template %q: %w", name, err)
	}
	return string(text), nil
}
