package main

import (
	"net"
	"testing"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
)

// R43: variables of an application that are not kora's change nothing, however
// they are named.
func TestPluginPassesOverOtherVariables(t *testing.T) {
	want := cmpServer{}.generate(t, application{files: goodFiles(t)})
	a := application{files: goodFiles(t), plugin: argo.ApplicationSourcePlugin{Env: argo.Env{
		{Name: "PATH", Value: "/nowhere"}, {Name: "HELM_NAMESPACE", Value: "other"}, {Name: "LD_PRELOAD", Value: "/x.so"}, {Name: "GODEBUG", Value: "x=1"},
	}}, more: []string{"PARAM_CHART=oci://127.0.0.1:1/x:1", "PARAM_VALUES_FILES_0=/etc/passwd"}}
	if got := (cmpServer{}).generate(t, a); got.status != 0 || got.out != want.out {
		t.Errorf("%s", got.shown)
	}
}

// R43: nothing is asked of a network: not for a chart that the settings do not
// allow, nor for what a chart or a values file names.
func TestPluginAsksNoNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{}, 100)
	t.Cleanup(func() {
		listener.Close()
		if len(asked) > 0 {
			t.Errorf("%d connections", len(asked))
		}
	})
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			asked <- struct{}{}
			c.Close()
		}
	}()
	host := listener.Addr().String()
	chart := map[string]string{
		"chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 0.1.0\ndependencies:\n  - { name: y, version: 1.0.0, repository: 'http://" + host + "' }\n", "chart/templates/a.yaml": "a: 1\n",
	}
	refuseAll(t, map[string]hostileCase{
		"registry":    {a: with(t, nil, parameter("chart", "oci://"+host+"/charts/kora:1.4.0")), words: "KORA-M006"},
		"verified":    {a: with(t, nil, parameter("chart", "oci://"+host+"/charts/kora:1.4.0"), parameter("verify", "true")), words: "KORA-M006"},
		"repository":  {a: with(t, nil, parameter("chart", "http://"+host+"/kora.tgz")), words: "this names no chart"},
		"dependency":  {a: with(t, chart, parameter("chart", "./chart")), words: "is not under charts/"},
		"values file": {a: with(t, nil, parameters("values-files", "http://"+host+"/x.yaml")), words: "KORA-M004"},
		"patch": {a: with(t, map[string]string{"patches/50-x.yaml": "target: { kind: StatefulSet }\npath: http://" + host + "/patch.yaml\n"}),
			words: "KORA-P004"},
		"base": {a: with(t, map[string]string{"patches/kustomization.yaml": "resources: ['http://" + host + "/base']\n"}), words: "KORA-P"},
	})
}
