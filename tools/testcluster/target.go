package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A target is one module of this folder that is built into one binary.
type target struct {
	module   string   // the folder of its go.mod
	pkg      string   // the package of its main
	binary   string   // the file that is linked
	programs []string // the names it goes by: symlinks, where they differ from binary
	borrows  *target  // gives the program borrowed, which this one cannot link
	borrowed string
}

// defaultVersion is what every run is tested with.
const defaultVersion = "1.36"

// controlPlane has no kwok of its own but in the version kwok is written for.
func controlPlane(version string) target {
	t := target{module: "k8s-" + version, pkg: ".", binary: "controlplane", programs: []string{
		"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"}}
	if version == defaultVersion {
		t.programs = append(t.programs, "kwok")
		return t
	}
	lender := controlPlane(defaultVersion)
	t.borrows, t.borrowed = &lender, "kwok"
	return t
}

func helm(major string) target {
	return target{module: "helm-" + major, pkg: "helm.sh/helm/v" + major + "/cmd/helm", binary: "helm", programs: []string{"helm"}}
}

// pick reads the command line's target and the version in K8S.
func pick(name, version string) (target, error) {
	switch name {
	case "":
	case "helm-3", "helm-4":
		return helm(strings.TrimPrefix(name, "helm-")), nil
	default:
		return target{}, fmt.Errorf("there is no target %q", name)
	}
	switch version {
	case "":
		version = defaultVersion
	case "1.34", "1.35", "1.36":
	default:
		return target{}, fmt.Errorf("K8S=%s: there is 1.34, 1.35 and 1.36", version)
	}
	return controlPlane(version), nil
}

// all are the programs that a finished folder holds.
func (t target) all() []string {
	if t.borrows == nil {
		return t.programs
	}
	return append(append([]string{}, t.programs...), t.borrowed)
}

// missing are the programs that folder does not hold, or not to be run.
func (t target) missing(folder string) (names []string) {
	for _, name := range t.all() {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
			names = append(names, name)
		}
	}
	return names
}

// platform belongs to the key: a cache may be shared between machines.
func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }
