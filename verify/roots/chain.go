package roots

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/sigstore/sigstore-go/pkg/tuf"
	"github.com/theupdateframework/go-tuf/v2/metadata/trustedmetadata"

	"github.com/runkora/kora/internal/regular"
)

// Bounds of a chain of roots, as go-tuf's own for one run.
const (
	maxRotations = 256
	maxRootBytes = 512_000
)

// chain is where the cache keeps the roots that lead from the one to begin with
// to the one of today, one file a version; "" for no cache. go-tuf itself keeps
// the last one alone, which nothing leads to without a connection.
func chain(o *tuf.Options) string {
	if o.DisableLocalCache {
		return ""
	}
	return filepath.Join(o.CachePath, tuf.URLToPath(o.RepositoryBaseURL), "roots")
}

// newest walks the chain: each root has to be the next version, and signed by
// the one before it and by itself. That one on the way has expired is no
// hindrance, as TUF's specification has it; whether the last one has is looked
// at with the rest of the metadata. What does not hold ends the walk.
func newest(first []byte, dir string) []byte {
	trusted, err := trustedmetadata.New(first)
	if err != nil || dir == "" {
		return first
	}
	last := first
	for range maxRotations {
		data, err := regular.Read(filepath.Join(dir, rootName(trusted.Root.Signed.Version+1)), maxRootBytes)
		if err != nil {
			return last
		}
		if _, err := trusted.UpdateRoot(data); err != nil {
			return last
		}
		last = data
	}
	return last
}

func rootName(version int64) string { return strconv.FormatInt(version, 10) + ".root.json" }

var versionedRoot = regexp.MustCompile(`^[1-9][0-9]*\.root\.json$`)

// keep writes the roots that were fetched, once all that they lead to holds.
// Each takes its place whole, since other runs may read.
func keep(dir string, fetched map[string][]byte) error {
	if dir == "" || len(fetched) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep the roots: %w", err)
	}
	for name, data := range fetched {
		if err := place(filepath.Join(dir, name), data); err != nil {
			return fmt.Errorf("keep the roots: %w", err)
		}
	}
	return nil
}

func place(to string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(to), ".root.*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it is gone once it has its place
	_, err = f.Write(data)
	if bad := f.Close(); err == nil {
		err = bad
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), to)
}

// remember notes a root that was downloaded.
func (f fetcher) remember(from string, data []byte) {
	if name := path.Base(from); versionedRoot.MatchString(name) {
		f.roots[name] = data
	}
}
