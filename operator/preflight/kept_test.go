package preflight

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// there are faults whose mend would take the place of what somebody set.
func there() []wrong {
	const system = "kora-system"
	labelled := func(key, value string) func(*facts.Facts) {
		return func(f *facts.Facts) { f.Namespaces.Value[system].Labels[key] = value }
	}
	part := func(name string, spoil func(*facts.Facts)) wrong { return wrong{name: name, spoil: spoiled(spoil)} }
	return []wrong{
		part("no injection", labelled(labelInjection, "disabled")), part("another level", labelled(security, "privileged")), part("an empty level", labelled(security, "")),
		{name: "the old label", spoil: func(f *facts.Facts, s *Settings) { s.Revision = runs(f, "canary") }},
		{name: "another revision", spoil: func(f *facts.Facts, s *Settings) {
			s.Revision = runs(f, "canary")
			f.Namespaces.Value[system] = facts.Namespace{Labels: map[string]string{labelRevision: "old"}}
		}},
		part("the mount's level", func(f *facts.Facts) {
			f.Namespaces.Value["kora-sandbox-mount"] = facts.Namespace{Labels: map[string]string{security: "baseline"}}
			f.Privileged.Value.Refused = "violates"
		}),
		part("classes that are not the default", func(f *facts.Facts) {
			f.StorageClasses.Value[0].Default, f.StorageClasses.Value[0].Declined = false, true
		}),
		part("no fallback", func(f *facts.Facts) { f.Spire.IDs.Value[0].Fallback, f.Spire.IDs.Value[0].Declined = false, true }),
		part("no toleration", func(f *facts.Facts) { f.DaemonSets.Value[1].Tolerations = nil }),
		part("one toleration", func(f *facts.Facts) { f.DaemonSets.Value[0].Tolerations = []corev1.Toleration{{Key: "x"}} }),
		{name: "an empty Redis password", spoil: secretValue("kora-secrets", "REDIS_PASSWORD", "")}, {name: "a Redis password", spoil: secretValue("kora-secrets", "REDIS_PASSWORD", "x\n")},
		{name: "another key", spoil: secretValue("kora-secrets", "KORA_TOKEN_SIGNING_KEY", "-----BEGIN X-----")}, {name: "a config", spoil: secretValue("pull", ".dockerconfigjson", "x")},
	}
}

// runs adds a revision that is well, and gives its name.
func runs(f *facts.Facts, name string) string {
	f.Revisions.Value = append(f.Revisions.Value, facts.Revision{Name: name, Ready: 1, Versions: []string{"1.31.1"}, TrustDomain: facts.Known("example.com"), CNI: facts.Known(true), Injection: facts.Known(&facts.Injection{Policy: "enabled"})})
	return name
}

// adds reports whether a command line of kubectl takes nothing away and puts
// nothing in the place of what is there: the server, or kubectl, refuses it there.
func adds(words []string) bool {
	verb := slices.IndexFunc(words, func(w string) bool {
		return slices.Contains([]string{"get", "describe", "version", "api-resources", "auth", "create", "label", "annotate", "patch", "edit"}, w)
	})
	if verb < 0 || slices.ContainsFunc(words, func(w string) bool { return w == "--overwrite" || strings.HasPrefix(w, "--force") }) {
		return false
	}
	switch words[verb] {
	case "label", "annotate":
		return !slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, "-") && !strings.HasPrefix(w, "-") })
	case "patch":
		return slices.Contains(words, "--type=json") && addsOnly(words[len(words)-1])
	}
	return true
}

// addsOnly holds a JSON patch to what is not there: each path is an end of a list,
// or was seen to be empty by the patch itself.
func addsOnly(text string) bool {
	var steps []struct {
		Op, Path string
		Value    any
	}
	if json.Unmarshal([]byte(text), &steps) != nil {
		return false
	}
	empty := ""
	seen := map[string]bool{} // lists that the patch itself compares with what was seen
	for _, s := range steps {
		switch {
		case s.Op == "test" && s.Value == nil:
			empty = s.Path
		case s.Op == "test":
			seen[s.Path] = true
		case s.Op == "add" && strings.HasSuffix(s.Path, "/-") && !seen[strings.TrimSuffix(s.Path, "/-")]:
			return false // run twice it adds twice
		case s.Op != "add" || s.Path != empty && !strings.HasSuffix(s.Path, "/-"):
			return false
		}
	}
	return true
}

// R55: no fix of any check, run as it is printed, replaces or deletes what is
// there: neither a key of a Secret, nor a label, nor a setting of others.
func TestNoFixReplacesWhatIsThere(t *testing.T) {
	s, n := newShell(t), 0
	log := filepath.Join(s.dir, "ran")
	// An argument a line, so that none is taken for two; a Secret that is asked for
	// holds something, as it does whenever somebody was faster.
	kubectl := "#!/bin/sh\nprintf '%s\\n' \"$@\" END >> '" + log + "'\necho eA==\n"
	if err := os.WriteFile(filepath.Join(s.dir, "kubectl"), []byte(kubectl), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, w := range slices.Concat(wrongs(t), unread(), there()) {
		f, settings := goodFacts(t), goodSettings()
		w.spoil(f, &settings)
		s.fixes(t, f, settings)
		text, _ := os.ReadFile(log)
		os.Remove(log)
		for _, line := range strings.Split(strings.TrimSuffix(string(text), "END\n"), "END\n") {
			if line == "" {
				continue
			}
			if n++; !adds(strings.Split(strings.TrimSuffix(line, "\n"), "\n")) {
				t.Errorf("%s: a fix runs kubectl %q", w.name, line)
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d commands ran", n)
	}
}

// R55: where a fix would replace something, it says who decides and with what.
func TestAFixShowsWhatIsThere(t *testing.T) {
	for _, w := range there() {
		f, settings := goodFacts(t), goodSettings()
		w.spoil(f, &settings)
		f.Asked = settings.Asked()
		n := 0
		for _, o := range Judge(Checks(), f, settings) {
			for _, x := range o.Findings {
				n++
				if x.State != Failed || x.Fix == "" {
					t.Errorf("%s: %+v", w.name, x)
				}
			}
		}
		if n == 0 {
			t.Errorf("%s: nothing was found", w.name)
		}
	}
}
