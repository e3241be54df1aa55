package overrides

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// Values is a fragment of a values file that holds the patches.
func Values(list []Patch) string {
	out := []string{"agents:", "  manifestPatches:"}
	for _, p := range list {
		text := strings.Split(strings.TrimSuffix(p.Text, "\n"), "\n")
		for strings.HasPrefix(text[0], "#") {
			out, text = append(out, "    "+text[0]), text[1:]
		}
		out = append(out, "    "+p.Key+":")
		out = append(out, indented(text, "      ", "      ")...)
	}
	return strings.Join(out, "\n") + "\n"
}

// Write puts each patch into a directory as KEY.yaml, as kora render reads it
// with -patch-dir, and makes the directory where it is missing. Files that are
// there already are faults, and then nothing at all is written, unless force
// says to write over them. An error is what the file system refused.
func Write(dir string, list []Patch, force bool) (faults.List, error) {
	if found := taken(dir, list, force); len(found) > 0 {
		return found, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	made := make([]string, 0, len(list))
	defer func() {
		for _, name := range made {
			os.Remove(name) // those that were not renamed
		}
	}()
	for _, p := range list {
		name, err := temporary(dir, p.Text)
		if name != "" {
			made = append(made, name)
		}
		if err != nil {
			return nil, err
		}
	}
	for i, p := range list {
		if err := os.Rename(made[i], file(dir, p, ".yaml")); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func file(dir string, p Patch, ext string) string { return filepath.Join(dir, p.Key+ext) }

// taken looks for files of the same key, with either of the two endings that
// one key may have only once (R12).
func taken(dir string, list []Patch, force bool) faults.List {
	var found faults.List
	for _, p := range list {
		for _, ext := range []string{".yaml", ".yml"} {
			name := file(dir, p, ext)
			info, err := os.Lstat(name)
			if err != nil || force && ext == ".yaml" && !info.IsDir() {
				continue // what else is wrong there is told when it is written
			}
			f := faults.New(faults.DuplicateKey, "the file exists already, and nothing was written")
			f.File, f.Fix = name, "give another directory, or --force to write over it"
			if force {
				f.Fix = "remove it"
			}
			found = append(found, f)
		}
	}
	return found
}

// temporary writes a file whose name no loader of patches looks at.
func temporary(dir, text string) (string, error) {
	f, err := os.CreateTemp(dir, ".migrate-env-*")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err != nil {
		err = fmt.Errorf("write a patch into %s: %w", dir, err)
	}
	return f.Name(), err
}
