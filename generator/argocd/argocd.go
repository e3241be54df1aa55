// Package argocd writes the app-of-apps: one graph of releases as Argo CD's own
// type Application, one for each release, ordered by sync waves (R40, R41).
//
// It is the only package that brings in Argo CD's types.
package argocd

import (
	"fmt"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/faults"
)

// Generator is the name in the seals of the files.
const Generator = "argocd"

// Input is what the files are made from.
type Input struct {
	Graph       *releases.Graph
	Environment *environment.Environment
	// File is the environment file as the user named it, for faults.
	File string
}

// Generate returns every file of the folder: the parent, a folder of children,
// and the patch of Argo CD's own settings that makes waves wait (R40, R41).
func Generate(in Input) (output.Set, faults.List) {
	if found := in.lacks(); found.Refused() {
		return output.Set{}, found
	}
	b := builder{in.Environment, in.Environment.NewRenderer(), in.Graph}
	set := output.Set{Generator: Generator}
	add := func(path string, object any, comments notes) error {
		text, err := print(object, comments)
		text = "#\n" + text
		set.Files = append(set.Files, output.File{Path: path, Text: text})
		return err
	}
	if err := b.all(add); err != nil {
		f := faults.New(faults.ReleaseGraph, err.Error())
		f.File = in.File
		return output.Set{}, faults.List{f}
	}
	return set, nil
}

func (b builder) all(add func(string, any, notes) error) error {
	if err := add("app-of-apps.yaml", b.parent(), parentNotes(b.env)); err != nil {
		return err
	}
	if err := add("argocd-cm-patch.yaml", b.settings(), settingsNotes(b.env)); err != nil {
		return err
	}
	for _, r := range b.graph.Releases {
		app, err := b.child(r)
		if err == nil {
			err = add("apps/"+r.Name+".yaml", app, childNotes(r, b.env))
		}
		if err != nil {
			return fmt.Errorf("release %s: %w", r.Name, err)
		}
	}
	if b.env.ArgoCD.Tenants.URL == "" {
		return nil
	}
	return add("apps/"+tenants+".yaml", b.tenants(), tenantNotes())
}

// lacks is a fault for each fact that only the app-of-apps needs, and for
// options that it sets itself.
func (in Input) lacks() faults.List {
	var found faults.List
	refuse := func(field, message, expected string) {
		f := faults.New(faults.EnvironmentForm, message)
		f.File, f.Field, f.Expected = in.File, field, expected
		found = append(found, f)
	}
	a := in.Environment.ArgoCD
	if a.Apps.URL == "" {
		refuse("argocd.apps.url", "argocd.apps.url is missing", "the URL of the git repository that holds the generated folder argocd/apps")
	}
	if a.Values.URL == "" {
		refuse("argocd.values.url", "argocd.values.url is missing", "the URL of the git repository that holds kora.yaml")
	}
	for i, option := range a.SyncOptions {
		if own := ownOption(option); own != "" {
			refuse(fmt.Sprintf("argocd.syncOptions[%d]", i), "the generator sets this option itself, where it is right", "another option than "+own)
		}
	}
	for _, r := range in.Graph.Releases {
		if r.Digest != "" && !isOCI(in.Environment.Charts.Kora) {
			refuse("charts.kora", "the lock pins charts by digest, which only an oci:// repository can serve", "an oci:// URL")
			break
		}
	}
	return found
}
