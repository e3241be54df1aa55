package facts

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// endless repeats a text behind a beginning.
type endless struct {
	first, then string
	at          int
}

func (e *endless) Read(into []byte) (int, error) {
	for i := range into {
		if e.at < len(e.first) {
			into[i] = e.first[e.at]
		} else {
			into[i] = e.then[(e.at-len(e.first))%len(e.then)]
		}
		e.at++
	}
	return len(into), nil
}

// R55: a file that is small on the disk and large in memory is refused before it
// is either, and so is one without an end.
func TestAHostileFileIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ from, want string }{
		"nodes": {`{"form":1,"nodes":{"value":[|{},`, "values"}, "sets": {`{"form":1,"daemonSets":{"value":[|{},`, "values"}, "names": {`{"form":1,"strangers":[|{},`, "values"},
		"lists": {`{"form":1,"nodes":{"value":[{"taints":[|{},`, "values"}, "secrets": {`{"form":1,"secrets":{|"a":{},`, "values"},
		"a text": {`{"form":1,"kubernetes":{"value":"|{,[\"`, "64 MiB"}, "spaces": {`{|        `, "64 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			first, then, _ := strings.Cut(c.from, "|")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Read(&endless{first: first, then: then})
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), "it holds more than") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			if made := after.TotalAlloc - before.TotalAlloc; made > 6*Limit {
				t.Errorf("%d MiB were made", made>>20)
			}
		})
	}
}

// R55: what is written can be read: a cluster beyond the bounds of a file is told
// when it is collected.
func TestWriteKeepsTheBounds(t *testing.T) {
	f := sample()
	f.Nodes = Known(make([]Node, Budget/3))
	if err := Write(io.Discard, f); err == nil || !strings.Contains(err.Error(), "it holds more than") {
		t.Errorf("%v", err)
	}
}

// R55: what nobody asked for is no failure to read it, in a file too; what was
// asked for and not read is named.
func TestUnread(t *testing.T) {
	f := Nothing("nodes is forbidden")
	f.Database, f.Redis, f.Privileged, f.Release = NotAsked[Database]("it was not asked"), NotAsked[Redis]("it was not asked"), NotAsked[Answer]("no"), NotAsked[[]Answer]("no")
	f.Secrets = map[string]Part[*Secret]{"a/b": Unknown[*Secret]("secrets is forbidden")}
	var file bytes.Buffer
	if err := Write(&file, f); err != nil {
		t.Fatal(err)
	}
	f, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	why, nothing := f.Unread()
	if !nothing || len(why) != 16 || why[1] != "the nodes: nodes is forbidden" || why[15] != "Secret a/b: secrets is forbidden" {
		t.Errorf("%v %q", nothing, why)
	}
	f.Nodes = Known([]Node{})
	if why, nothing := f.Unread(); nothing || len(why) != 15 {
		t.Errorf("%v %q", nothing, why)
	}
	f.Revisions = Known([]Revision{{Name: "one", TrustDomain: Unknown[string]("configmaps is forbidden"), CNI: Known(true)}})
	f.Release = Known([]Answer{{Object: "Service a/b", Unread: "services is forbidden"}, {Object: "Pod a/c", Untried: "nobody answers"}, {Object: "Pod a/d", Refused: "no"}})
	why, nothing = f.Unread()
	within := []string{"the trust domain of Istio's revision one: configmaps is forbidden", "what is said to Service a/b: services is forbidden", "what is said to Pod a/c: nobody answers"}
	if nothing || len(why) != 17 || !slices.Equal(why[14:], within) {
		t.Errorf("%v %q", nothing, why)
	}
	if all := reflect.TypeFor[Facts]().NumField() + reflect.TypeFor[Spire]().NumField(); all != 26 {
		t.Errorf("%s: Unread has to name each part", fmt.Sprint(all))
	}
}
