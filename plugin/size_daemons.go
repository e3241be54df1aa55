package main

import (
	"bytes"
	"context"
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// madeOf are the values that the chart's DaemonSets are made of, and those that a
// placement is judged by. The check of an agent type's values has judged them all.
var madeOf = [][]string{
	{"global"}, {"sandboxMount"}, {"agents", "workloads"}, {"agents", "workspace"}, {"agents", "manifestPatches"},
	{"agents", "configOverrides", "internal/agents"},
}

// daemonSets are those that a release of the values brings. Whoever asks for a size may
// not have all values of a release yet, and what is wrong elsewhere makes no other
// DaemonSet: it is the release of these values alone that is rendered, and the whole
// one where that cannot be.
func daemonSets(ctx context.Context, in func() values.Input) ([]appsv1.DaemonSet, faults.List) {
	tree, found := values.Load(in())
	if found.Refused() {
		return nil, found
	}
	text, err := json.Marshal(alone(tree.Plain()))
	if err != nil {
		return nil, list(faults.New(faults.WrongType, err.Error()))
	}
	made := release.Render(ctx, release.Request{Values: values.Input{Files: []string{"-"}, Stdin: bytes.NewReader(text)}})
	if made.Found.Refused() {
		made = release.Render(ctx, release.Request{Values: in()})
	}
	if made.Found.Refused() {
		return nil, made.Found
	}
	return setsOf(made), nil
}

// setsOf are the DaemonSets that an install makes.
func setsOf(made *release.Result) []appsv1.DaemonSet {
	var out []appsv1.DaemonSet
	for _, o := range made.Objects {
		set := appsv1.DaemonSet{}
		if o.Kind == "DaemonSet" && !o.Test && yaml.Unmarshal([]byte(o.Text), &set) == nil {
			out = append(out, set)
		}
	}
	return out
}

// alone are the values of madeOf, with what a release has to be given besides.
func alone(all map[string]any) map[string]any {
	out := map[string]any{"frontendHost": "kora.example.com"}
	for _, path := range madeOf {
		from, to := all, out
		for _, key := range path[:len(path)-1] {
			from, _ = from[key].(map[string]any)
			if _, there := to[key].(map[string]any); !there {
				to[key] = map[string]any{}
			}
			to = to[key].(map[string]any)
		}
		if v, there := from[path[len(path)-1]]; there {
			to[path[len(path)-1]] = v
		}
	}
	global := map[string]any{"trustDomain": "example.com"}
	given, _ := out["global"].(map[string]any)
	for key, v := range given {
		if v != nil || key != "trustDomain" { // null is one that is not there
			global[key] = v
		}
	}
	out["global"] = global
	return out
}
