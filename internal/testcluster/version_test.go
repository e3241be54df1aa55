package testcluster

import (
	"os"
	"strings"
	"testing"
)

func TestServerIsTheVersionThatWasChosen(t *testing.T) {
	c := Shared(t)
	want := os.Getenv("K8S")
	if want == "" {
		want = "1.36"
		if os.Getenv("KUBEBUILDER_ASSETS") != "" {
			t.Skip("the programs in KUBEBUILDER_ASSETS may be of any version")
		}
	}
	got, err := c.Client().Discovery().ServerVersion()
	if err != nil || !strings.HasPrefix(got.GitVersion, "v"+want+".") {
		t.Errorf("the server is %v, want %s: %v", got, want, err)
	}
}
