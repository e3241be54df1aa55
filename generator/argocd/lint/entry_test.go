package lint

import "testing"

// R40: an entry of ignoreDifferences that ignores nothing is told, of any kind,
// and one that hides whole webhooks is warned of.
func TestEntriesThatIgnoreNothingOrAll(t *testing.T) {
	group := "group: admissionregistration.k8s.io, kind: MutatingWebhookConfiguration, "
	for entry, want := range map[string]string{
		"group: apps, kind: Deployment, jsonPointers: [/spec/replicas]":               "",
		"kind: Deployment, jsonPointers: [/spec/replicas]":                            "error C013",
		"group: '', kind: StatefulSet, jsonPointers: [/spec/replicas]":                "error C013",
		"group: '*', kind: Deployment, jsonPointers: [/spec/replicas]":                "",
		"kind: Service, jsonPointers: [/spec/clusterIP]":                              "",
		"kind: Secret, name: x, jsonPointers: [/data]":                                "",
		"kind: '*', jsonPointers: [/metadata/labels]":                                 "",
		"group: example.com, kind: Role, jsonPointers: [/spec]":                       "",
		"group: apps, kind: Deployment":                                               "error C013",
		"group: apps, kind: Deployment, jsonPointers: []":                             "error C013",
		"group: apps, kind: Deployment, managedFieldsManagers: [hpa]":                 "",
		"group: apps, kind: Deployment, jsonPointers: [spec/replicas]":                "error C013",
		"group: apps, kind: Deployment, jsonPointers: [.spec.replicas, /spec/paused]": "error C013",
		"group: apps, kind: Deployment, jqPathExpressions: [.spec.replicas]":          "",
		"group: apps, kind: Deployment, jqPathExpressions: ['.spec.template[']":       "error C013",
		"group: apps, kind: Deployment, jqPathExpressions: [input]":                   "error C013",
		"group: apps, kind: Deployment, jqPathExpressions: ['.spec | .. | .x?']":      "",
		group + "jqPathExpressions: [.]":                                              "warning C006",
		group + "jqPathExpressions: [..]":                                             "warning C006",
		group + "jqPathExpressions: [.webhooks]":                                      "warning C006",
		group + "jqPathExpressions: ['.webhooks[]?']":                                 "warning C006",
		group + "jsonPointers: [/webhooks]":                                           "warning C006",
		group + "jqPathExpressions: ['range(1e9)']":                                   "error C013",
		group + "jqPathExpressions: ['def f: f; f']":                                  "error C013",
		group + "jqPathExpressions: [input]":                                          "error C013",
		group + "jqPathExpressions: ['.. | .caBundle?']":                              "",
		group + "jqPathExpressions: ['.webhooks[]?.clientConfig.caBundle']":           "",
		group + "jqPathExpressions: ['.metadata.annotations']":                        "",
	} {
		app := application("web", "", helm+"web", "  ignoreDifferences: [{ "+entry+" }]\n", "syncOptions: [RespectIgnoreDifferences=true]")
		graded(t, entry, map[string]string{"a.yaml": app}, want)
	}
}
