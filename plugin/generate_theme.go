package main

import (
	"path"
	"path/filepath"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/theme"
)

// unthemed tells of a theme that the environment names and that is at none of the
// places where the generated tree would have it read, or is no plain file there
// (R39, R40): kora is the last release, and would fail with everything else
// installed. Where no place is known nothing is told.
func unthemed(env environment.Placed, places []place) faults.List {
	if env.Environment == nil || env.Theme == "" || len(places) == 0 {
		return nil
	}
	for _, p := range places {
		if _, there, found := p.read(theme.MaxBytes); there || found.Refused() {
			return found
		}
	}
	f := env.At("theme").Fault(faults.FileMissing, "the theme is not there: there is no "+places[0].name())
	f.File, f.Field, f.Found, f.Expected = env.File, "theme", env.Theme, "a file beside kora.yaml"
	f.Fix = "put the theme there, or take theme out of the environment"
	return faults.List{f}
}

// helmfileThemes is where the generated Helmfile reads the theme, whatever -f
// compares.
func (f *generateFlags) helmfileThemes(env environment.Placed) []place {
	return beside(env, f.helmfileValues())
}

// argocdThemes are the places beside a person's values as they were found: of those
// that are in no checkout here, nothing is known.
func (f *generateFlags) argocdThemes(env environment.Placed) []place {
	var own []place
	for _, name := range f.values {
		if name != "-" {
			own = append(own, place{filepath.Dir(name), filepath.Base(name)})
		}
	}
	if f.values != nil {
		return beside(env, own)
	}
	for _, p := range f.argocdValues(env.Environment) {
		if _, there, _ := p.read(0); there {
			return beside(env, []place{p})
		}
	}
	return nil
}

// beside are the places of the theme beside values.
func beside(env environment.Placed, values []place) []place {
	if env.Environment == nil {
		return nil
	}
	var out []place
	for _, p := range values {
		out = append(out, place{p.folder, path.Join(path.Dir(p.file), env.Theme)})
	}
	return out
}
