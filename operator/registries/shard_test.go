package registries

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func filled(kind string, n, size int) registry {
	r := registry{kind: kind}
	for i := range n {
		text, _ := json.Marshal(Entry{Tenant: "t", Name: fmt.Sprintf("%05d", i), Spec: strings.Repeat("x", size)})
		r.entries = append(r.entries, text)
	}
	return r
}

// R51: shards hold every entry once, in order, none above the limit, all of one
// generation; a registry without entries is one empty shard.
func TestSplit(t *testing.T) {
	for _, r := range []registry{{kind: "connection"}, filled("connection", 1, 10), filled("connection", 5000, 700), filled("connection", 3, MaxShard/2)} {
		shards := r.split("g", MaxShard)
		var got []json.RawMessage
		for i, s := range shards {
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if len(text) > MaxShard {
				t.Errorf("shard %d has %d bytes", i, len(text))
			}
			if s.Shard != i || s.Shards != len(shards) || s.Generation != "g" || s.Name() != fmt.Sprintf("kora-registry-connection-%d", i) {
				t.Errorf("%+v", s)
			}
			if !bytes.Contains(text, []byte(`"entries":[`)) {
				t.Errorf("a reader finds no list: %.200s", text)
			}
			got = append(got, s.Entries...)
		}
		if len(got) != len(r.entries) {
			t.Fatalf("%d of %d entries", len(got), len(r.entries))
		}
		for i := range got {
			if !bytes.Equal(got[i], r.entries[i]) {
				t.Fatalf("entry %d is out of order", i)
			}
		}
	}
}

// R51: the stamp is of the content, and of where it stands.
func TestStamp(t *testing.T) {
	a, b := filled("connection", 2, 10), filled("mcpserver", 2, 10)
	if stamp([]registry{a, b}) != stamp([]registry{filled("connection", 2, 10), filled("mcpserver", 2, 10)}) {
		t.Error("the same content has two stamps")
	}
	moved := registry{kind: "mcpserver", entries: a.entries[:1]}
	for _, other := range [][]registry{{a, moved}, {b, a}, {a}, {{kind: "connection"}, b}} {
		if stamp(other) == stamp([]registry{a, b}) {
			t.Errorf("other content has the same stamp")
		}
	}
}

// R51: whatever the entries and the limit, nothing is lost and no shard but one of
// a single entry passes the limit.
func FuzzSplit(f *testing.F) {
	f.Add([]byte("abc"), 300)
	f.Add(bytes.Repeat([]byte{200, 1}, 50), 600)
	f.Fuzz(func(t *testing.T, sizes []byte, most int) {
		r := registry{kind: "connection"}
		for _, size := range sizes {
			text, _ := json.Marshal(strings.Repeat("x", int(size)))
			r.entries = append(r.entries, text)
		}
		n := 0
		for _, s := range r.split(strings.Repeat("a", 32), most) {
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if len(text) > most && len(s.Entries) > 1 {
				t.Errorf("%d bytes of %d", len(text), most)
			}
			n += len(s.Entries)
		}
		if n != len(sizes) {
			t.Errorf("%d of %d entries", n, len(sizes))
		}
	})
}
