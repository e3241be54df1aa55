package registry

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// R52: a document of a great many parts is not taken apart: each of its bytes would take
// a hundred of the operator's memory.
func TestDocumentsOfManyParts(t *testing.T) {
	many := func(part string) []byte {
		return bytes.TrimSuffix(bytes.Repeat([]byte(part+","), 1<<20), []byte(","))
	}
	for name, c := range map[string]struct {
		text []byte
		read func([]byte) error
	}{
		"an index":   {fmt.Appendf(nil, `{"manifests":[%s]}`, many("{}")), func(text []byte) error { _, err := readIndex(text); return err }},
		"a manifest": {fmt.Appendf(nil, `{"layers":[%s]}`, many("{}")), func(text []byte) error { _, err := readManifest(text); return err }},
		"a config":   {fmt.Appendf(nil, `{"config":{"Labels":{%s}}}`, many(`"":""`)), func(text []byte) error { _, err := readConfig(text); return err }},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := c.read(c.text)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; err == nil || taken > 1<<20 {
			t.Errorf("%s: %v, %d bytes are taken", name, err, taken)
		}
	}
}

// R52: of a config only what decides is kept, however long it is.
func TestConfigsAreKeptShort(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	c, err := readConfig(fmt.Appendf(nil, `{"os":"linux","architecture":"amd64","config":{"User":%q,"Labels":{"io.runkora.sandbox.base":%q,"other":%q,%q:""}}}`, long, long, long, "io.runkora."+long))
	if err != nil || len(c.User) > maxUser || len(c.Labels) != 1 || len(c.Labels["io.runkora.sandbox.base"]) > 128 {
		t.Errorf("%v, a user of %d, %d labels", err, len(c.User), len(c.Labels))
	}
}
