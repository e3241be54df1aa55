// Command kora-operator keeps tenants, their registries and images as the custom
// resources say, and serves admission for them (R50 to R54).
package main

import (
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	os.Exit(run(ctrl.SetupSignalHandler(), os.Args[1:], os.Stdout, os.Stderr))
}
