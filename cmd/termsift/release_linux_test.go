package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

const modulePath = "github.com/termsift/termsift"

// programOutput runs a program in a folder with variables added to the environment, and returns what it
// prints. The test fails if the program does.
func programOutput(t *testing.T, folder string, environment []string, name string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir, c.Env = folder, append(os.Environ(), environment...)
	out, err := c.Output()
	if err != nil {
		var text []byte
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			text = exit.Stderr
		}
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, text)
	}
	return string(out)
}

// needClone skips the test where the sources are no clone, as in a module cache.
func needClone(t *testing.T) {
	t.Helper()
	if err := exec.CommandContext(t.Context(), "git", "rev-parse", "--verify", "HEAD").Run(); err != nil {
		t.Skipf("SKIPPED: this is no clone of the repository, or there is no git: %v", err)
	}
}

// What the first page says of a clone works; what it says of .ci/release, TestEveryArchiveOfARelease does.
// A version that is tagged can be installed, too: go install reads the module as a proxy gives it, whose zip
// has neither the nested module nor what is not in the repository. Nothing is read from the network.
func TestEveryWayToInstall(t *testing.T) {
	testkit.NeedAllCases(t)
	needClone(t)
	install := modulePath + "/cmd/termsift@"
	version := "v" + table.Version
	dir := t.TempDir()
	writeProxy(t, filepath.Join(dir, "proxy"), version)
	downloads := strings.TrimSpace(programOutput(t, ".", nil, "go", "env", "GOMODCACHE")) + "/cache/download"
	environment := []string{
		"GOPROXY=file://" + filepath.Join(dir, "proxy") + ",file://" + downloads, "GOSUMDB=off", "GOTOOLCHAIN=local", "GOWORK=off",
		"GOMODCACHE=" + filepath.Join(dir, "modules"), "GOBIN=" + filepath.Join(dir, "bin"), "GOFLAGS=-trimpath -modcacherw",
	}
	program := filepath.Join(dir, "bin", "termsift")
	golden := testkit.Must(os.ReadFile("testdata/demo.golden"))
	page, clone := fileOfTop(t, "README.md"), filepath.Join("..", "..")
	published := []string{"go install " + install + version, "go get " + modulePath + "@" + version}
	for _, way := range append(published, "go install ./cmd/termsift", "go run ./cmd/page -o termsift.html", ".ci/release FOLDER", "pip install ./cmd/libtermsift/python") {
		testkit.Contains(t, page, "`"+way+"`", "README.md has")
	}
	times := regexp.MustCompile(` +[0-9.]+ ms`) // which testdata/demo.golden has as #
	demo := func(way string) {
		testkit.Equal(t, times.ReplaceAllString(programOutput(t, dir, nil, program, "demo"), "    # ms"), string(golden), way, "demo prints")
		testkit.OK(os.Remove(program))
	}
	programOutput(t, clone, []string{"GOBIN=" + filepath.Join(dir, "bin")}, "go", "install", "./cmd/termsift")
	demo("in a clone")
	for _, asked := range []string{version, "latest"} {
		programOutput(t, dir, environment, "go", "install", install+asked)
		testkit.Contains(t, programOutput(t, dir, nil, "go", "version", "-m", program), "mod\t"+modulePath+"\t"+version,
			"@", asked, "has installed")
		demo("@" + asked)
	}
	programOutput(t, dir, environment, "go", "mod", "init", "example.org/first")
	programOutput(t, dir, environment, "go", strings.Fields(published[1])[1:]...)
	testkit.Write(filepath.Join(dir, "main.go"), "package main\n\nimport _ \""+modulePath+"/engine\"\n\nfunc main() {}\n")
	programOutput(t, dir, environment, "go", "mod", "tidy")
	programOutput(t, dir, environment, "go", "run", ".")
}

// writeProxy writes the files of a module proxy that has one version of this module: the files that git has,
// as they are in this tree.
func writeProxy(t *testing.T, folder, version string) {
	t.Helper()
	root := testkit.Must(filepath.Abs("../.."))
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	files := strings.Split(strings.TrimRight(programOutput(t, root, nil, "git", "ls-files", "-z"), "\x00"), "\x00")
	for _, name := range files {
		if insideNested(files, name) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and not yet committed
		}
		testkit.OK(err)
		w := testkit.Must(z.Create(modulePath + "@" + version + "/" + name))
		testkit.Must(w.Write(data))
	}
	testkit.OK(z.Close())
	mod := testkit.Must(os.ReadFile(filepath.Join(root, "go.mod")))
	at := filepath.Join(folder, modulePath, "@v")
	testkit.OK(os.MkdirAll(at, 0o777))
	for name, data := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": fmt.Appendf(nil, `{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, version),
		version + ".mod":  mod,
		version + ".zip":  archive.Bytes(),
	} {
		testkit.Write(filepath.Join(at, name), data)
	}
	t.Logf("the zip of the module has %d bytes", archive.Len())
}

// insideNested reports whether a file belongs to a module below the root.
func insideNested(files []string, name string) bool {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if slices.Contains(files, dir+"/go.mod") {
			return true
		}
	}
	return false
}
