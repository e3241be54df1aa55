package registry

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

// R45, R48: what is larger than kora reads is told, also in a layout, and neither
// passed over nor called wrong; it hides no good signature.
func TestWhatIsLeftUnreadInALayout(t *testing.T) {
	path := sample(t, "referrer")
	c, _ := client(t)
	target, a, err := resolve(t, c, "oci-layout:"+path+":1.4.0")
	fatal(t, err)
	l := target.store.(*layout)
	l.all = slices.Insert(l.all, 0, descriptor{MediaType: string(types.OCIManifestSchema1), Digest: digestOf([]byte("large")), Size: 5 << 20})
	var all []Piece
	target.Evidence(t.Context(), a, Signature, func(p Piece) bool { all = append(all, p); return string(p.Bytes) == "good" })
	if len(all) != 2 || string(all[0].Bytes) != "good" || KindOf(all[1].Err) != Limited {
		t.Errorf("%+v", all)
	}
}

// R45: an artifact whose manifest lists more than kora reads could not be checked.
func TestAnArtifactWithAListTooLong(t *testing.T) {
	f := serve(t)
	body, err := json.Marshal(object{"schemaVersion": 2, "mediaType": types.OCIImageIndex, "manifests": make([]object, maxListed+1)})
	fatal(t, err)
	f.put("kora", "1", types.OCIImageIndex, json.RawMessage(body))
	c, _ := client(t)
	if _, _, err := resolve(t, c, f.host+"/kora:1"); KindOf(err) != Limited || !strings.Contains(err.Error(), "10,000") {
		t.Error(err)
	}
}
