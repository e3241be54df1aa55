package lint

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/itchyny/gojq"
)

// reach is what a jq path does to a webhook configuration, when Argo CD deletes
// what the path names from both sides of a comparison.
type reach struct {
	err       error // the path cannot be read or run
	unjudged  bool  // running it is left to Argo CD
	some, all bool  // how many of the webhooks it changes
	fields    map[string]bool
	whole     bool // nothing is left of any webhook
}

var (
	numbers  = regexp.MustCompile(`[0-9]{1,3}`)
	decimals = regexp.MustCompile(`[0-9]+\.[0-9]*|\.[0-9]+`)
	literals = regexp.MustCompile(`"([^"\\]*)"`)
)

// maxPath is far beyond any path that a person writes.
const maxPath = 2000

// steps are what a path goes by into an object: a dot, or a word for one.
var steps = regexp.MustCompile(`\.|\b(getpath|recurse\w*|first|last|limit|walk|env|empty|error|select|map\w*)\b`)

// stepless reports a path that cannot name any field, without running it: one
// that would run without end is told too.
func stepless(path string) bool {
	if !strings.ContainsAny(path, `\#`) { // else a quote may be none
		path = literals.ReplaceAllString(path, `""`)
	}
	return !steps.MatchString(decimals.ReplaceAllString(path, "0"))
}

// reaches runs the path as Argo CD does, del(PATH), over webhooks of which there
// are more than any number in it. A text in the path may be the name of one
// webhook: each is given to one in its turn.
func reaches(path string) reach {
	if len(path) > maxPath {
		return reach{unjudged: true}
	}
	code, err := compiled(path)
	switch {
	case err != nil:
		return reach{err: err}
	case stepless(path):
		return reach{err: errors.New("it names no field")}
	case effort(path) == 0:
		return reach{unjudged: true}
	}
	count := entriesFor(path)
	out := run(code, count, "")
	for _, m := range literals.FindAllStringSubmatch(path, mostTexts) {
		if named := run(code, count, m[1]); named.some && !named.all {
			return named
		}
	}
	return out
}

func compiled(path string) (*gojq.Code, error) {
	query, err := gojq.Parse("del(" + path + ")")
	if err != nil {
		return nil, err
	}
	return gojq.Compile(query)
}

// run tells what the path changes. Argo CD, too, ends a path that takes longer
// than a second.
func run(code *gojq.Code, count int, name string) reach {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	result, _ := code.RunWithContext(ctx, webhooks(count, name)).Next()
	if err, failed := result.(error); failed {
		return reach{err: err}
	}
	return compare(result, webhooks(count, name))
}

// compare counts the entries that are not what they were.
func compare(result, before any) reach {
	left := map[string]any{}
	for _, e := range entries(result) {
		if entry, ok := e.(map[string]any); ok {
			left[identity(entry)] = entry
		}
	}
	was := entries(before)
	changed, lost, gone := 0, 0, map[string]int{}
	for _, e := range was {
		entry := e.(map[string]any)
		now, _ := left[identity(entry)].(map[string]any)
		if len(now) == 0 {
			lost++
		}
		if !alike(now, entry) {
			changed++
		}
		if config, _ := now["clientConfig"].(map[string]any); config["caBundle"] == nil {
			gone["caBundle"]++
		}
		if now["failurePolicy"] == nil {
			gone["failurePolicy"]++
		}
	}
	out := reach{some: changed > 0, all: changed == len(was), fields: map[string]bool{}, whole: lost == len(was)}
	for field, n := range gone {
		out.fields[field] = n == len(was)
	}
	return out
}

func identity(entry map[string]any) string {
	id, _ := entry["id"].(string)
	return id
}

func alike(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

func entries(object any) []any {
	m, _ := object.(map[string]any)
	list, _ := m["webhooks"].([]any)
	return list
}

// webhooks is a configuration whose first entry bears the text that a path asks
// for.
func webhooks(count int, text string) any {
	list := make([]any, count)
	for i := range list {
		name, policy := "webhook-"+strings.Repeat("x", i%7)+strconv.Itoa(i), "Fail"
		if i == 0 && text != "" {
			name, policy = text, text
		}
		list[i] = map[string]any{
			"id": strconv.Itoa(i), "name": name, "failurePolicy": policy, "matchPolicy": "Equivalent", "sideEffects": "None",
			"clientConfig":      map[string]any{"caBundle": "YQ==", "url": "", "service": map[string]any{"name": "s", "namespace": "n", "path": "/", "port": 443}},
			"namespaceSelector": map[string]any{}, "objectSelector": map[string]any{}, "timeoutSeconds": 10, "reinvocationPolicy": "Never",
			"rules":                   []any{map[string]any{"apiGroups": []any{"a"}, "operations": []any{"CREATE"}, "scope": "*"}},
			"admissionReviewVersions": []any{"v1"}, "matchConditions": []any{},
		}
	}
	return map[string]any{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration", "metadata": map[string]any{"name": "x"}, "webhooks": list}
}
