package schema

import "testing"

// BenchmarkSchema is the check by the schema alone, of values that set everything.
func BenchmarkSchema(b *testing.B) {
	text, own := embedded(b, "values.schema.json"), read(b, string(embedded(b, "values.yaml")))
	tree := read(b, string(embedded(b, "values.yaml"))+"\n")
	small := read(b, "global: {trustDomain: example.com}\nfrontendHost: example.com\nagents: {replicas: 3}")
	for _, c := range []struct {
		name  string
		given bool
	}{{"a small file", false}, {"every value", true}} {
		b.Run(c.name, func(b *testing.B) {
			given := small
			if c.given {
				given = tree
			}
			for b.Loop() {
				s, _ := Parse("values.schema.json", text)
				s.Check(given, own)
			}
		})
	}
}
