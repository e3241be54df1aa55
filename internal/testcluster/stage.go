package testcluster

import (
	"embed"
	"os"
	"slices"
)

// OutcomeAnnotation on a pod (or in a pod template) decides what becomes of it.
// Without it a pod is Ready at once, and a Job's pod completes.
const OutcomeAnnotation = "testcluster.runkora.io/outcome"

// The values of [OutcomeAnnotation]. A controller replaces a pod that fails or
// completes, so outside of Jobs these two are for bare pods.
const (
	Complete = "complete" // it ends well, whoever owns it
	Fail     = "fail"     // it ends with exit code 1
	Hang     = "hang"     // it runs, is never Ready and never ends
	Pending  = "pending"  // it is scheduled and never starts
)

//go:embed stages/*.yaml
var stages embed.FS

// writeStages gives kwok its stages as one file.
func writeStages(file string) error {
	entries, err := stages.ReadDir("stages")
	if err != nil {
		return err
	}
	var all [][]byte
	for _, entry := range entries {
		text, err := stages.ReadFile("stages/" + entry.Name())
		if err != nil {
			return err
		}
		all = append(all, []byte("---\n"), text)
	}
	return os.WriteFile(file, slices.Concat(all...), 0o600)
}
