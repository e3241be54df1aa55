package release

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/login"
	strictly "github.com/runkora/kora/verify/reference"
)

// chartLayer is the media type of a packed chart; a provenance file may lie
// beside it.
const chartLayer = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"

var (
	errNoChart  = errors.New("the registry has something else under this name: no layer is a packed chart")
	errTooLarge = errors.New("the registry's answer is too large")
)

// pull fetches a chart's archive. The digests of manifest and layer are checked by
// go-containerregistry; what is read, for how long, and to whom the credentials of
// docker login go are bounded here.
func pull(ctx context.Context, chart string, l Limits) ([]byte, faults.List) {
	ref, err := reference(chart)
	if err != nil {
		return nil, faults.List{badReference(chart, err)}
	}
	ctx, cancel := context.WithTimeout(ctx, l.Pull)
	defer cancel()
	wire := newWire(ref.Context().Registry, l)
	defer wire.inner.CloseIdleConnections()
	image, err := remote.Image(ref, remote.WithContext(ctx), remote.WithTransport(wire),
		remote.WithAuthFromKeychain(login.Keychain()), remote.WithUserAgent("kora"))
	if err != nil {
		return nil, unreachable(chart, err)
	}
	layer, err := packed(image)
	if err != nil {
		return nil, unreachable(chart, err)
	}
	data, err := content(layer, l)
	if err != nil {
		return nil, unreachable(chart, err)
	}
	return data, nil
}

// reference reads oci://REGISTRY/REPOSITORY:TAG or @DIGEST. Which chart a name
// without a tag means would change by the day.
func reference(chart string) (name.Reference, error) {
	text := strings.TrimPrefix(chart, ociScheme)
	registry, rest, found := strings.Cut(text, "/")
	if !found || !strings.ContainsAny(registry, ".:") && registry != "localhost" {
		return nil, errors.New("it names no registry")
	}
	// A tag has no plus sign, and Helm writes an underscore for it.
	ref, ok := strictly.Parse(registry + "/" + strings.ReplaceAll(rest, "+", "_"))
	if !ok {
		return nil, errors.New("it is no reference of a chart with a tag or a digest")
	}
	return ref, nil
}

func badReference(chart string, err error) faults.Fault {
	f := notAChart(chart, err.Error())
	f.File = strictly.Shown(chart)
	f.Expected, f.Fix = "oci://REGISTRY/REPOSITORY:TAG, or @sha256:… for the tag", "write the chart's whole name, such as oci://ghcr.io/runkora/charts/kora:1.4.0"
	return f
}

// packed is the one layer of an image that is a chart.
func packed(image v1.Image) (v1.Layer, error) {
	manifest, err := image.Manifest()
	if err != nil {
		return nil, err
	}
	for _, d := range manifest.Layers {
		if d.MediaType == chartLayer {
			return image.LayerByDigest(d.Digest)
		}
	}
	return nil, errNoChart
}

func content(layer v1.Layer, l Limits) ([]byte, error) {
	if size, err := layer.Size(); err != nil || size > l.Archive {
		return nil, cmp.Or(err, errTooLarge)
	}
	in, err := layer.Compressed()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, l.Archive+1))
	if err == nil && int64(len(data)) > l.Archive {
		err = errTooLarge
	}
	return data, err
}

// unreachable says why there is no chart. Only what was answered and is wrong is
// refused; everything else could not be checked. A registry's own words are not
// repeated, but for the status.
func unreachable(chart string, err error) faults.List {
	var answered *transport.Error
	switch {
	case errors.Is(err, errTooLarge):
		return tooMuch(chart, err)
	case errors.Is(err, errNoChart):
		return faults.List{notAChart(chart, err.Error())}
	case errors.As(err, &answered):
		err = fmt.Errorf("the registry answers %d %s", answered.StatusCode, http.StatusText(answered.StatusCode))
	}
	f := faults.New(faults.ChartSource, "cannot fetch the chart: "+why(err))
	f.File = chart
	if answered != nil && (answered.StatusCode == http.StatusUnauthorized || answered.StatusCode == http.StatusForbidden) {
		f.Fix = "log in to the registry with docker login or helm registry login, and check that you may read the chart"
	}
	return faults.List{f}
}

// why is the cause in kora's words, without the address, whose query may be a
// signed one. go-containerregistry has its own rules about where a registry may
// send us, and texts for them alone.
func why(err error) string {
	for at := (*url.Error)(nil); errors.As(err, &at); {
		err, at = at.Err, nil
	}
	text := oneLine(err.Error())
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long"
	case errors.Is(err, context.Canceled):
		return "the run was stopped"
	case strings.Contains(text, "SSRF protection"), strings.HasPrefix(text, "foreign layer URL"):
		return "the registry sends us to an address that kora does not follow: one that is not public, or not https"
	case strings.Contains(text, "realm"), strings.Contains(text, "token-server redirect"):
		return "the registry names a token service that kora does not ask: over plain HTTP, or on an address that is not public"
	case strings.Contains(text, "checksum"):
		return "its bytes have another digest than the registry says"
	case strings.Contains(text, "bearer response"): // which holds the whole answer
		return "the token service answered with something that is no token"
	}
	return text
}
