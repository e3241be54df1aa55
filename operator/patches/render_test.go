package patches

import (
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
)

func settings() agents.Settings {
	s := agents.Defaults("1.4.0")
	s.Slug, s.TypeID, s.Namespace = "coder", "render-coder", "tenant-example"
	return s
}

// entry makes an entry of a patch file's text.
func entry(t testing.TB, key, text string) Entry {
	t.Helper()
	docs, found := source.Parse(source.NewFile(key+".yaml", text), source.DefaultLimits)
	if len(found) > 0 || len(docs) != 1 {
		t.Fatalf("%s: %d documents, %v", key, len(docs), found)
	}
	return Entry{key, docs[0]}
}

func render(t testing.TB, entries ...Entry) (*Result, faults.List) {
	t.Helper()
	set, found := Compile(entries)
	if found.Refused() {
		return nil, found
	}
	result, more := set.Render(settings())
	return result, append(found, more...)
}

const seed = `target:
  kind: StatefulSet
patch: |
  apiVersion: apps/v1
  kind: StatefulSet
  metadata:
    name: any
  spec:
    template:
      spec:
        nodeSelector:
          disktype: ssd
`

// A: the seed's own patch pins agent pods to a node pool.
func TestSeedPatchSetsTheNodeSelector(t *testing.T) {
	result, found := render(t, entry(t, "50-nodeselector", seed))
	for _, f := range found {
		t.Logf("%+v", f)
	}
	for _, o := range result.Objects {
		t.Log(o.Title(), o.Plain)
	}
}
