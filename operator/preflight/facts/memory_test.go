package facts

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

const (
	// most is the memory that reading a file may take for each value that the
	// budget counts, in bytes, what is thrown away included: the key and the value
	// of a map that grew. mostObject is the same where the values are objects.
	most, mostObject = 300, 80
	// part of the budget is what each file has.
	part = 64
)

// crowded is a file of n things, which a form makes with its number.
func crowded(form string, n int) string {
	first, rest, _ := strings.Cut(form, "|")
	item, last, _ := strings.Cut(rest, "|")
	var b strings.Builder
	b.WriteString(`{"form":1,` + first)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(item, "#", fmt.Sprint(i)))
	}
	b.WriteString(last + "}")
	return b.String()
}

// taken is what one reading of a text takes.
func taken(t *testing.T, text string) (made uint64, err error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Read(strings.NewReader(text))
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// R55: a file takes memory by what the budget counts alone, whatever it holds many
// of, and in a straight line: twice as many take about twice.
func TestManySmallThingsTakeLittle(t *testing.T) {
	for name, form := range map[string]string{
		"secrets":       `"secrets":{|"ns/s#":{"value":{"type":"Opaque","lengths":{"a":1,"b":2}}}|}`,
		"empty secrets": `"secrets":{|"#":{"value":{"type":"","lengths":{}}}|}`,
		"no secrets":    `"secrets":{|"#":{"value":null}|}`,
		"keys":          `"secrets":{"ns/s":{"value":{"type":"","lengths":{|"#":1|}}}}`,
		"nodes":         `"nodes":{"value":[|{"name":"n#","labels":{"a":"b"},"ready":true}|]}`,
		"labels":        `"nodes":{"value":[{"name":"","ready":true,"labels":{|"#":""|}}]}`,
		"taints":        `"nodes":{"value":[{"name":"","ready":true,"labels":{},"taints":[|{"key":"","effect":""}|]}]}`,
		"sets":          `"daemonSets":{"value":[|{"namespace":"","name":"","role":"","readyOn":[]}|]}`,
		"places":        `"daemonSets":{"value":[{"namespace":"","name":"","role":"","readyOn":[|"#"|]}]}`,
		"revisions":     `"istioRevisions":{"value":[|{"name":"","namespace":"","versions":[],"ready":0,"trustDomain":{"value":"x"},"cni":{"value":true},"injection":{"value":null}}|]}`,
		"injectors":     `"istioInjectors":{"value":[|{"config":"","webhook":"#","revision":"","namespaceSelector":{"matchLabels":{"a":"b"}}}|]}`,
		"tags":          `"istioTags":{"value":{|"#":"x"|}}`,
		"namespaces":    `"namespaces":{"value":{|"#":{"labels":{"a":"b"}}|}}`,
		"identities":    `"spire":{"clusterSPIFFEIDs":{"value":[|{"name":"#","className":"","fallback":false,"podSelector":{"matchLabels":{"a":"b"}}}|]}}`,
		"domains":       `"spire":{"trustDomains":{"value":{|"#":"x"|}}}`,
		"definitions":   `"definitions":{"value":{|"#":["v1"]|}}`,
		"classes":       `"storageClasses":{"value":[|{"name":"","provisioner":""}|]}`,
		"answers":       `"release":{"value":[|{"object":"#","owner":{}}|]}`,
		"strangers":     `"strangers":[|{}|]`,
	} {
		t.Run(name, func(t *testing.T) {
			count := &budget{}
			if _, err := count.Write([]byte(crowded(form, 1000))); err != nil {
				t.Fatal(err)
			}
			n := 1000 * Budget / part / count.values
			half, err := taken(t, crowded(form, n/2))
			if err != nil {
				t.Fatal(err)
			}
			whole, err := taken(t, crowded(form, n))
			if err != nil {
				t.Fatal(err)
			}
			bound := uint64(most)
			if _, item, _ := strings.Cut(form, "|"); strings.Contains(item[:strings.Index(item, "|")], "{") {
				bound = mostObject
			}
			if whole > bound*Budget/part || whole > 3*half {
				t.Errorf("%d take %d bytes a value, half of them %d", n, whole*part/Budget, half*part*2/Budget)
			}
		})
	}
}

// R55: what a file leaves out, or calls null, is unknown, in SPIRE's part too; what
// stands for a Secret's value and is no length is refused, and not repeated.
func TestWhatAFileLeavesOut(t *testing.T) {
	f, err := Read(strings.NewReader(`{"form":1,"nodes":null,"spire":{"csiDriver":{"value":true},"sds":null},"redis":{"value":{"version":"7.0","tls":false}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if f.Nodes.Missing == "" || f.Spire.SDS.Missing == "" || f.Spire.Class.Missing == "" || f.Database.Missing == "" {
		t.Errorf("%+v", f)
	}
	if f.Spire.CSI != Known(true) || f.Redis != Known(Redis{Version: "7.0"}) {
		t.Errorf("%+v %+v", f.Spire.CSI, f.Redis)
	}
	for _, value := range []string{`"` + planted + `"`, "1.5", "{}", "99999999999999999999"} {
		if _, err := Read(strings.NewReader(`{"form":1,"secrets":{"a/b":{"value":{"type":"","lengths":{"k":` + value + `}}}}}`)); err == nil || strings.Contains(err.Error(), planted) {
			t.Errorf("%s: %v", value, err)
		}
	}
	if _, err := Read(strings.NewReader(`{"form":1,"secrets":{"a/b":{"value":{"type":"x","lengths":{},"extra":1}}}}`)); err == nil {
		t.Error("an unknown field of a Secret passes")
	}
}
