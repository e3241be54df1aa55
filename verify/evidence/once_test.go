package evidence

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// R45, R47: no two keys that encoding/json takes for one stand beside another.
func TestKeysThatReadersFold(t *testing.T) {
	for _, twice := range []string{"source SOURCE", "source \u017fource", "kind \u212aind", "sources \u017fource\u017f"} {
		a, b, _ := strings.Cut(twice, " ")
		data, err := json.Marshal(map[string]int{a: 1, b: 2})
		if err != nil {
			t.Fatal(err)
		}
		if err := strict(data, 100, 4); err == nil || !strings.Contains(err.Error(), "differ by case") {
			t.Errorf("%s: %v", data, err)
		}
	}
	if err := strict([]byte(`{"s":1,"z":2,"ß":3,"ss":4,"\u0130":5,"i":6}`), 100, 4); err != nil {
		t.Errorf("keys of their own: %v", err)
	}
}

// R47: evidence that many artifacts share is parsed once, and says the same.
func TestParsedOnce(t *testing.T) {
	given := Raw{Name: "lines", Format: Lines, Bytes: []byte("junk\n")}
	shared := given.Once()
	_, first := shared.Parse()
	copy(shared.Bytes, bytes.Repeat([]byte("\n"), len(shared.Bytes)))
	_, again := shared.Parse()
	if _, anew := given.Parse(); len(first) != 1 || len(again) != 1 || &first[0] != &again[0] || len(anew) != 0 {
		t.Errorf("%v, %v and %v", first, again, anew)
	}
}
