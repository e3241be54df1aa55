package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/ignore"

	"github.com/runkora/kora/internal/faults"
)

// budget counts what a chart took of its limits, with all the charts inside it.
type budget struct {
	limits Limits
	count  int
	bytes  int64
	depth  int
}

// most archives within archives; Helm packs a dependency once.
const mostDepth = 4

var (
	errFiles    = errors.New("it has too many files")
	errUnpacked = errors.New("its files are too large together")
	errDepth    = errors.New("it holds archives within archives within archives")
)

// take counts one file of a size.
func (b *budget) take(name string, size int64) error {
	b.count++
	b.bytes += size
	switch {
	case size > b.limits.File || size < 0:
		return fmt.Errorf("its file %q is too large", name)
	case b.count > b.limits.Files:
		return errFiles
	case b.bytes > b.limits.Unpacked:
		return errUnpacked
	}
	return nil
}

func tooMuch(chart string, err error) faults.List {
	return faults.List{ofChart(faults.New(faults.ChartLimit, "the chart is too large: "+err.Error()), chart)}
}

// files reads the files of a chart's folder as Helm does, less those that its
// .helmignore names. A link is refused, wherever it leads.
func (b *budget) files(chart string, in fs.FS) ([]*loader.BufferedFile, faults.List) {
	rules := ignore.Empty()
	if text, err := fs.ReadFile(in, ignore.HelmIgnore); err == nil {
		if rules, err = ignore.Parse(bytes.NewReader(text)); err != nil {
			return nil, faults.List{notAChart(chart, "its .helmignore cannot be read: "+err.Error())}
		}
	}
	rules.AddDefaults()
	var out []*loader.BufferedFile
	var found faults.List
	err := fs.WalkDir(in, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		switch {
		case rules.Ignore(name, info) && entry.IsDir():
			return fs.SkipDir
		case rules.Ignore(name, info), entry.IsDir():
			return nil
		case !info.Mode().IsRegular():
			found = append(found, irregular(chart, name))
			return nil
		}
		if err := b.take(name, info.Size()); err != nil {
			found = append(found, tooMuch(chart, err)...)
			return fs.SkipAll
		}
		data, err := readBounded(in, name, b.limits.File)
		out = append(out, &loader.BufferedFile{Name: name, Data: bytes.TrimPrefix(data, []byte("\uFEFF"))})
		return err
	})
	if err != nil {
		return nil, faults.List{noChart(chart, err)}
	}
	return out, append(found, b.inner(chart, out)...)
}

func readBounded(in fs.FS, name string, most int64) ([]byte, error) {
	f, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

func irregular(chart, name string) faults.Fault {
	f := notAChart(chart, fmt.Sprintf("it holds %q, which is not a plain file", name))
	f.Found, f.Expected, f.Fix = "a link or a device", "plain files", "replace the link by a copy of what it leads to"
	return f
}

// file reads an archive from disk.
func (b *budget) file(name string, d disk) ([]*loader.BufferedFile, faults.List) {
	f, err := d.open(name)
	if err != nil {
		return nil, faults.List{noChart(name, err)}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, b.limits.Archive+1))
	if err != nil {
		return nil, faults.List{noChart(name, err)}
	}
	return b.archive(name, data)
}

// archive unpacks a chart's archive in memory: Helm's own reader, after a look at
// every header.
func (b *budget) archive(name string, data []byte) ([]*loader.BufferedFile, faults.List) {
	if int64(len(data)) > b.limits.Archive {
		return nil, tooMuch(name, fmt.Errorf("its archive has more than %d bytes", b.limits.Archive))
	}
	if found := b.headers(name, data); found.Refused() {
		return nil, found
	}
	files, err := loader.LoadArchiveFiles(bytes.NewReader(data))
	if err != nil {
		return nil, faults.List{notAChart(name, err.Error())}
	}
	return files, b.inner(name, files)
}

// headers refuses what is no plain file, and stops reading at the limits, before
// anything is kept.
func (b *budget) headers(name string, data []byte) faults.List {
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return faults.List{notAChart(name, "it is neither a folder nor a packed chart: "+err.Error())}
	}
	// A tar has a header of 512 bytes for each file, and pads to as much.
	most := b.limits.Unpacked + 2048*int64(b.limits.Files)
	counted := &io.LimitedReader{R: unzipped, N: most}
	for in := tar.NewReader(counted); ; {
		h, err := in.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case counted.N <= 0:
			return tooMuch(name, errUnpacked)
		case err != nil:
			return faults.List{notAChart(name, "its archive is broken: "+err.Error())}
		}
		if f := b.header(name, h); f.Refused() {
			return f
		}
	}
}

func (b *budget) header(chart string, h *tar.Header) faults.List {
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeDir, tar.TypeXGlobalHeader:
	default:
		return faults.List{irregular(chart, h.Name)}
	}
	if slashed := strings.ReplaceAll(h.Name, `\`, "/"); path.IsAbs(slashed) || strings.Contains("/"+slashed+"/", "/../") {
		return faults.List{notAChart(chart, fmt.Sprintf("it holds %q, a path that leads out of it", h.Name))}
	}
	if err := b.take(h.Name, h.Size); err != nil {
		return tooMuch(chart, err)
	}
	return nil
}

// inner looks into the packed charts of a chart, which Helm unpacks too.
func (b *budget) inner(chart string, files []*loader.BufferedFile) faults.List {
	for _, f := range files {
		if !strings.HasPrefix(f.Name, "charts/") || path.Ext(f.Name) != ".tgz" {
			continue
		}
		if b.depth++; b.depth > mostDepth {
			return tooMuch(chart, errDepth)
		}
		if _, found := b.archive(chart, f.Data); found.Refused() {
			for i := range found {
				found[i].Template = path.Join(f.Name, found[i].Template)
			}
			return found
		}
		b.depth--
	}
	return nil
}
