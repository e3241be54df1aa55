package patches

import (
	"strings"
	"testing"

	"github.com/runkora/kora/internal/source"
)

// R13, R15: what a person did once is told once.
func TestOneCauseIsOneFault(t *testing.T) {
	for name, entry := range map[string][2]string{
		"selector null":       {"Service", "spec: {selector: null}"},
		"selector deleted":    {"PodDisruptionBudget", "spec: {selector: {$patch: delete}}"},
		"labels null":         {"Service", "metadata: {name: any, labels: null}"},
		"data source":         {"PersistentVolumeClaim", "spec: {dataSource: {kind: PersistentVolumeClaim, name: other}}"},
		"data sources":        {"PersistentVolumeClaim", "spec: {dataSource: {kind: PersistentVolumeClaim, name: o}, dataSourceRef: {kind: PersistentVolumeClaim, name: o}}"},
		"context gone":        {"Pod", "spec: {securityContext: null}"},
		"container's context": {"Pod", "spec: {containers: [{name: sandbox, securityContext: null}]}"},
		"no context":          {"Pod", "spec: {containers: [{name: helper, image: x}]}"},
		"volume gone":         {"Pod", "spec: {volumes: [{name: scratch, $patch: delete}]}"},
		"workspace gone":      {"Pod", "spec: {volumes: [{name: workspace, $patch: delete}]}"},
		"budget":              {"PodDisruptionBudget", "spec: {minAvailable: 1}"},
	} {
		text := "target: {kind: " + entry[0] + "}\npatch: |\n  kind: any\n  " + entry[1] + "\n"
		if !strings.HasPrefix(entry[1], "metadata") {
			text += "  metadata: {name: any}\n"
		}
		docs, _ := source.Parse(source.NewFile("a.yaml", text), source.DefaultLimits)
		if _, found := render(t, Entry{"a", docs[0]}); len(found) != 1 {
			t.Errorf("%s: %d faults: %+v", name, len(found), found)
		}
	}
}
