package argocd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/source"
)

// R44: what the Applications give a chart as valuesObject is what Helmfile gives
// it as its last values file: both are one template.
func TestValuesAreThoseOfTheHelmfile(t *testing.T) {
	set := reference(t)
	g, err := releases.Reference(releases.Pins{Version: kora.Version()})
	if err != nil {
		t.Fatal(err)
	}
	env, _ := environment.Read(source.NewFile("e.yaml", releases.ExampleEnvironment()))
	for _, r := range g.Releases {
		app := application(t, set, "apps/"+r.Name+".yaml")
		src := app.Spec.GetSource()
		if r.Values == "" {
			if src.Helm.ValuesObject != nil {
				t.Errorf("%s has values", r.Name)
			}
			continue
		}
		text, err := releases.Template(r.Values)
		if err != nil {
			t.Fatal(err)
		}
		filled, err := env.NewRenderer().Render(r.Values, text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := yaml.YAMLToJSON([]byte(filled))
		if err != nil {
			t.Fatal(err)
		}
		got, err := yaml.YAMLToJSON(src.Helm.ValuesObject.Raw)
		if diff := cmp.Diff(string(want), string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", r.Name, err, diff)
		}
	}
}

// R38: the same input gives the same bytes, and many environments as many times
// the work: nothing is kept from one to the next.
func TestManyEnvironmentsAreGeneratedEachAlike(t *testing.T) {
	first := reference(t)
	for i := range 1000 {
		facts := strings.ReplaceAll(least, "td.example.com", fmt.Sprintf("td%d.example.com", i))
		set := generated(t, facts, releases.Pins{Version: "1.4.0"})
		if len(set.Files) != 9 {
			t.Fatalf("environment %d has %d files", i, len(set.Files))
		}
		domain, made := fmt.Sprintf("td%d.example.com", i), "# fact trustDomain: "
		if n, facts := strings.Count(text(set), domain), strings.Count(text(set), made+`"`+domain+`"`); n != 3+1 || facts != 1 {
			t.Fatalf("environment %d names its trust domain %d times, %d of them as the fact that it was made of", i, n, facts)
		}
	}
	if diff := cmp.Diff(first, reference(t)); diff != "" {
		t.Error(diff)
	}
	once := testing.AllocsPerRun(1, func() { generated(t, least, releases.Pins{Version: "1.4.0"}) })
	twenty := testing.AllocsPerRun(1, func() {
		for range 20 {
			generated(t, least, releases.Pins{Version: "1.4.0"})
		}
	})
	if twenty > once*22 {
		t.Errorf("one environment takes %.0f allocations, twenty %.0f", once, twenty)
	}
}

func text(set output.Set) string {
	var b strings.Builder
	for _, f := range set.Files {
		b.WriteString(f.Text)
	}
	return b.String()
}

func BenchmarkThousandEnvironments(b *testing.B) {
	for b.Loop() {
		for i := range 1000 {
			generated(b, strings.ReplaceAll(least, "td.example.com", fmt.Sprintf("td%d.example.com", i)), releases.Pins{Version: "1.4.0"})
		}
	}
}
