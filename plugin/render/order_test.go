package render

import (
	"bytes"
	"maps"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/patches"
)

// R1: the same agent type is the same bytes each time, whatever keys its labels and
// annotations have: of these three the encoder has no order.
func TestManifestsAreTheSameBytesOfAnyKeys(t *testing.T) {
	for _, more := range []map[string]any{{}, {"driving": "\u202e"}} {
		var first []byte
		for range 50 {
			texts := map[string]any{"1191011021221100121": "x", "11910110212211001922009a": "on", "11909100020099001": "two\nlines"}
			maps.Copy(texts, more)
			object := map[string]any{"kind": "Pod", "metadata": map[string]any{"name": "a", "annotations": texts}, "spec": []any{texts}}
			printed, err := YAML([]*patches.Object{{Plain: object}})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = printed
				assertSame(t, object, printed, func(b []byte, to any) error { return yaml.Unmarshal(b, to) })
			}
			if !bytes.Equal(printed, first) {
				t.Fatalf("%s\ninstead of\n%s", printed, first)
			}
		}
	}
}
