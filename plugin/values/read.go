package values

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// standardInput is how a fault names what was read for the path "-".
const standardInput = "<stdin>"

// reader opens what the command line names. Nothing is ever fetched: a URL is a
// path that does not exist.
type reader struct {
	stdin io.Reader
	spent bool // standard input was read
	root  *os.Root
}

// read returns the text under a path, or nil and why not.
func (r *reader) read(path string) (*source.File, faults.List) {
	if strings.TrimSpace(path) == "-" {
		return r.readStdin()
	}
	file, refusal := r.open(path)
	if refusal != nil {
		return nil, faults.List{*refusal}
	}
	defer file.Close()
	return bounded(path, file)
}

// readStdin reads standard input once: a second time it would be silently empty.
func (r *reader) readStdin() (*source.File, faults.List) {
	switch {
	case r.stdin == nil:
		return nil, faults.List{missing(standardInput, errors.New("there is no standard input"))}
	case r.spent:
		f := faults.New(faults.FileKind, `standard input can be read once, and "-" is given twice`)
		f.File, f.Fix = standardInput, "put one of the two into a file"
		return nil, faults.List{f}
	}
	r.spent = true
	return bounded(standardInput, r.stdin)
}

// open opens a regular file. It looks before it opens, because opening a device
// may do something, and again afterwards, because the path may have changed; a
// pipe that nobody writes to does not block an open that asks not to.
func (r *reader) open(path string) (*os.File, *faults.Fault) {
	stat, openFile := os.Stat, os.OpenFile
	if r.root != nil {
		stat, openFile = r.root.Stat, r.root.OpenFile
	}
	info, err := stat(path)
	if err == nil && info.Mode().IsRegular() {
		var file *os.File
		if file, err = openFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			if info, err = file.Stat(); err == nil && info.Mode().IsRegular() {
				return file, nil
			}
			file.Close()
		}
	}
	if err != nil {
		f := missing(path, err)
		return nil, &f
	}
	f := irregular(path, info.Mode())
	return nil, &f
}

func missing(path string, err error) faults.Fault {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err // the path is in the fault already
	}
	f := faults.New(faults.FileMissing, "cannot read the file: "+err.Error())
	f.File = path
	if strings.TrimSpace(path) == "" {
		f.File, f.Message, f.Fix = `""`, "the name of a file is empty", "give the path of the file, or leave the flag out"
	}
	if strings.Contains(path, "://") {
		f.Fix = "kora fetches nothing: download the file and give its path"
	}
	return f
}

func irregular(path string, mode fs.FileMode) faults.Fault {
	f := faults.New(faults.FileKind, "not a regular file")
	f.File, f.Found, f.Expected = path, "a device", "a regular file"
	f.Fix = "name a regular file, or give - and pipe the text into standard input"
	switch {
	case mode.IsDir():
		f.Found, f.Fix = "a directory", "name a file in it"
	case mode&fs.ModeNamedPipe != 0:
		f.Found, f.Fix = "a named pipe", "give - and pipe the values into standard input"
	case mode&fs.ModeSocket != 0:
		f.Found = "a socket"
	}
	return f
}

// bounded reads at most as much as one text may hold (R20).
func bounded(name string, in io.Reader) (*source.File, faults.List) {
	most := source.DefaultLimits.Bytes
	text, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	if err != nil {
		return nil, faults.List{missing(name, err)}
	}
	if len(text) > most {
		f := faults.New(faults.YAMLLimit, "the file is too long")
		f.File, f.Expected = name, fmt.Sprintf("at most %d bytes", most)
		f.Fix = "split the file"
		return nil, faults.List{f}
	}
	if utf8.Valid(text) {
		return source.NewFile(name, string(text)), nil
	}
	f := faults.New(faults.YAMLSyntax, "the file is not text in UTF-8")
	f.File, f.Fix = name, "save it as UTF-8"
	f.Line = 1 + strings.Count(string(text[:invalid(text)]), "\n")
	return nil, faults.List{f}
}

// invalid is the offset of the first byte that is no UTF-8.
func invalid(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return len(text)
}
