package facts

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const planted = "planted-secret-value"

func sample() *Facts {
	return &Facts{
		Kubernetes: Known("v1.36.3"),
		Nodes:      Unknown[[]Node]("nodes is forbidden"),
		Secrets: map[string]Part[*Secret]{
			"kora-system/kora-secrets": Known(&Secret{Type: "Opaque", Values: map[string]Value{"DB_PASSWORD": {Length: len(planted), Bytes: []byte(planted)}}}),
			"kora-system/none":         Known[*Secret](nil),
		},
		Database: Known(Database{Version: 15, Create: true}),
	}
}

// R55: a file of facts holds which keys a Secret has and how long each value
// is, and reads back as that.
func TestAFileHoldsNoSecret(t *testing.T) {
	var file bytes.Buffer
	if err := Write(&file, sample()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(file.String(), planted) {
		t.Fatal("the value stands in the file")
	}
	got, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	want := sample()
	want.Form = FormVersion
	settle(reflect.ValueOf(want)) // nothing was seen of the other parts
	want.Secrets["kora-system/kora-secrets"].Value.Values["DB_PASSWORD"] = Value{Length: len(planted)}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\n%+v", got, want)
	}
}

// R55: no verb of fmt prints a value.
func TestNoVerbPrintsAValue(t *testing.T) {
	v := sample().Secrets["kora-system/kora-secrets"].Value
	for _, text := range []string{fmt.Sprintf("%v", v.Values), fmt.Sprintf("%+v", *v), fmt.Sprintf("%#v", v.Values), fmt.Sprint(v.Values["DB_PASSWORD"])} {
		if strings.Contains(text, planted) || strings.Contains(text, fmt.Sprint([]byte(planted))) {
			t.Errorf("%s", text)
		}
	}
}

// R55: a file that is not whole, or not ours, is refused with its reason.
func TestBadFiles(t *testing.T) {
	var file bytes.Buffer
	if err := Write(&file, sample()); err != nil {
		t.Fatal(err)
	}
	whole := file.String()
	for text, want := range map[string]string{
		whole[:len(whole)/2]: "ends in the middle", "": "ends in the middle", "{": "ends in the middle",
		"[]": "not what", "<html>": "not what", `{"form":1,"extra":2}`: "not what", `{"form":9}`: "form 9",
		whole + "{}": "behind its end", `{"form":1,"nodes":{"value":[{"name":1}]}}`: "not what",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// R55: null is no list that is empty: a part of it is not known, and what was seen
// to be empty is written as that.
func TestNullIsNotEmpty(t *testing.T) {
	f, err := Read(strings.NewReader(`{"form":1,"nodes":{"value":null},"release":{},"namespaces":{"value":null},"storageClasses":{"value":[]},"spire":{"clusterSPIFFEIDs":{"value":null}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, missing := range map[string]string{"nodes": f.Nodes.Missing, "release": f.Release.Missing, "namespaces": f.Namespaces.Missing, "the ClusterSPIFFEIDs": f.Spire.IDs.Missing} {
		if missing == "" {
			t.Errorf("%s are known", name)
		}
	}
	if f.StorageClasses.Missing != "" || f.StorageClasses.Value == nil {
		t.Errorf("%+v", f.StorageClasses)
	}
	var file bytes.Buffer
	seen := sample()
	seen.DaemonSets, seen.Tags = Known[[]DaemonSet](nil), Known[map[string]string](nil)
	if err := Write(&file, seen); err != nil {
		t.Fatal(err)
	}
	if f, err = Read(&file); err != nil || f.DaemonSets.Missing != "" || f.Tags.Missing != "" {
		t.Errorf("%v %+v %+v", err, f.DaemonSets, f.Tags)
	}
}

// R55: a cluster of ten thousand nodes is read whole.
func TestALargeCluster(t *testing.T) {
	f := sample()
	f.Nodes = Known(make([]Node, 10_000))
	for i := range f.Nodes.Value {
		f.Nodes.Value[i] = Node{Name: fmt.Sprintf("node-%05d", i), Labels: map[string]string{"kubernetes.io/hostname": fmt.Sprint(i)}, Ready: true}
	}
	var file bytes.Buffer
	if err := Write(&file, f); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(&file); err != nil || len(got.Nodes.Value) != 10_000 {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	var file bytes.Buffer
	if err := Write(&file, sample()); err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{file.String(), file.String()[:100], `{"form":1}`, `{"form":1,"secrets":{"a/b":{"value":{"type":"x","lengths":{"k":-1}}}}}`, "null", "[[[[", `{"form":1,"nodes":{"value":[{"name":"a","name":null}]},"x":[{},[],{"y":-1e9}]}`, "{\"form\":1,\n\"istioTags\":{\"value\":{\"\\u00e9\":\"\\\\\"}}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := Write(&bytes.Buffer{}, got); err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}
