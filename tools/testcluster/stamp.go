package main

import (
	"regexp"
	"strings"
)

// What a go.mod says about the versions that a binary is to name as its own.
var (
	kubernetesVersion = regexp.MustCompile(`k8s\.io/kubernetes (v1\.(\d+)\.\d+)`)
	helmVersion       = regexp.MustCompile(`helm\.sh/helm/(v\d+) (v\d+\.\d+\.\d+)`)
	clientVersion     = regexp.MustCompile(`k8s\.io/client-go v0\.(\d+)\.`)
)

// linkFlags stamps the version into the binary. A server built from modules
// calls itself v0.0.0 otherwise, and Helm 3 renders as for Kubernetes 1.20:
// charts' kubeVersion ranges refuse both.
func linkFlags(gomod []byte) string {
	flags := []string{"-s", "-w"}
	if found := kubernetesVersion.FindSubmatch(gomod); found != nil {
		flags = append(flags, kubernetesStamps(string(found[1]), string(found[2]))...)
	}
	if found := helmVersion.FindSubmatch(gomod); found != nil {
		pkg := "helm.sh/helm/" + string(found[1])
		flags = append(flags, "-X "+pkg+"/internal/version.version="+string(found[2]))
		if client := clientVersion.FindSubmatch(gomod); client != nil {
			flags = append(flags, "-X "+pkg+"/pkg/chartutil.k8sVersionMinor="+string(client[1]),
				"-X "+pkg+"/pkg/lint/rules.k8sVersionMinor="+string(client[1]))
		}
	}
	return strings.Join(flags, " ")
}

func kubernetesStamps(version, minor string) (flags []string) {
	stamps := []string{"gitVersion=" + version, "gitMajor=1", "gitMinor=" + minor,
		"gitCommit=module", "gitTreeState=archive", "buildDate=1970-01-01T00:00:00Z"}
	for _, pkg := range []string{"k8s.io/client-go/pkg/version", "k8s.io/component-base/version"} {
		for _, stamp := range stamps {
			flags = append(flags, "-X "+pkg+"."+stamp)
		}
	}
	return flags
}
