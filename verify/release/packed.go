package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"

	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/verify"
)

// Bounds of a packed chart: Helm's own for what is unpacked.
const (
	maxPacked   = 20 << 20
	maxUnpacked = 100 << 20
	maxMetadata = 1 << 20
)

// packedChart reads which chart an archive is, from the Chart.yaml at its top.
// The bytes have to be those that were verified.
func packedChart(path, digest string) (Named, error) {
	packed, err := regular.Read(path, maxPacked)
	switch {
	case errors.As(err, new(regular.LongError)):
		return Named{}, errors.New("it is larger than a chart may be")
	case err != nil:
		return Named{}, err
	case verify.ByBytes(path, packed).Digest() != digest:
		return Named{}, errors.New("it was changed while kora was at work")
	}
	text, err := metadata(packed)
	if err != nil {
		return Named{}, err
	}
	docs, found := source.Parse(source.NewFile(path, string(text)), source.DefaultLimits)
	if found.Refused() || len(docs) != 1 {
		return Named{}, errors.New("its Chart.yaml cannot be read")
	}
	own := Named{}
	for key, to := range map[string]*string{"name": &own.Name, "version": &own.Version} {
		if n := docs[0].Get(key); n != nil && n.Kind == source.Scalar {
			*to = n.Value
		}
	}
	return own, nil
}

// metadata is the one Chart.yaml in the top folder of an archive. Two would be
// two charts for two readers.
func metadata(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, errors.New("it is no packed chart")
	}
	var text []byte
	limited := &io.LimitedReader{R: z, N: maxUnpacked}
	for r := tar.NewReader(limited); ; {
		h, err := r.Next()
		switch {
		case limited.N <= 0:
			return nil, errors.New("it unpacks to more than a chart may have")
		case errors.Is(err, io.EOF) && text == nil:
			return nil, errors.New("it is no packed chart: it has no Chart.yaml")
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return nil, errors.New("it is no packed chart: its archive is broken")
		}
		folder, name, ok := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		if !ok || folder == "" || name != "Chart.yaml" {
			continue
		}
		if text != nil || h.Typeflag != tar.TypeReg || h.Size > maxMetadata {
			return nil, errors.New("its Chart.yaml stands twice, is no file, or is too large")
		}
		if text, err = io.ReadAll(io.LimitReader(r, maxMetadata)); err != nil {
			return nil, errors.New("it is no packed chart: its archive is broken")
		}
	}
}
