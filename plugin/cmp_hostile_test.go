package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"

	"github.com/runkora/kora/plugin/cmp"
)

// hostileCase is one application that has to be refused.
type hostileCase struct {
	a       application
	prepare func(folder string)
	status  int    // 0 is 1
	words   string // one of what is said
}

// mostMemory is what one call may take of the sidecar's, in bytes: its heap, and
// what the program is besides. The program is one without the race detector, whose
// memory would be counted too.
const mostMemory = cmp.MostHeap + 160<<20

// plainProgram is kora, built as it is released.
func plainProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "kora")
	command(t, nil, "go", "build", "-o", program, ".")
	return program
}

func refuseAll(t *testing.T, all map[string]hostileCase) {
	t.Helper()
	program := plainProgram(t)
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := cmpServer{program: program, prepare: c.prepare, sidecar: []string{"KORA_CMP_TIMEOUT=40s"}}.generate(t, c.a)
			if got.status != max(c.status, 1) || !strings.Contains(got.words, c.words) || strings.Contains(got.words, "KORA-M009") {
				t.Errorf("status %d, wanted %q:\n%s", got.status, c.words, got.words)
			}
			if strings.ContainsAny(got.words, "\x1b\x07\r\u202e") || len(got.words) > 200_000 {
				t.Errorf("%d bytes, or with characters that a terminal obeys:\n%q", len(got.words), got.words[:min(len(got.words), 2000)])
			}
			if got.memory > mostMemory {
				t.Errorf("it took %d MiB of memory", got.memory>>20)
			}
			if strings.Contains(got.words, "outsider") {
				t.Errorf("what lies outside is told:\n%s", got.words)
			}
		})
	}
}

// R43: no link leads out of the application's folder: neither of a file, nor of a
// folder on the way to it, nor in a chart.
func TestPluginFollowsNoLinkOut(t *testing.T) {
	outside := t.TempDir()
	checkOut(t, outside, map[string]string{"x.yaml": "outsider: 1\n", "patches/50-x.yaml": "outsider: 1\n", "chart/Chart.yaml": "name: outsider\n"})
	at := func(name string) string { return "-> " + filepath.Join(outside, name) }
	const leaves = "KORA-M005"
	up := "-> ../../../../../../../../../.." + filepath.Join(outside, "x.yaml")
	refuseAll(t, map[string]hostileCase{
		"values":         {a: application{files: map[string]string{"kora.yaml": at("x.yaml")}}, words: leaves},
		"upwards":        {a: application{files: map[string]string{"kora.yaml": up}}, words: leaves},
		"through a link": {a: application{files: map[string]string{"kora.yaml": "-> a.yaml", "a.yaml": at("x.yaml")}}, words: leaves},
		"loop":           {a: application{files: map[string]string{"kora.yaml": "-> kora.yaml"}}, words: leaves},
		"theme":          {a: with(t, map[string]string{"theme.yaml": at("x.yaml")}), words: leaves},
		"theme nowhere":  {a: with(t, map[string]string{"theme.yaml": "-> nothing.yaml"}), words: "KORA-M004"},
		"patches":        {a: with(t, map[string]string{"patches": at("patches")}), words: leaves},
		"patch":          {a: with(t, map[string]string{"patches/50-x.yaml": at("patches/50-x.yaml")}), words: "KORA-Y004"},
		"patch upwards":  {a: with(t, map[string]string{"patches/50-x.yaml": "-> ../kora.yaml"}), words: "KORA-Y004"},
		"values file":    {a: with(t, map[string]string{"v.yaml": at("x.yaml")}, parameters("values-files", "v.yaml")), words: leaves},
		"folder":         {a: with(t, map[string]string{"d": at("")}, parameters("values-files", "d/x.yaml")), words: leaves},
		"chart":          {a: with(t, map[string]string{"chart": at("chart")}, parameter("chart", "./chart")), words: leaves},
		"in a chart": {a: with(t, map[string]string{"chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 0.1.0\n", "chart/templates/a.yaml": at("x.yaml")},
			parameter("chart", "./chart")), words: "KORA-R002"},
		"named upwards":    {a: with(t, nil, parameters("values-files", "../x.yaml")), words: leaves},
		"named from root":  {a: with(t, nil, parameters("values-files", filepath.Join(outside, "x.yaml"))), words: leaves},
		"named by turns":   {a: with(t, nil, parameters("values-files", "a/../../x.yaml")), words: leaves},
		"named by control": {a: with(t, nil, parameters("values-files", "a\x1b[2J.yaml")), words: leaves},
		"chart upwards":    {a: with(t, nil, parameter("chart", "./../chart")), words: leaves},
		"chart from root":  {a: with(t, nil, parameter("chart", filepath.Join(outside, "chart"))), words: "this names no chart"},
		"standard input":   {a: with(t, nil, parameters("values-files", "-")), words: "another ending"},
	})
}

// R43: a pipe, a socket or a folder where a file belongs makes nothing wait.
func TestPluginOpensNothingButPlainFiles(t *testing.T) {
	pipe := func(name string) func(string) {
		return func(folder string) {
			if err := syscall.Mkfifo(filepath.Join(folder, name), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	small := map[string]string{"chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 0.1.0\n", "chart/templates/b.yaml": "a: 1\n", "patches/.gitkeep": ""}
	refuseAll(t, map[string]hostileCase{
		"values":      {a: application{}, prepare: pipe("kora.yaml"), words: "a named pipe"},
		"theme":       {a: with(t, nil), prepare: pipe("theme.yaml"), words: "a named pipe"},
		"patches":     {a: with(t, nil), prepare: pipe("patches"), words: "a named pipe"},
		"patch":       {a: with(t, small), prepare: pipe("patches/50-x.yaml"), words: "not a regular file"},
		"values file": {a: with(t, nil, parameters("values-files", "v.yaml")), prepare: pipe("v.yaml"), words: "a named pipe"},
		"chart":       {a: with(t, nil, parameter("chart", "./pipe.tgz")), prepare: pipe("pipe.tgz"), words: "neither a folder nor a file"},
		"template":    {a: with(t, small, parameter("chart", "./chart")), prepare: pipe("chart/templates/a.yaml"), words: "not a plain file"},
		"folder":      {a: application{files: map[string]string{"kora.yaml/x": "a: 1\n"}}, words: "a folder"},
		"socket": {a: application{}, words: "a socket", prepare: func(folder string) {
			// The path of a socket is short, so the link to its folder is made here.
			fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			if err == nil {
				defer syscall.Close(fd)
				short := filepath.Join(os.TempDir(), fmt.Sprintf("k%d", os.Getpid()))
				if err = os.Symlink(folder, short); err == nil {
					defer os.Remove(short)
					err = syscall.Bind(fd, &syscall.SockaddrUnix{Name: filepath.Join(short, "kora.yaml")})
				}
			}
			if err != nil {
				t.Error(err)
			}
		}},
	})
}

// R43: files of a gigabyte, thousands of files, and texts that grow when they are
// read, cost no more than a refusal.
func TestPluginIsBounded(t *testing.T) {
	sparse := func(name string) func(string) {
		return func(folder string) {
			checkOut(t, folder, map[string]string{name: ""})
			if err := os.Truncate(filepath.Join(folder, name), 1<<30); err != nil {
				t.Error(err)
			}
		}
	}
	small := map[string]string{"kora.yaml": "a: 1\n", "chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 0.1.0\n"}
	many := map[string]string{}
	for i := range 3000 {
		many[fmt.Sprintf("patches/%04d.yaml", i)] = "target: { kind: StatefulSet }\npatch: \"[]\"\n"
	}
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", 'b'+i, 'b'+i, strings.Repeat(fmt.Sprintf("*%c, ", 'a'+i), 10))
	}
	template := func(text string) application {
		a := with(t, small, parameter("chart", "./chart"))
		a.files["chart/templates/a.yaml"] = text
		return a
	}
	refuseAll(t, map[string]hostileCase{
		"values":          {a: application{}, prepare: sparse("kora.yaml"), words: "KORA-Y003"},
		"theme":           {a: with(t, nil), prepare: sparse("theme.yaml"), words: "KORA-"},
		"patch":           {a: with(t, nil), prepare: sparse("patches/50-x.yaml"), words: "KORA-Y003"},
		"values file":     {a: with(t, nil, parameters("values-files", "v.yaml")), prepare: sparse("v.yaml"), words: "KORA-Y003"},
		"archive":         {a: with(t, nil, parameter("chart", "./c.tgz")), prepare: sparse("c.tgz"), words: "KORA-R003"},
		"template's file": {a: template("a: 1\n"), prepare: sparse("chart/templates/b.yaml"), words: "KORA-R003"},
		"patches":         {a: with(t, many), words: "KORA-P006"},
		"aliases":         {a: application{files: map[string]string{"kora.yaml": bomb}}, words: "KORA-Y003"},
		"nesting":         {a: application{files: map[string]string{"kora.yaml": "a: " + strings.Repeat("[", 100_000) + "\n"}}, words: "KORA-Y001"},
		"parameter":       {a: with(t, nil, parameter("values", bomb)), words: "KORA-Y003"},
		"endless include": {a: template(`{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}`), words: "KORA-R007"},
		"endless define":  {a: template(`{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}`), words: "KORA-R0"},
		"endless tpl":     {a: template(`{{ $x := "{{ tpl . . }}" }}{{ tpl $x $x }}`), words: "KORA-M012"},
		"memory":          {a: template(`{{ range until 4000 }}{{ repeat 1000000 "x" }}{{ end }}`), words: "KORA-M012"},
	})
}

// R43: parameters and variables that Argo CD would not write, and names that would
// drive a terminal or a command line.
func TestPluginTakesNoHostileWord(t *testing.T) {
	raw := func(text string) application {
		return application{files: goodFiles(t), more: []string{"ARGOCD_APP_PARAMETERS=" + text}}
	}
	const not = "the parameters are not what Argo CD writes"
	env := func(all ...argo.EnvEntry) application {
		a := application{files: goodFiles(t)}
		for _, e := range all {
			a.plugin.Env = append(a.plugin.Env, &e)
		}
		return a
	}
	refuseAll(t, map[string]hostileCase{
		"no JSON":         {a: raw("values-files"), words: not},
		"a map":           {a: raw(`{"name":"values"}`), words: not},
		"trailing":        {a: raw(`[] []`), words: not},
		"unknown field":   {a: raw(`[{"name":"values","string":"a: 1","file":"/etc/passwd"}]`), words: not},
		"twice in one":    {a: raw(`[{"name":"values","string":"a: 1","string":"b: 1"}]`), words: not},
		"other case":      {a: raw(`[{"name":"values","String":"a: 1"}]`), words: not},
		"number":          {a: raw(`[{"name":"verify","string":1}]`), words: not},
		"deep":            {a: raw(strings.Repeat("[", 60_000)), words: not},
		"two forms":       {a: raw(`[{"name":"values","string":"a: 1","array":[]}]`), words: "not in its form"},
		"no form":         {a: raw(`[{"name":"values"}]`), words: "not in its form"},
		"a map of values": {a: raw(`[{"name":"values","map":{"a":"1"}}]`), words: "not in its form"},
		"no name":         {a: raw(`[{}]`), words: "no such parameter"},
		"null":            {a: raw(`[null]`), words: "no such parameter"},
		"given twice":     {a: raw(`[{"name":"verify","string":"true"},{"name":"verify","string":"false"}]`), words: "the parameter is given twice"},
		"many":            {a: raw("[" + strings.TrimSuffix(strings.Repeat(`{},`, 5000), ",") + "]"), words: "too many parameters"},
		"long name":       {a: raw(`[{"name":"` + strings.Repeat("x", 100_000) + `","string":""}]`), words: "no such parameter"},
		"driving name":    {a: raw(`[{"name":"\u001b[2J\u202e\u0007","string":""}]`), words: "no such parameter"},
		"many files":      {a: with(t, nil, parameters("values-files", strings.Split(strings.Repeat("a.yaml,", 1000), ",")...)), words: "too many values files"},
		"release":         {a: with(t, nil, parameter("release-name", "kora\" }}\nkind: Secret")), words: "no name of a release"},
		"documents":       {a: with(t, nil, parameter("values", "a: 1\n---\nb: 1\n")), words: "not one map"},
		"list of values":  {a: with(t, nil, parameter("values", "[1]")), words: "not one map"},
		"namespace":       {a: application{files: goodFiles(t), more: []string{"ARGOCD_APP_NAMESPACE=a\nb"}}, words: "no name of a namespace"},
		"APIs":            {a: application{files: goodFiles(t), more: []string{"KUBE_API_VERSIONS=v1,{{ fail }}"}}, words: "not the APIs of a cluster"},
		"driving app":     {a: application{files: nil, more: []string{"ARGOCD_APP_NAME=\x1b[2J\u202e" + strings.Repeat("x", 10_000)}}, words: "KORA-M004"},
		"setting by env":  {a: env(argo.EnvEntry{Name: "KORA_CMP_REGISTRIES", Value: "127.0.0.1"}), words: "kora reads no such variable"},
		"setting by line": {a: env(argo.EnvEntry{Name: "X\nKORA_CMP_REGISTRIES", Value: "127.0.0.1:1"}, argo.EnvEntry{Name: "KORA_CHART", Value: "oci://127.0.0.1:1/x:1"}), words: "KORA-M006"},
		"patch's name": {a: with(t, map[string]string{"patches/50-\x1b[31m\n\u202e.yaml": "target: {}\n"}),
			words: `50-\x1b[31m\n\u202e.yaml`},
	})
}
