package lint

import (
	"fmt"
	"strings"
	"testing"
)

// R40: a path is judged by what it deletes, however it is spelt.
func TestPathsAreJudgedByWhatTheyDelete(t *testing.T) {
	both := []string{"caBundle", "failurePolicy"}
	for path, want := range map[string]struct {
		partial bool
		fields  []string
	}{
		`.webhooks[]?.clientConfig.caBundle`:                   {false, both[:1]},
		`.webhooks[] | .clientConfig.caBundle, .failurePolicy`: {false, both},
		`.webhooks.[].failurePolicy`:                           {false, both[1:]},
		`.webhooks[]?["failurePolicy"]`:                        {false, both[1:]},
		`.["webhooks"][].clientConfig["caBundle"]`:             {false, both[:1]},
		`.webhooks`:                {false, both},
		`.webhooks[].clientConfig`: {false, both[:1]},
		`.webhooks[] | select(.clientConfig.service).failurePolicy`:              {false, both[1:]},
		`.webhooks[0].clientConfig.caBundle`:                                     {true, nil},
		`.webhooks[-1].clientConfig.caBundle`:                                    {true, nil},
		`.webhooks[7].clientConfig.caBundle`:                                     {true, nil},
		`first(.webhooks[]).failurePolicy`:                                       {true, nil},
		`.webhooks | first | .failurePolicy`:                                     {true, nil},
		`.webhooks[:1][].clientConfig.caBundle`:                                  {true, nil},
		`.webhooks[1:9][].failurePolicy`:                                         {true, nil},
		`.webhooks[] | select(.name == "a.example.com") | .failurePolicy`:        {true, nil},
		`.webhooks[] | select(.name | startswith("a.")) | .failurePolicy`:        {true, nil},
		`.webhooks[] | select(.name != "a.example.com").clientConfig.caBundle`:   {true, nil},
		`.webhooks[] | select(.name | test("example")) | .clientConfig.caBundle`: {true, nil},
		`.metadata.labels`:               {false, nil},
		`.webhooks[].clientConfig * 1e9`: {false, nil},
		`def f: f; .x | f`:               {false, nil},
		`.webhooks[range(1e9)]`:          {false, nil},
		`..`:                             {false, both},
		`.`:                              {false, both},
		`.webhooks[]?`:                   {false, both},
		`.. | .caBundle?`:                {false, both[:1]},
	} {
		r := reaches(path)
		if partial := r.some && !r.all; partial != want.partial || r.err != nil {
			t.Errorf("%s: %+v", path, r)
		}
		for _, field := range both {
			if r.fields[field] != strings.Contains(fmt.Sprint(want.fields), field) {
				t.Errorf("%s: %s left: %t", path, field, r.fields[field])
			}
		}
	}
	for _, path := range []string{`.webhooks[`, `nothing(1)`, ``, `.webhooks[].name | length`, `range(1e9)`, `def f: f; f`, `input`, `inputs`, `"a.b"`, `1.5`} {
		if r := reaches(path); r.err == nil {
			t.Errorf("%q can be run: %+v", path, r)
		}
	}
}

// R40: entries are about a kind by a glob too, and managers say what is theirs.
func TestIgnoredKindsAndManagers(t *testing.T) {
	group := "group: admissionregistration.k8s.io, "
	for entry, want := range map[string]string{
		group + `kind: '*', jqPathExpressions: ['.webhooks[] | .clientConfig.caBundle, .failurePolicy']`:                                 "",
		`group: 'admission*', kind: '*WebhookConfiguration', jqPathExpressions: ['.webhooks[]|(.clientConfig.caBundle,.failurePolicy)']`: "",
		group + `kind: '*', managedFieldsManagers: [kora-operator]`:                                                                      "",
		group + `kind: '*', jqPathExpressions: ['.webhooks[0].clientConfig.caBundle']`:                                                   "C006",
		`group: '*', kind: 'Mutating*', jsonPointers: [/webhooks/12/clientConfig/caBundle]`:                                              "C006",
		group + `kind: MutatingWebhookConfiguration, jqPathExpressions: ['.webhooks[] | .clientConfig.caBundle, .failurePolicy']`:        "C006",
		`kind: '*', jqPathExpressions: ['.webhooks[] | .clientConfig.caBundle, .failurePolicy']`:                                         "C006",
		group + `kind: '*', managedFieldsManagers: [kora-operator], jqPathExpressions: ['.webhooks[']`:                                   "C013",
		group + `kind: '*', managedFieldsManagers: []`:                                                                                   "C006 KORA-C013",
	} {
		app := application("kora", "", helm+"kora", "  ignoreDifferences: [{ "+entry+" }]\n", "syncOptions: [RespectIgnoreDifferences=true]")
		coded(t, entry, map[string]string{"a.yaml": app}, want)
	}
	unjudged := "  ignoreDifferences: [{ group: apps, kind: Deployment, jsonPointers: [/webhooks/0/x] }]\n"
	coded(t, "another kind", map[string]string{"a.yaml": application("web", "", helm+"web", unjudged, "syncOptions: [RespectIgnoreDifferences=true]")}, "")
}
