package release_test

import (
	"testing"

	"github.com/runkora/kora/plugin/release"
)

// Everything that kora render does for the documents' first example, in process.
func BenchmarkRender(b *testing.B) {
	for b.Loop() {
		good(b, release.Request{Values: inputOf("releases/kora")})
	}
}

func BenchmarkPrint(b *testing.B) {
	r := good(b, release.Request{Values: inputOf("releases/kora")})
	for b.Loop() {
		printed(b, r)
	}
}
