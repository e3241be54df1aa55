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
	}
	got, err := c.Client().Discovery().ServerVersion()
	if os.Getenv("K8S") == "" && os.Getenv("KUBEBUILDER_ASSETS") != "" {
		want = "1" // the programs there may be of any version
	}
	if err != nil || !strings.HasPrefix(got.GitVersion, "v"+want+".") {
		t.Errorf("the server is %v, want %s: %v", got, want, err)
	}
}
