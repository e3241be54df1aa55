package attacks

import (
	"strings"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/sigstoretest"
)

// dependencies are provenances whose resolvedDependencies say of the source in
// another place than the uri, or of nothing at all (R47).
func dependencies(s *sigstoretest.Sigstore) []Case {
	const source, tag = "git+https://github.com/runkora/kora", "@refs/tags/v1.4.0"
	zeros, right := strings.Repeat("0", 40), Kora.SourceDigest
	used := func(name string, want verify.Kind, says string, entry map[string]any) Case {
		predicate := sigstoretest.ProvenanceV1("runkora/kora", workflow, "refs/tags/v1.4.0")
		predicate["buildDefinition"].(map[string]any)["resolvedDependencies"] = []any{entry}
		return claimed(s, "a dependency with "+name, want, says, slsa1, predicate)
	}
	of := func(algorithm, value string) map[string]any { return map[string]any{algorithm: value} }
	return []Case{
		used("another commit for its name", verify.NoneMatches, "commit of the provenance", map[string]any{"name": source, "digest": of("gitCommit", zeros)}),
		used("another commit for its name, as SHA-1", verify.NoneMatches, "commit of the provenance", map[string]any{"name": source + tag, "digest": of("sha1", zeros)}),
		used("another reference in its name", verify.NoneMatches, "source reference", map[string]any{"name": source + "@refs/heads/main"}),
		used("another reference where it is downloaded", verify.NoneMatches, "source reference", map[string]any{"downloadLocation": source + "@refs/heads/main"}),
		used("another reference where it is downloaded, beside a right uri", verify.NoneMatches, "source reference", map[string]any{"uri": source + tag, "downloadLocation": source + "@refs/heads/main"}),
		used("a name that is a repository nobody can read", verify.BadEvidence, "no address of a repository", map[string]any{"name": "git+https://github.com/runkora%2Fkora"}),
		used("a place of download that nobody can read, and a commit", verify.BadEvidence, "no address of a repository", map[string]any{"downloadLocation": "hg+https://example.com/x", "digest": of("gitCommit", zeros)}),
		used("another commit alone", verify.NoneMatches, "commit of the provenance", map[string]any{"digest": of("gitCommit", zeros)}),
		used("another commit alone, as SHA-1", verify.NoneMatches, "commit of the provenance", map[string]any{"digest": of("sha1", zeros)}),
		used("another commit under a name of no place", verify.NoneMatches, "commit of the provenance", map[string]any{"name": "source", "digest": of("gitCommit", zeros)}),
		used("another commit and notes", verify.NoneMatches, "commit of the provenance", map[string]any{"digest": of("gitCommit", zeros), "annotations": map[string]any{"repository": source}}),
		used("the right commit alone", verify.Verified, "", map[string]any{"digest": of("gitCommit", right)}),
		used("the right commit under its name", verify.Verified, "", map[string]any{"name": source + tag, "digest": of("gitCommit", right)}),
		used("the right place of download", verify.Verified, "", map[string]any{"downloadLocation": source + tag, "digest": of("sha1", right)}),
		used("the name of a file", verify.Verified, "", map[string]any{"name": "vendor.tgz", "digest": of("sha1", zeros)}),
		used("a file by its SHA-256 alone", verify.Verified, "", map[string]any{"digest": of("sha256", strings.Repeat("0", 64))}),
		used("a package of a registry where it is downloaded", verify.Verified, "", map[string]any{"uri": "pkg:npm/%40acme/x@1.0.0", "downloadLocation": "https://registry.example.com/@acme/x/-/x-1.0.0.tgz", "digest": of("sha512", strings.Repeat("0", 128))}),
		used("notes alone, which are no claim", verify.Verified, "", map[string]any{"uri": "pkg:docker/alpine@3", "annotations": map[string]any{"repository": "https://github.com/example/evil"}}),
		used("another repository's commit under its name", verify.Verified, "", map[string]any{"name": "git+https://github.com/actions/checkout@v5", "digest": of("gitCommit", zeros)}),
	}
}
