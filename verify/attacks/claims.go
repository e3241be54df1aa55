package attacks

import (
	"strings"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// claims are provenances that kora signed, and that say in one of the many ways
// something else of the source, the workflow or the commit than the
// certificate (R47).
func claims(s *sigstoretest.Sigstore) []Case {
	const tag = "refs/tags/v1.4.0"
	case1 := func(name string, want verify.Kind, says string, edit func(external, definition map[string]any)) Case {
		predicate := sigstoretest.ProvenanceV1("runkora/kora", workflow, tag)
		definition := predicate["buildDefinition"].(map[string]any)
		edit(definition["externalParameters"].(map[string]any), definition)
		return claimed(s, "v1: "+name, want, says, slsa1, predicate)
	}
	case02 := func(name string, want verify.Kind, says string, edit func(config, predicate map[string]any)) Case {
		predicate := sigstoretest.ProvenanceV02("runkora/kora", workflow, tag)
		edit(predicate["invocation"].(map[string]any)["configSource"].(map[string]any), predicate)
		return claimed(s, "v0.2: "+name, want, says, slsa02, predicate)
	}
	used := func(uri, algorithm, commit string) []any {
		return []any{map[string]any{"uri": uri, "digest": map[string]any{algorithm: commit}}}
	}
	zeros := strings.Repeat("0", 40)
	out := []Case{
		case1("another path of the workflow", verify.NoneMatches, "path of the workflow", func(e, _ map[string]any) { e["workflow"].(map[string]any)["path"] = ".github/workflows/evil.yml" }),
		case1("a path in other letters", verify.NoneMatches, "path of the workflow", func(e, _ map[string]any) { e["workflow"].(map[string]any)["path"] = ".github/workflows/Release.yml" }),
		case1("a path of another repository", verify.NoneMatches, "path of the workflow", func(e, _ map[string]any) { e["workflow"].(map[string]any)["path"] = "example/evil/" + workflow }),
		case1("a path with the repository before it", verify.Verified, "", func(e, _ map[string]any) { e["workflow"].(map[string]any)["path"] = "RunKora/kora/" + workflow }),
		case1("another path in the words of the generators", verify.NoneMatches, "path of the workflow", func(e, _ map[string]any) { e["workflowPath"] = ".github/workflows/evil.yml" }),
		case1("a repository beside one that differs by case", verify.BadEvidence, "differ by case", func(e, _ map[string]any) {
			e["workflow"].(map[string]any)["Repository"] = "https://github.com/example/evil"
		}),
		case1("a source beside one in the long s, which JSON readers take for it", verify.BadEvidence, "differ by case", func(e, _ map[string]any) {
			e["source"], e["\u017fource"] = "git+https://github.com/example/evil", "git+https://github.com/runkora/kora@"+tag
		}),
		case1("a workflow beside one with the sign of kelvin", verify.BadEvidence, "differ by case", func(e, _ map[string]any) {
			e["wor\u212aflow"] = map[string]any{"repository": "https://github.com/example/evil"}
		}),
		case1("another commit of the source", verify.NoneMatches, "commit of the provenance", func(e, _ map[string]any) { e["source"] = used("git+https://github.com/runkora/kora", "sha1", zeros)[0] }),
		case1("another commit, as SHA-1, of a dependency alone", verify.NoneMatches, "commit of the provenance", func(e, d map[string]any) {
			delete(e, "workflow")
			d["resolvedDependencies"] = used("git+https://github.com/runkora/kora@"+tag, "sha1", zeros)
		}),
		case1("a dependency by ssh of another reference", verify.NoneMatches, "source reference", func(_, d map[string]any) {
			d["resolvedDependencies"] = used("git+ssh://git@github.com/RunKora/kora.git@refs/tags/v9", "gitCommit", Kora.SourceDigest)
		}),
		case1("a dependency that is a repository nobody can read", verify.BadEvidence, "no address of a repository", func(_, d map[string]any) {
			d["resolvedDependencies"] = used("git+https://github.com/runkora%2Fkora@refs/tags/v9", "gitCommit", zeros)
		}),
		case1("a dependency with a user before the host", verify.BadEvidence, "no address of a repository", func(_, d map[string]any) {
			d["resolvedDependencies"] = []any{map[string]any{"uri": "https://x@github.com/runkora/kora@refs/tags/v9"}}
		}),
		case1("a dependency with a commit and a question", verify.BadEvidence, "no address of a repository", func(_, d map[string]any) {
			d["resolvedDependencies"] = used("https://github.com/runkora/kora?x", "sha1", zeros)
		}),
		case1("dependencies that are none of its repository", verify.Verified, "", func(_, d map[string]any) {
			d["resolvedDependencies"] = append(used("pkg:docker/alpine@3", "sha256", zeros), used("git+https://github.com/actions/checkout@refs/tags/v5", "gitCommit", zeros)...)
		}),
		case1("a source that is a number", verify.BadEvidence, "neither a text", func(e, _ map[string]any) { e["source"] = 7 }),
		case1("a source that says nothing", verify.BadEvidence, "says not where", func(e, _ map[string]any) { e["source"] = map[string]any{"at": "https://github.com/example/evil"} }),
		case1("the right source of no text", verify.Verified, "", func(e, _ map[string]any) { e["source"] = nil }),
		case02("materials of another reference and commit", verify.NoneMatches, "source reference", func(_, p map[string]any) {
			p["materials"] = used("git+https://github.com/runkora/kora@refs/tags/v9", "sha1", strings.Repeat("f", 40))
		}),
		case02("materials of another commit", verify.NoneMatches, "commit of the provenance", func(_, p map[string]any) {
			p["materials"] = used("git@github.com:runkora/kora.git", "sha1", strings.Repeat("f", 40))
		}),
		case02("the right materials", verify.Verified, "", func(_, p map[string]any) {
			p["materials"] = used("git+https://github.com/runkora/kora@"+tag, "sha1", Kora.SourceDigest)
		}),
		case02("another entry point", verify.NoneMatches, "path of the workflow", func(c, _ map[string]any) { c["entryPoint"] = ".github/workflows/evil.yml" }),
		case02("an entry point that is no path", verify.NoneMatches, "path of the workflow", func(c, _ map[string]any) { c["entryPoint"] = "Release" }),
		case02("another commit of what it was started from", verify.NoneMatches, "commit of the provenance", func(c, _ map[string]any) { c["digest"] = map[string]any{"gitCommit": zeros} }),
	}
	for form, right := range forms("runkora/kora") {
		out = append(out,
			case1("the source by "+form, verify.Verified, "", func(e, _ map[string]any) { e["source"] = map[string]any{"uri": right + "@" + tag} }),
			case1("the repository by "+form, verify.Verified, "", func(e, _ map[string]any) { e["workflow"].(map[string]any)["repository"] = right }),
			case02("the source by "+form, verify.Verified, "", func(c, _ map[string]any) { c["uri"] = right + "@" + tag }))
	}
	for form, evil := range forms("example/evil") {
		out = append(out,
			case1("another repository by "+form, verify.NoneMatches, "source repository", func(e, _ map[string]any) { e["workflow"].(map[string]any)["repository"] = evil }),
			case1("another source by "+form, verify.NoneMatches, "source repository", func(e, _ map[string]any) { e["source"] = evil }),
			case1("another source of an artifact by "+form, verify.NoneMatches, "source repository", func(e, _ map[string]any) { e["source"] = map[string]any{"artifact": map[string]any{"uri": evil}} }),
			case1("another source in BuildKit's words by "+form, verify.NoneMatches, "source repository", func(e, _ map[string]any) { e["configSource"] = map[string]any{"uri": evil + "#" + tag + ":folder"} }),
			case1("another source in Cloud Build's words by "+form, verify.NoneMatches, "source repository", func(e, _ map[string]any) { e["sourceToBuild"] = map[string]any{"repository": evil, "ref": tag} }),
			case02("another source by "+form, verify.NoneMatches, "source repository", func(c, _ map[string]any) { c["uri"] = evil + "@" + tag }))
	}
	for _, address := range unreadable {
		out = append(out,
			case1("the source "+address, verify.BadEvidence, "no address of a repository", func(e, _ map[string]any) { e["source"] = address }),
			case1("the repository "+address, verify.BadEvidence, "no address of a repository", func(e, _ map[string]any) { e["workflow"].(map[string]any)["repository"] = address }),
			case02("the source "+address, verify.BadEvidence, "no address of a repository", func(c, _ map[string]any) { c["uri"] = address }))
	}
	return out
}

func claimed(s *sigstoretest.Sigstore, name string, want verify.Kind, says, predicateType string, predicate any) Case {
	statement := sigstoretest.Statement(predicateType, predicate, digest())
	return Case{Name: name, Ask: Provenance, Want: want, Says: says, Policy: policy.Options{}, Evidence: s.SignStatement(Kora, statement)}
}

// forms are the addresses of one repository, as different tools write them.
func forms(repository string) map[string]string {
	return map[string]string{
		"https": "https://github.com/" + repository, "https with .git": "https://github.com/" + repository + ".git",
		"git+https": "git+https://github.com/" + repository, "https with a slash": "https://github.com/" + repository + "/",
		"https with a port": "https://github.com:443/" + repository, "a host in other letters": "https://GitHub.com/" + repository,
		"http": "http://github.com/" + repository, "git": "git://github.com/" + repository + ".git",
		"ssh": "ssh://git@github.com/" + repository + ".git", "git+ssh": "git+ssh://git@github.com/" + repository,
		"scp": "git@github.com:" + repository + ".git", "scp without .git": "git@github.com:" + repository, "scp without a user": "github.com:" + repository,
	}
}

// unreadable are addresses that two readers could take for two repositories.
var unreadable = []string{
	"runkora/kora", "file:///runkora/kora", "https://github.com", "https://user:pass@github.com/runkora/kora",
	"https://github.com@evil.example/runkora/kora", "https://github.com/runkora/kora?x=https://github.com/example/evil",
	"https://github.com/example/../runkora/kora", "https://github.com//runkora/kora", "https://github.com/runkora%2Fkora",
	"https://github.com/runkora/k%6Fra", " https://github.com/runkora/kora", `https://github.com\@evil.example/runkora/kora`,
	"https://github.com./runkora/kora", "hg+https://github.com/runkora/kora", "pkg:github/runkora/kora", "https://github.com/runkora/k\u014fra",
}
