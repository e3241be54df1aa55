package testcluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// programNames are what a cluster needs; kubectl is for people.
var programNames = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "kubectl"}

// versions are those that K8S may name. Nothing is the last of them.
var versions = []string{"1.34", "1.35", "1.36"}

// builtVariable holds the folder that `make test` has made sure of. Its name
// holds the hash of all that goes into the programs: `go test` sees by the
// variable that its results of other programs do not count.
const builtVariable = "KORA_TESTCLUSTER_BIN"

// Version is the one that K8S asks for, or empty.
func Version() (string, error) {
	wanted := os.Getenv("K8S")
	if wanted != "" && !slices.Contains(versions, wanted) {
		return "", fmt.Errorf("K8S=%s: there is 1.34, 1.35 and 1.36", wanted)
	}
	return wanted, nil
}

// Binaries gives the folder of the control plane's programs: the one `make
// test` names, else KUBEBUILDER_ASSETS when that holds all of them and K8S asks
// for no version, else the cache of tools/testcluster, into which they are
// built when they are not there yet. That takes many minutes, once.
func Binaries(ctx context.Context) (string, error) {
	if _, err := Version(); err != nil {
		return "", err
	}
	if built := os.Getenv(builtVariable); built != "" {
		if lacks := lacking(built); len(lacks) > 0 {
			return "", fmt.Errorf("%s=%s lacks %s: make cluster-build gives a whole one", builtVariable, built, strings.Join(lacks, ", "))
		}
		return built, nil
	}
	assets, err := absoluteAssets()
	if err != nil {
		return "", err
	}
	if assets != "" && os.Getenv("K8S") == "" && len(lacking(assets)) == 0 {
		return assets, nil
	}
	return Tool(ctx)
}

// absoluteAssets is KUBEBUILDER_ASSETS, which tools/testcluster would take
// from its own folder if it is relative.
func absoluteAssets() (string, error) {
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		return "", nil
	}
	return filepath.Abs(assets)
}

// lacking are the programs that folder does not hold, or not to be run.
func lacking(folder string) (names []string) {
	for _, name := range programNames {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
			names = append(names, name)
		}
	}
	return names
}

// CacheFolder is where all that is built lies. A relative one would be another
// for every package, as `go test` runs each in its own folder.
func CacheFolder() (string, error) {
	if cache := os.Getenv("KORA_CACHE"); cache != "" {
		if !filepath.IsAbs(cache) {
			return "", fmt.Errorf("KORA_CACHE=%s: the path has to be absolute", cache)
		}
		return cache, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: %w: set KORA_CACHE", err)
	}
	return filepath.Join(cache, "kora"), nil
}
