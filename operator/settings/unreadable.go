package settings

import (
	"errors"
	"fmt"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
)

// unreadable is the fault of a module that is not there, is no file or is too long: what
// it is, and what to do.
func unreadable(name, file string, err error) faults.Fault {
	f := faults.New(faults.FileMissing, "the config module "+name+" cannot be read")
	f.Fix = "give with -config the folder in which the chart's ConfigMap is mounted, with " + name + ".yaml in it, that this user may read"
	var long regular.LongError
	var kind regular.KindError
	switch {
	case errors.As(err, &long):
		f = faults.New(faults.YAMLLimit, "the config module "+name+" is too long")
		f.Expected, f.Fix = fmt.Sprintf("at most %d bytes", int64(long)), "mount the ConfigMap that the chart renders: it is a few kilobytes"
	case errors.As(err, &kind):
		f = faults.New(faults.FileKind, "the config module "+name+" is no file")
		f.Expected, f.Fix = "a regular file, or a link to one", "put the file there that the chart renders: kora reads no pipe, device or directory as one"
	}
	f.File, f.Found = file, why(err)
	return f
}
