package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// command is the program whose modules are listed.
const command = "./cmd/termsift"

// systems are those that the command is built for: what is linked differs.
var systems = [][2]string{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// A module is code of others, with what its folders say of licences.
type module struct {
	Path, Version string
	Texts         []licence
}

// A licence is a file that says under which terms code may be used.
type licence struct {
	File string // within the module
	Name string // of the terms, "MIT"
	Text string
}

// A listed package is what go list says of one.
type listed struct {
	Dir        string
	ImportPath string
	EmbedFiles []string
	Module     *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// list asks go list about packages on a system.
func list(ctx context.Context, root string, system [2]string, args ...string) []listed {
	c := exec.CommandContext(ctx, "go", append([]string{"list", "-json=Dir,ImportPath,EmbedFiles,Module"}, args...)...)
	c.Dir = root
	c.Env = append(os.Environ(), "GOOS="+system[0], "GOARCH="+system[1], "CGO_ENABLED=0")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	data, err := c.Output()
	if err != nil {
		panic(lab.Errorf("go list for %s/%s: %w: %s", system[0], system[1], err, strings.TrimSpace(stderr.String())))
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var p listed
		lab.Check(d.Decode(&p))
		packages = append(packages, p)
	}
	return packages
}

// linkedModules lists the modules that are linked on any system, by their paths.
func linkedModules(ctx context.Context, root string) []module {
	modules, seen := map[string]*module{}, map[string]bool{}
	for _, system := range systems {
		for _, p := range list(ctx, root, system, "-deps", command) {
			if p.Module == nil || p.Module.Main { // the standard library, or ours
				continue
			}
			m := modules[p.Module.Path]
			if m == nil {
				m = &module{Path: p.Module.Path, Version: p.Module.Version}
				modules[p.Module.Path] = m
			}
			m.read(p.Module.Dir, p.Dir, seen)
		}
	}
	var all []module
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		if len(m.Texts) == 0 {
			panic(lab.Errorf("module %s has no licence", path))
		}
		slices.SortStableFunc(m.Texts, func(a, b licence) int {
			return strings.Count(a.File, "/") - strings.Count(b.File, "/")
		})
		all = append(all, *m)
	}
	return all
}

// read adds the licences in the folders from the top of a module down to a package.
func (m *module) read(top, dir string, seen map[string]bool) {
	for folder := dir; ; folder = filepath.Dir(folder) {
		if !seen[folder] {
			seen[folder] = true
			lab.In("module "+m.Path, func() { m.readFolder(top, folder) })
		}
		if folder == top {
			return
		}
	}
}

// readFolder adds the licences of a folder; one that is not there has none.
func (m *module) readFolder(top, folder string) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	lab.Check(err)
	for _, e := range entries {
		if !e.IsDir() && isLicence(e.Name()) {
			path := filepath.Join(folder, e.Name())
			name := filepath.ToSlash(lab.Need(filepath.Rel(top, path)))
			m.Texts = append(m.Texts, newLicence(name, string(lab.Need(os.ReadFile(path)))))
		}
	}
}
