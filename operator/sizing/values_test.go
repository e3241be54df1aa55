package sizing

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func amount(cpu, memory, disk string) Amount {
	return Amount{resource.MustParse(cpu), resource.MustParse(memory), resource.MustParse(disk)}
}

// R10: the values to set hold together, whatever the default size is: it comes down
// where it is above the largest one as that is printed, stays to the letter where it
// is not, is nowhere zero, and is not above the whole numbers either.
func TestTheDefaultSizeIsWithinTheOthers(t *testing.T) {
	for _, c := range []struct {
		usual            Amount
		most, down, text string
	}{
		{amount("50m", "20Gi", "5Gi"), "3.1 / 7.6Gi / 19Gi", "50m / 7.6Gi / 5Gi", `defaultSize: { cpu: "50m", memory: 7.6Gi, disk: 5Gi }`},
		{amount("250m", "300Mi", "50Gi"), "3.1 / 7.6Gi / 19Gi", "250m / 300Mi / 19Gi", `defaultSize: { cpu: "250m", memory: 300Mi, disk: 19Gi }`},
		{amount("1", "1e9", "50G"), "3.1 / 7.6Gi / 19Gi", "1 / 1e9 / 19Gi", `memory: "1e9"`},
		{amount("2", "7.65Gi", "5Gi"), "3.1 / 7.6Gi / 19Gi", "2 / 7.6Gi / 5Gi", ""}, // within what fits, and above what is printed
		{amount("9", "7.1Gi", "2.3Gi"), "3.1 / 7.6Gi / 19Gi", "3.1 / 7.1Gi / 2.3Gi", ""},
		{amount("3.1", "7.6Gi", "19Gi"), "3.1 / 7.6Gi / 19Gi", "", ""},
		{amount("3050m", "4Gi", "5Gi"), "3.1 / 7.6Gi / 19Gi", "", ""},
		{amount("50m", "100Mi", "1Mi"), "3.1 / 7.6Gi / 19Gi", "", ""},
	} {
		w := wanted(t)
		w.Default = c.usual
		r := Judge(Request{Wanted: w, Nodes: []corev1.Node{node("a", nil, list("4", "8Gi", "20Gi"))}})
		p, down := r.Pools[0], ""
		set := c.usual
		if p.DefaultSize != nil {
			down, set = short(*p.DefaultSize), p.DefaultSize.amount()
		}
		if got := short(*p.MaxSize); got != c.most || down != c.down || !strings.Contains(string(r.Table()), c.text) {
			t.Errorf("%s: %s, default %q\n%s", short(Exact(c.usual)), got, down, r.Table())
		}
		if !p.MaxSize.amount().Covers(set) || !p.Offer.amount().Covers(set) || set.Empty() {
			t.Errorf("the default %s is above %+v or %+v", short(Exact(set)), *p.MaxSize, *p.Offer)
		}
	}
}
