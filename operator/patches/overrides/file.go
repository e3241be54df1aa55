package overrides

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// standardInput is how a fault names what was read for the path "-".
const standardInput = "<stdin>"

// FromFile returns the overrides in a .env file, or in YAML of any kind: a
// Deployment, a Pod, a List, a ConfigMap or values. The path "-" reads stdin.
// Only a regular file of at most source.DefaultLimits.Bytes is read.
func FromFile(path string, stdin io.Reader) ([]Variable, faults.List) {
	if path == "-" {
		if stdin == nil {
			return nil, faults.List{unreadable(standardInput, errors.New("there is no standard input"))}
		}
		return fromReader(standardInput, stdin)
	}
	file, err := open(path)
	if err != nil {
		return nil, faults.List{unreadable(path, err)}
	}
	defer file.Close()
	return fromReader(path, file)
}

var errKind = errors.New("not a regular file")

// open never waits on a pipe and never opens a device: it looks first, and
// again once open, since the path may lead elsewhere by then.
func open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errKind
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil && info.Mode().IsRegular() {
		return file, nil
	}
	file.Close()
	return nil, errors.Join(errKind, err)
}

func unreadable(path string, err error) faults.Fault {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err // the path is in the fault already
	}
	f := faults.New(faults.FileMissing, "cannot read the file: "+err.Error())
	f.Fix = "check the spelling of the path, and that this user may read it"
	if errors.Is(err, errKind) {
		f = faults.New(faults.FileKind, "not a regular file")
		f.Fix = "name a file, or give - and pipe the text into standard input"
	}
	f.File = path
	return f
}

func fromReader(name string, in io.Reader) ([]Variable, faults.List) {
	most := source.DefaultLimits.Bytes
	text, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	if err != nil {
		return nil, faults.List{unreadable(name, err)}
	}
	if len(text) > most {
		f := faults.New(faults.YAMLLimit, "the file is too long")
		f.File, f.Expected = name, fmt.Sprintf("at most %d bytes", most)
		f.Fix = "split the file"
		return nil, faults.List{f}
	}
	file := source.NewFile(name, string(text))
	if isDotenv(name, file.Text()) {
		return dotenv(file), nil
	}
	return fromYAML(file)
}

var assignment = regexp.MustCompile(`^(?:export\s+)?[^\s:='"{\[-][^\s:='"]*=`)

// isDotenv goes by the name, and where that tells nothing by the first line
// that says something: in YAML "KEY=value" would be a text and no map.
func isDotenv(name, text string) bool {
	switch ext := filepath.Ext(name); {
	case ext == ".yaml" || ext == ".yml" || ext == ".json":
		return false
	case ext == ".env" || strings.HasPrefix(filepath.Base(name), ".env"):
		return true
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return assignment.MatchString(line) || unfinished(line)
		}
	}
	return false
}

// unfinished is true of an override that lacks its "=": no map of YAML either.
func unfinished(line string) bool {
	line = strings.TrimLeft(strings.TrimPrefix(line, "export"), " \t")
	end := plainEnd(line)
	return strings.HasPrefix(line, Prefix) && (end == len(line) || line[end] != ':')
}
