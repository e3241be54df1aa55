package faults

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// declared returns the codes that the files codes*.go declare, each as often
// as they do.
func declared(t *testing.T) []Code {
	t.Helper()
	files, err := filepath.Glob("codes*.go")
	if err != nil || len(files) < 2 {
		t.Fatalf("files %v: %v", files, err)
	}
	var codes []Code
	for _, name := range files {
		codes = append(codes, declaredIn(t, name)...)
	}
	slices.Sort(codes)
	return codes
}

func declaredIn(t *testing.T, name string) []Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []Code
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok {
			return true
		}
		value, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, Code(value))
		return true
	})
	return codes
}

func TestEveryCodeStandsInTheCatalogueOnce(t *testing.T) {
	var listed []Code
	for _, e := range Catalogue() {
		listed = append(listed, e.Code)
	}
	if diff := cmp.Diff(declared(t), listed); diff != "" {
		t.Errorf("codes*.go (-) and the catalogue (+) differ:\n%s", diff)
	}
	if len(listed) != len(slices.Compact(slices.Clone(listed))) {
		t.Error("a code stands in the catalogue twice")
	}
}

// R16, R17, R34: these alone warn, everything else refuses.
func TestOnlyDoubtsAreWarnings(t *testing.T) {
	warnings := []Code{MatchesNothing, ChangesNothing, Overwritten, EnvOverride, ThemeIdentity, AppHealth, RendersOtherly, OpenIdentity, SizeFitsNone, TableIgnored, NamedTwice}
	for _, e := range Catalogue() {
		want := Error
		if slices.Contains(warnings, e.Code) {
			want = Warning
		}
		if got := New(e.Code, "m"); got.Severity != want || e.Severity != want {
			t.Errorf("%s: New gives %q, the catalogue %q, want %q", e.Code, got.Severity, e.Severity, want)
		}
	}
}

func TestCatalogueTextsFollowTheHouse(t *testing.T) {
	requirement := regexp.MustCompile(`\(R\d+(, R\d+)*\)$`)
	for _, e := range Catalogue() {
		for _, text := range []string{e.Title, e.Why, e.Fix} {
			if text == "" || strings.HasSuffix(text, ".") || strings.Contains(text, ". ") || !startsLow(text) {
				t.Errorf("%s: %q is not one lower-case text without a full stop", e.Code, text)
			}
		}
		if !requirement.MatchString(e.Why) {
			t.Errorf("%s: why %q names no requirement", e.Code, e.Why)
		}
	}
}

// startsLow lets proper names stand at the front: KORA_MANIFEST__, YAML.
func startsLow(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsUpper(r) || first == strings.ToUpper(first) && len(first) > 1
}

func TestUnknownCodeIsAnError(t *testing.T) {
	if _, ok := Lookup("KORA-X999"); ok {
		t.Error("Lookup found a code that does not exist")
	}
	if got := New("KORA-X999", "m").Severity; got != Error {
		t.Errorf("severity %q, want error", got)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Protected, "m")
	}
}
