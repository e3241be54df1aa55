package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts drive the real program, in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"kora": main, "kustomize": kustomizeBuild})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               withReadme(t),
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
