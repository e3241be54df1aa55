package upgrade

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Facts are what an environment says of the target, over the files' values, as in
// both generated trees (R38, R56).
type Facts struct {
	// File is the environment's name, for the commands.
	File string
	// Values are the facts as values of the chart.
	Values Layer
	// Theme is the path of the theme that it names, empty without one.
	Theme string
}

// layers are the facts as a layer, nil without an environment.
func (f *Facts) layers() Values {
	if f == nil {
		return nil
	}
	return Values{f.Values}
}

// flag is -e of a command that generates; name stands for it where there is none.
func (f *Facts) flag(name string) string {
	if f == nil {
		return name
	}
	return " -e " + quote(f.File)
}

// name is what Helmfile calls the environment: its file's name.
func (f *Facts) name() string {
	if f == nil {
		return "NAME"
	}
	base := f.File[strings.LastIndexByte(f.File, '/')+1:]
	return quote(strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml"))
}

// sets are the facts as flags of helm, which lie over its files: each leaf is one,
// so that what the files say beside it stays.
func (f *Facts) sets() string {
	if f == nil {
		return ""
	}
	var b strings.Builder
	for _, each := range leaves("", f.Values.Plain) {
		b.WriteString(" --set-json " + quote(each))
	}
	if f.Theme != "" {
		b.WriteString(" --set-file " + quote("theme.document="+strings.NewReplacer(`\`, `\\`, `,`, `\,`).Replace(f.Theme)))
	}
	return b.String()
}

func leaves(at string, of map[string]any) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(of)) {
		path := strings.TrimPrefix(at+"."+strings.ReplaceAll(key, ".", `\.`), ".")
		if below, isMap := of[key].(map[string]any); isMap {
			out = append(out, leaves(path, below)...)
			continue
		}
		if value, err := json.Marshal(of[key]); err == nil {
			out = append(out, path+"="+string(value))
		}
	}
	return out
}
