package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
func list(ctx context.Context, root string, system [2]string, args ...string) ([]listed, error) {
	c := exec.CommandContext(ctx, "go", append([]string{"list", "-json=Dir,ImportPath,EmbedFiles,Module"}, args...)...)
	c.Dir = root
	c.Env = append(os.Environ(), "GOOS="+system[0], "GOARCH="+system[1], "CGO_ENABLED=0")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	data, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s/%s: %w: %s", system[0], system[1], err, strings.TrimSpace(stderr.String()))
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// linkedModules lists the modules that are linked on any system, by their paths.
func linkedModules(ctx context.Context, root string) ([]module, error) {
	modules, seen := map[string]*module{}, map[string]bool{}
	for _, system := range systems {
		packages, err := list(ctx, root, system, "-deps", command)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if p.Module == nil || p.Module.Main { // the standard library, or ours
				continue
			}
			m := modules[p.Module.Path]
			if m == nil {
				m = &module{Path: p.Module.Path, Version: p.Module.Version}
				modules[p.Module.Path] = m
			}
			if err := m.read(p.Module.Dir, p.Dir, seen); err != nil {
				return nil, err
			}
		}
	}
	var all []module
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		if len(m.Texts) == 0 {
			return nil, fmt.Errorf("module %s has no licence", path)
		}
		slices.SortStableFunc(m.Texts, func(a, b licence) int {
			return strings.Count(a.File, "/") - strings.Count(b.File, "/")
		})
		all = append(all, *m)
	}
	return all, nil
}

// read adds the licences in the folders from the top of a module down to a package.
func (m *module) read(top, dir string, seen map[string]bool) error {
	below, err := filepath.Rel(top, dir)
	if err != nil {
		return err
	}
	folders := []string{top}
	if below != "." {
		at := top
		for part := range strings.SplitSeq(filepath.ToSlash(below), "/") {
			at = filepath.Join(at, part)
			folders = append(folders, at)
		}
	}
	for _, folder := range folders {
		if seen[folder] {
			continue
		}
		seen[folder] = true
		if err := m.readFolder(top, folder); err != nil {
			return err
		}
	}
	return nil
}

// readFolder adds the licences of a folder; one that is not there has none.
func (m *module) readFolder(top, folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || !isLicence(e.Name()) {
			continue
		}
		path := filepath.Join(folder, e.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		l, err := newLicence(filepath.ToSlash(name), string(data))
		if err != nil {
			return fmt.Errorf("module %s: %w", m.Path, err)
		}
		m.Texts = append(m.Texts, l)
	}
	return nil
}
