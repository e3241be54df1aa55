package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// R2, R56: every line of helm, kubectl, helmfile and make that a document shows, in a
// block or in a sentence, is one that the program understands: the command, each of
// its flags, the chart, the values that are set, the target. Both Helms understand
// what is not said to be one's.
func TestEveryLineOfOtherProgramsIsUnderstood(t *testing.T) {
	documents, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	j, count := newJudges(t), map[string]int{}
	for _, name := range append(documents, "../README.md", "../CONTRIBUTING.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range lines(string(text)) {
			count[words[0]]++
			if words[0] == "helm" && len(words) > 2 && words[1] == "kora" {
				readable(t, name, strings.Join(words[1:], " "))
				continue
			}
			if words[0] == "helm" && len(words) > 1 && words[1] == "kora" {
				continue
			}
			if err := j.judge(words); err != nil {
				t.Errorf("%s shows %q: %v", name, strings.Join(words, " "), err)
			}
		}
	}
	if count["helm"] < 10 || count["kubectl"] < 20 || count["helmfile"] < 3 || count["make"] < 15 {
		t.Errorf("found %v", count)
	}
}

// R2: the judges tell a line that is wrong.
func TestALineThatNobodyUnderstandsIsTold(t *testing.T) {
	j := newJudges(t)
	for line, want := range map[string]string{
		"helm upgradee kora":                                      `has no command "upgradee"`,
		"helm upgrade --instal kora x":                            "has no flag --instal",
		"helm plugin instal x":                                    `has no command "instal"`,
		"helm plugin install x --verify=1":                        "helm-3 plugin install has no flag --verify=1",
		"helm upgrade kora oci://ghcr.io/runkora/charts/kora-crd": "there is no chart kora-crd",
		"helm upgrade kora charts/kora --set agents.nosuch=1":     "nosuch",
		"kubectl -n x patchh configmap":                           `has no command "patchh"`,
		"kubectl get pods --overwrite":                            "has no flag --overwrite",
		"kubectl create clusterroles x":                           `has no command "clusterroles"`,
		"kubectl get pods -n":                                     "has no value",
		"helmfile -e x upgrade":                                   `has no command "upgrade"`,
		"make tests":                                              "no target tests",
		"make e2e HELMS=3":                                        "no variable HELMS",
	} {
		if err := j.judge(shell(line)[0]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
	for _, line := range []string{
		"helm upgrade --install kora charts/kora --set global.trustDomain=example.com --set agents.workspace.size=20Gi",
		`kubectl patch koratenant NAME --type=merge -p '{"metadata":{}}'`,
	} {
		if err := j.judge(shell(line)[0]); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}
