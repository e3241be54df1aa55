package values

import (
	"strings"
	"testing"
)

const workloads = "agents: {workloads: {sandbox: "

// R2, R4, R20: settings for scheduling that the API server would refuse are
// refused where they stand, and what it takes is taken.
func TestSchedulingIsWhatTheAPIServerTakes(t *testing.T) {
	const node, pod = "{affinity: {nodeAffinity: ", "{affinity: {podAntiAffinity: "
	const must, may = "{requiredDuringSchedulingIgnoredDuringExecution: ", "{preferredDuringSchedulingIgnoredDuringExecution: "
	for text, want := range map[string]string{
		"{tolerations: [{key: a, operator: Exists}, {operator: Exists}, {key: a, value: b, effect: NoExecute, tolerationSeconds: 3}]}": "",
		"{tolerations: [{key: 'a b', operator: Exists}]}":                                                                                         "tolerations[0].key",
		"{tolerations: [{operator: Equal, value: a}]}":                                                                                            "tolerations[0]",
		"{tolerations: [{}]}":                                                                                                                     "tolerations[0]",
		"{tolerations: [{key: a, operator: Exists, value: b}]}":                                                                                   "tolerations[0].value",
		"{tolerations: [{key: a, value: 'b c'}]}":                                                                                                 "tolerations[0].value",
		"{tolerations: [{key: a, operator: Exists, tolerationSeconds: 3}]}":                                                                       "tolerations[0].tolerationSeconds",
		"{topologySpreadConstraints: [{maxSkew: 0, topologyKey: z, whenUnsatisfiable: DoNotSchedule}]}":                                           "topologySpreadConstraints[0].maxSkew",
		"{topologySpreadConstraints: [{maxSkew: -1, topologyKey: z, whenUnsatisfiable: DoNotSchedule}]}":                                          "topologySpreadConstraints[0].maxSkew",
		"{topologySpreadConstraints: [{topologyKey: z, whenUnsatisfiable: DoNotSchedule}]}":                                                       "topologySpreadConstraints[0].maxSkew",
		"{topologySpreadConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]}":                                                           "topologySpreadConstraints[0].topologyKey",
		"{topologySpreadConstraints: [{maxSkew: 1, topologyKey: z}]}":                                                                             "topologySpreadConstraints[0].whenUnsatisfiable",
		"{topologySpreadConstraints: [{maxSkew: 1, topologyKey: 'a b', whenUnsatisfiable: ScheduleAnyway}]}":                                      "topologySpreadConstraints[0].topologyKey",
		"{topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway, minDomains: 2}]}":                           "topologySpreadConstraints[0].minDomains",
		"{topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, minDomains: 0}]}":                            "topologySpreadConstraints[0].minDomains",
		"{topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {a: 'b c'}}}]}": "topologySpreadConstraints[0].labelSelector.matchLabels.a",
		"{topologySpreadConstraints: [&a {maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule}, *a]}":                                    "topologySpreadConstraints[1].topologyKey",
		node + must + "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Gt, values: ['4']}]}]}}}}":                                     "",
		node + must + "{nodeSelectorTerms: []}}}}":                                                                                                "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
		node + must + "{}}}}": "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
		node + must + "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In}]}]}}}}":                                    "…nodeSelectorTerms[0].matchExpressions[0]",
		node + must + "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: []}]}]}}}}":                        "…nodeSelectorTerms[0].matchExpressions[0].values",
		node + must + "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists, values: [b]}]}]}}}}":                   "…nodeSelectorTerms[0].matchExpressions[0].values",
		node + must + "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Lt, values: [b]}]}]}}}}":                       "…nodeSelectorTerms[0].matchExpressions[0].values",
		node + must + "{nodeSelectorTerms: [{matchExpressions: [{key: 'a b', operator: Exists}]}]}}}}":                            "…nodeSelectorTerms[0].matchExpressions[0].key",
		node + must + "{nodeSelectorTerms: [{matchExpressions: [{key: a}]}]}}}}":                                                  "…nodeSelectorTerms[0].matchExpressions[0].operator",
		node + must + "{nodeSelectorTerms: [{matchExpressions: [{operator: Exists}]}]}}}}":                                        "…nodeSelectorTerms[0].matchExpressions[0].key",
		node + must + "{nodeSelectorTerms: [{matchFields: [{key: spec.x, operator: In, values: [b]}]}]}}}}":                       "…nodeSelectorTerms[0].matchFields[0].key",
		node + may + "[{weight: 1, preference: {matchFields: [{key: metadata.name, operator: NotIn, values: [b]}]}}]}}}":          "",
		node + may + "[{weight: 1, preference: {matchFields: [{key: metadata.name, operator: Exists}]}}]}}}":                      "…matchFields[0].operator",
		node + may + "[{weight: 1, preference: {matchFields: [{key: '', operator: In, values: [b]}]}}]}}}":                        "…matchFields[0].key",
		"{topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: Honor}]}":  "",
		"{topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: ''}]}":     "topologySpreadConstraints[0].nodeTaintsPolicy",
		"{topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, nodeAffinityPolicy: \"\"}]}": "topologySpreadConstraints[0].nodeAffinityPolicy",
		node + may + "[{weight: 0, preference: {matchExpressions: [{key: a, operator: Exists}]}}]}}}":                             "…Execution[0].weight",
		node + may + "[{weight: 101, preference: {}}]}}}":                                                                         "…Execution[0].weight",
		pod + must + "[{topologyKey: kubernetes.io/hostname, namespaces: [a]}]}}}":                                                "",
		pod + must + "[{labelSelector: {}}]}}}":                                                                                   "…Execution[0].topologyKey",
		pod + must + "[{topologyKey: a, namespaces: [A_]}]}}}":                                                                    "…Execution[0].namespaces[0]",
		pod + must + "[{topologyKey: a, labelSelector: {matchExpressions: [{key: a, operator: NotIn}]}}]}}}":                      "…Execution[0].labelSelector.matchExpressions[0]",
		pod + may + "[{weight: 5}]}}}":                                      "…Execution[0].podAffinityTerm",
		pod + may + "[{weight: 500, podAffinityTerm: {topologyKey: a}}]}}}": "…Execution[0].weight",
	} {
		found := mustLoad(t, []string{workloads + text + "}}"}).Check()
		if want == "" && len(found) == 0 {
			continue
		}
		if len(found) != 1 || !strings.HasSuffix(found[0].Field, strings.TrimPrefix(want, "…")) || found[0].Line != 1 || found[0].Fix == "" || found[0].Expected == "" {
			t.Errorf("%s\ngot  %s\nwant %s", text, show(found), want)
		}
	}
}

// R5: no label and no annotation gives a sandbox a cloud identity, nor one of
// common, which reaches it; the session-manager may have one.
func TestNoSettingGivesASandboxACloudIdentity(t *testing.T) {
	for _, key := range []string{
		"azure.workload.identity/use", "azure.workload.identity/inject-proxy-sidecar", "iam.amazonaws.com/role", "eks.amazonaws.com/role-arn",
		"eks.amazonaws.com/skip-containers", "iam.gke.io/gcp-service-account", "aadpodidbinding", "EKS.amazonaws.com/role-arn",
	} {
		for _, field := range []string{"podLabels", "podAnnotations"} {
			for block, fix := range map[string]string{"common": "move it to agents.workloads.sessionManager", "sandbox": "remove it"} {
				found := mustLoad(t, []string{"agents: {workloads: {" + block + ": {" + field + ": {" + key + ": x}}}}"}).Check()
				if len(found) == 0 || found[0].Code != "KORA-V004" || !strings.HasPrefix(found[0].Fix, fix) || !strings.Contains(found[0].Message, "cloud identity") {
					t.Errorf("%s of %s.%s: %s", key, block, field, show(found))
				}
			}
		}
	}
	for _, text := range []string{
		"agents: {workloads: {sessionManager: {podLabels: {azure.workload.identity/use: 'true'}, podAnnotations: {iam.amazonaws.com/role: x}}}}",
		"agents: {workloads: {sandbox: {podLabels: {aws: x, iam.example.com/role: x, gke.io/a: b, aadpodidbinding.example.com/a: b}}}}",
	} {
		if found := mustLoad(t, []string{text}).Check(); len(found) > 0 {
			t.Error(show(found))
		}
	}
}
