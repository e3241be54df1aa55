package policy

import "strings"

// repositoryOf returns the repository of HOST/OWNER/REPO/.github/workflows/…,
// of github.com/OWNER/REPO/…, and of HOST/GROUP/…/REPO//FILE as GitLab writes
// it, as an https URL; "" where the text says nothing about a repository, or
// not all of its name.
func repositoryOf(identity string) string {
	rest, ok := strings.CutPrefix(identity, "https://")
	if !ok {
		return ""
	}
	rest, _, _ = cutReference(rest)
	parts := strings.SplitN(rest, "/", 6)
	whole := len(parts) >= 4 && parts[0] != "" && parts[1] != "" && parts[2] != ""
	workflow := len(parts) == 6 && lower(parts[3]) == ".github" && lower(parts[4]) == "workflows"
	if whole && (workflow || lower(parts[0]) == "github.com") {
		return "https://" + strings.Join(parts[:3], "/")
	}
	if project, _, found := strings.Cut(rest, "//"); found {
		return "https://" + project
	}
	return "" // other hosts build their URLs otherwise
}
