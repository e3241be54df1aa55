// Command kora is the command line of kora: a program of its own, a Helm
// plugin (helm kora …), and an entry of kora's images.
package main

import (
	"io"
	"log"
	"os"

	"github.com/runkora/kora/internal/collector"
)

func main() {
	collector.Restore(800)    // a short life: memory is cheaper than collecting it
	log.SetOutput(io.Discard) // what libraries log, such as Helm of tables, kora tells as faults
	os.Exit(run(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.Environ()))
}
