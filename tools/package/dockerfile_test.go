package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// stage is one FROM of a Dockerfile, with its lines as instruction and rest.
type stage struct {
	name, base string
	lines      [][2]string
}

// all are the arguments of an instruction, line by line.
func (s stage) all(instruction string) []string {
	var out []string
	for _, line := range s.lines {
		if line[0] == instruction {
			out = append(out, line[1])
		}
	}
	return out
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// stages reads the Dockerfile as far as this one goes.
func stages(t *testing.T) []stage {
	t.Helper()
	var out []stage
	bases := map[string]string{}
	for line := range strings.Lines(strings.ReplaceAll(read(t, "Dockerfile"), "\\\n", " ")) {
		instruction, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if instruction == "" || instruction == "#" {
			continue
		}
		if name, base, ok := strings.Cut(rest, "="); ok && instruction == "ARG" && len(out) == 0 {
			bases["$"+name] = base
			continue
		}
		if instruction != "FROM" {
			last := &out[len(out)-1]
			last.lines = append(last.lines, [2]string{instruction, strings.Join(strings.Fields(rest), " ")})
			continue
		}
		words := slices.DeleteFunc(strings.Fields(rest), func(w string) bool { return strings.HasPrefix(w, "--") })
		if len(words) != 3 || words[1] != "AS" {
			t.Fatalf("a stage without a name: %s", line)
		}
		if bases[words[0]] == "" {
			t.Fatalf("no argument says the base, by which a build could pin it: %s", line)
		}
		out = append(out, stage{name: words[2], base: bases[words[0]]})
	}
	if len(out) != 3 || out[0].name != "build" {
		t.Fatalf("stages: %+v", out)
	}
	return out
}

// Fixed names: the Dockerfile builds what a release packs, in the same way, so that both
// give the same static binary.
func TestDockerfileBuildsWhatAReleasePacks(t *testing.T) {
	build := stages(t)[0]
	if env := strings.Join(build.all("ENV"), " "); !strings.Contains(env, "CGO_ENABLED=0") || !strings.Contains(env, "GOFLAGS=-buildvcs=false") {
		t.Errorf("ENV %s", env)
	}
	run := strings.Join(build.all("RUN"), " && ")
	for name, from := range programs(platform{"linux", "amd64"}) {
		if want := "GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags='-s -w' -o /out/" + name + " " + from; !slices.Contains(strings.Split(run, " && "), want) {
			t.Errorf("no %q in %q", want, run)
		}
	}
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))
	if language == nil || build.base != "golang:"+language[1] {
		t.Errorf("FROM %s, and go.mod says %v", build.base, language)
	}
}

// Fixed names: the modules are downloaded before the sources are there, so what go.mod has in a
// folder of the repository has to be there already.
func TestDockerfileCopiesWhatIsThere(t *testing.T) {
	var copied []string
	for _, line := range stages(t)[0].all("COPY") {
		words := strings.Fields(line)
		for _, source := range words[:len(words)-1] {
			if _, err := os.Stat(filepath.Join(root, source)); err != nil {
				t.Error(err)
			}
			copied = append(copied, source)
		}
	}
	for _, folder := range regexp.MustCompile(`=> \./(\S+)`).FindAllStringSubmatch(read(t, "go.mod"), -1) {
		if !slices.Contains(copied, folder[1]) {
			t.Errorf("go.mod replaces a module by %s, which is not copied before the download: %v", folder[1], copied)
		}
	}
	for ignored := range strings.FieldsSeq(read(t, ".dockerignore")) {
		if slices.Contains(copied, ignored) {
			t.Errorf("%s is copied and ignored", ignored)
		}
	}
}

// R6: each image starts its own binary, as a user whom a restricted namespace admits:
// not root, and told by number.
func TestImagesRunAsNobody(t *testing.T) {
	for _, s := range stages(t)[1:] {
		at := "/usr/local/bin/" + s.name
		if got := s.all("COPY"); !slices.Equal(got, []string{"--from=build /out/" + s.name + " " + at}) {
			t.Errorf("%s: COPY %q", s.name, got)
		}
		if got := s.all("ENTRYPOINT"); !slices.Equal(got, []string{`["` + at + `"]`}) {
			t.Errorf("%s: ENTRYPOINT %q", s.name, got)
		}
		user, group, _ := strings.Cut(strings.Join(s.all("USER"), " "), ":")
		id, err := strconv.Atoi(user)
		if err != nil || id < 1000 || group != user {
			t.Errorf("%s: USER %s:%s", s.name, user, group)
		}
		if _, there := programs(platform{"linux", "amd64"})[s.name]; !there {
			t.Errorf("no release has %s", s.name)
		}
	}
}

// R56: each image that is built upon is an argument, whose own value is a tag, and
// the Dockerfile says how to ask for its digest and to give it.
func TestBasesCanBePinned(t *testing.T) {
	text := read(t, "Dockerfile")
	args := regexp.MustCompile(`(?m)^ARG (\w+)=(\S+)$`).FindAllStringSubmatch(text, -1)
	if len(args) != 2 {
		t.Fatalf("%q", args)
	}
	for _, arg := range args {
		if !regexp.MustCompile(`^[a-z0-9./-]+:[\w.-]+$`).MatchString(arg[2]) {
			t.Errorf("%s is %s, which is no tag of an image", arg[1], arg[2])
		}
		for _, line := range []string{"imagetools inspect " + arg[2] + "\n", "--build-arg " + arg[1] + "=" + arg[2] + "@sha256:DIGEST "} {
			if !strings.Contains(text, line) {
				t.Errorf("no line says %q", line)
			}
		}
	}
}
