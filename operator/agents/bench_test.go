package agents_test

import (
	"testing"

	"github.com/runkora/kora/operator/agents"
)

func BenchmarkBuild(b *testing.B) {
	for name, s := range map[string]agents.Settings{"plain": plain(), "full": full()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				agents.Build(s)
			}
		})
	}
}

func BenchmarkSplitPlacement(b *testing.B) {
	for name, o := range map[string]agents.Objects{"plain": agents.Build(plain()), "full": agents.Build(full())} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				agents.SplitPlacement(&o.StatefulSet.Spec.Template.Spec, &o.Sandbox.Spec)
			}
		})
	}
	large := manyTerms(32)
	b.Run("32 terms of 32 keys", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			agents.SplitPlacement(large, large)
		}
	})
}
