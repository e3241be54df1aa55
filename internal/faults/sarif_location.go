package faults

import (
	"net/url"
	"path/filepath"
	"strings"
)

// locations returns where a fault lies, in the file and in the object; nil
// when neither is known, for SARIF wants no empty location.
func locations(f Fault) []sarifLocation {
	l := sarifLocation{Physical: physical(f)}
	for _, logical := range []sarifLogical{
		{f.Object, "resource"}, {f.Field, "property"}, {f.Key, "member"}, {f.Template, "module"}, {nowhere(f), "parameter"},
	} {
		if logical.Name != "" {
			logical.Name = visible(logical.Name)
			l.Logical = append(l.Logical, logical)
		}
	}
	if l.Physical == nil && l.Logical == nil {
		return nil
	}
	return []sarifLocation{l}
}

// nowhere is what a fault lies in when that is no file that a reader could open: a
// flag, standard input, a chart in a registry, the variables, or the cluster.
func nowhere(f Fault) string {
	for _, begin := range []string{"--", "(", "environment", "cluster"} {
		if f.File == begin || len(begin) < 3 && strings.HasPrefix(f.File, begin) {
			return f.File
		}
	}
	if strings.Contains(f.File, "://") {
		return f.File
	}
	return ""
}

func physical(f Fault) *sarifPhysical {
	if f.File == "" || nowhere(f) != "" {
		return nil
	}
	p := &sarifPhysical{Artifact: sarifArtifact{uri(f.File)}}
	if f.Line > 0 {
		p.Region = &sarifRegion{StartLine: f.Line, StartColumn: max(f.Column, 0)}
	}
	return p
}

// uri keeps a relative path relative, so that a result is found in whichever
// checkout it is looked at, and makes a file URI of an absolute one.
func uri(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
		u.Path = "/" + strings.TrimLeft(u.Path, "/")
	}
	return u.String()
}
