package registries

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// DataKey is where a ConfigMap holds its shard.
const DataKey = "registry.json"

// MaxShard is how many bytes one shard may have: below what the API server takes
// of an object, with room for the rest of the ConfigMap.
const MaxShard = 900 << 10

// Shard is one ConfigMap's part of a registry. A reader has the whole registry
// when it holds Shards shards of one Generation.
//
// The stamp stands in each, though a change of one entry so rewrites them all: R51 asks
// for one that is common to a pass. An index beside the shards would be another object,
// which a reader sees before or after them and never with them: it would have to know
// what each shard it names must hold, and shards would need a stamp of their own content.
// A pass writes once for all that has changed since the last one, so that what it costs
// is bounded by its pauses and not by the number of changes.
type Shard struct {
	Kind       string            `json:"kind"`       // "connection" and so on
	Generation string            `json:"generation"` // the same in all registries of one pass
	Shard      int               `json:"shard"`      // from 0
	Shards     int               `json:"shards"`
	Entries    []json.RawMessage `json:"entries"` // of Entry, sorted by tenant and name
}

// Entry is one resource in a registry.
type Entry struct {
	Tenant    string `json:"tenant"`
	Namespace string `json:"namespace"` // where the Secrets that spec names are
	Name      string `json:"name"`
	// SecretHash changes when the values in the Secret change; empty without one.
	SecretHash string `json:"secretHash,omitempty"`
	// Spec is the resource's own.
	Spec any `json:"spec"`
}

// registry is what one kind's shards are made of.
type registry struct {
	kind    string
	entries []json.RawMessage // sorted
}

// stamp is a hash of all registries: the same content is the same generation, so
// that a pass that changes nothing writes nothing.
func stamp(all []registry) string {
	hash := sha256.New()
	for _, r := range all {
		fmt.Fprintf(hash, "%s %d\n", r.kind, len(r.entries))
		for _, e := range r.entries {
			hash.Write(e)
			hash.Write([]byte{'\n'})
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// envelope is more than what stands around the entries of a shard.
const envelope = 256

// split fills shards in order, each up to most bytes. A registry without entries
// is one empty shard: nothing there is told apart from nothing written yet.
func (r registry) split(generation string, most int) []Shard {
	shards := []Shard{{Entries: []json.RawMessage{}}}
	size := envelope
	for _, e := range r.entries {
		last := &shards[len(shards)-1]
		if size+len(e)+1 > most && len(last.Entries) > 0 {
			shards = append(shards, Shard{})
			last, size = &shards[len(shards)-1], envelope
		}
		last.Entries = append(last.Entries, e)
		size += len(e) + 1
	}
	for i := range shards {
		shards[i].Kind, shards[i].Generation, shards[i].Shard, shards[i].Shards = r.kind, generation, i, len(shards)
	}
	return shards
}

// Name is the name of a shard's ConfigMap.
func (s Shard) Name() string { return fmt.Sprintf("kora-registry-%s-%d", s.Kind, s.Shard) }
