package roots

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sigstore/sigstore-go/pkg/tuf"
	"github.com/theupdateframework/go-tuf/v2/metadata"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
)

const (
	defaultTimeout = 20 * time.Second
	targetName     = "trusted_root.json"
)

// errOffline is the answer to every connection under --offline.
var errOffline = errors.New("--offline allows no connection")

func (s Source) byTUF(ctx context.Context) ([]Root, faults.List) {
	o, found := s.options(ctx)
	if found.Refused() {
		return nil, found
	}
	data, err := s.fetch(o)
	if err != nil {
		return nil, s.unreached(ctx, o.RepositoryBaseURL, err)
	}
	return Parse(o.RepositoryBaseURL+"/"+targetName, data)
}

func (s Source) fetch(o *tuf.Options) (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			data, err = nil, errors.New("the reader of TUF metadata gave up on it")
		}
	}()
	fetched := map[string][]byte{}
	o.Fetcher = fetcher{ctx: o.Context, offline: s.Offline, timeout: cmpOr(s.Timeout, defaultTimeout), roots: fetched}
	if s.Offline {
		o.Root = newest(o.Root, chain(o))
	}
	client, err := tuf.New(o)
	if err != nil {
		return nil, err
	}
	if data, err = client.GetTarget(targetName); err == nil {
		_ = keep(chain(o), fetched) // without them the next run is online
	}
	return data, err
}

func (s Source) options(ctx context.Context) (*tuf.Options, faults.List) {
	o := &tuf.Options{Root: tuf.DefaultRoot(), RepositoryBaseURL: tuf.DefaultMirror, CachePath: s.Cache, ForceCache: s.Offline, Context: ctx}
	if s.Mirror != "" {
		u, err := url.Parse(s.Mirror)
		if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || (u.Scheme != "https" && u.Scheme != "http") {
			return nil, unusable("--tuf-mirror", errors.New("the mirror is not an http or https URL without credentials or query"))
		}
		o.RepositoryBaseURL = strings.TrimSuffix(s.Mirror, "/")
	}
	if s.TUFRoot != "" {
		data, err := regular.Read(s.TUFRoot, maxFile)
		if err != nil {
			return nil, missing(s.TUFRoot, err)
		}
		if !json.Valid(data) {
			return nil, unusable(s.TUFRoot, errors.New("it is no root.json of a TUF repository"))
		}
		o.Root = data
	}
	if o.CachePath == "" {
		o.CachePath, o.DisableLocalCache = cacheDir()
	}
	return o, nil
}

// cacheDir is kora's own: other tools' caches have other rules. Without a home
// nothing is kept.
func cacheDir() (path string, none bool) {
	home, err := os.UserCacheDir()
	if err != nil {
		return "", true
	}
	return filepath.Join(home, "kora", "tuf"), false
}

func cmpOr(d, other time.Duration) time.Duration {
	if d == 0 {
		return other
	}
	return d
}

func (s Source) unreached(ctx context.Context, from string, err error) faults.List {
	message := "the trust root cannot be had by TUF: " + oneLine(err.Error())
	fix := "give --trusted-root FILE, or allow the connection to the TUF repository"
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		message, fix = "the run was interrupted before the trust root was there", "run again"
	case ctx.Err() != nil:
		message = "the trust root cannot be had by TUF: it took too long"
	case s.Offline:
		message = "--offline allows no connection, and no trust root is at hand that is still valid: the cache holds none, or its root, timestamp, snapshot or targets has expired"
		fix = "give --trusted-root FILE"
	case expired(err):
		message = "the TUF metadata has expired, and the repository has no newer one that the known root leads to: " + oneLine(err.Error())
		fix = "compare the clock; use a mirror that is kept up to date, give a newer --tuf-root, or give --trusted-root FILE"
	}
	f := faults.New(faults.NoTrustRoot, message)
	f.File, f.Fix = from, fix
	return faults.List{f}
}

func expired(err error) bool {
	return errors.Is(err, &metadata.ErrExpiredMetadata{}) || strings.Contains(err.Error(), "expired")
}

func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

// fetcher downloads what a TUF repository serves, within bounds.
type fetcher struct {
	ctx     context.Context
	offline bool
	timeout time.Duration
	roots   map[string][]byte // those that were fetched, by name
}

// DownloadFile implements the fetcher of go-tuf.
func (f fetcher) DownloadFile(from string, limit int64, _ time.Duration) ([]byte, error) {
	if f.offline {
		return nil, errOffline
	}
	ctx, cancel := context.WithTimeout(f.ctx, f.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, &metadata.ErrDownloadHTTP{StatusCode: response.StatusCode, URL: from}
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &metadata.ErrDownloadLengthMismatch{Msg: fmt.Sprintf("%s is longer than %d bytes", from, limit)}
	}
	f.remember(from, data)
	return data, nil
}
