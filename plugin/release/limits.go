package release

import (
	"cmp"
	"time"
)

// Limits bound what a chart may take; a field of zero is the default's.
type Limits struct {
	Archive  int64         // bytes of an archive, packed
	File     int64         // bytes of one file
	Unpacked int64         // bytes of all files
	Files    int           // files of a chart
	Output   int64         // bytes of all that the templates write
	Memory   uint64        // bytes that rendering may hold, besides what was held before
	Time     time.Duration // that the templates may run
	Pull     time.Duration // that fetching from a registry may take
}

// DefaultLimits are far above what a chart needs. The two of single files and of
// all are Helm's own.
func DefaultLimits() Limits {
	return Limits{
		Archive: 20 << 20, File: 5 << 20, Unpacked: 100 << 20, Files: 10_000,
		Output: 50 << 20, Memory: 1 << 30, Time: 30 * time.Second, Pull: 60 * time.Second,
	}
}

func (l Limits) defaulted() Limits {
	d := DefaultLimits()
	l.Archive, l.File, l.Unpacked = cmp.Or(l.Archive, d.Archive), cmp.Or(l.File, d.File), cmp.Or(l.Unpacked, d.Unpacked)
	l.Files, l.Output, l.Memory = cmp.Or(l.Files, d.Files), cmp.Or(l.Output, d.Output), cmp.Or(l.Memory, d.Memory)
	l.Time, l.Pull = cmp.Or(l.Time, d.Time), cmp.Or(l.Pull, d.Pull)
	return l
}
