// Command thirdparty prints the modules and lists of others that the program has in it, with their licences. It asks
// go list what is linked and embedded, so that nothing is forgotten.
//
//	go run ./bench/thirdparty >THIRD_PARTY.md
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A listed package is what go list says of one.
type listed struct {
	Dir        string
	EmbedFiles []string
	Module     *struct {
		Path, Version, Dir string
		Main               bool
	}
}

var (
	// systems are those that the program is built for: what is linked differs.
	systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
	// own begins the names of embedded files that nobody else has made.
	own = regexp.MustCompile(`^(engine/report|engine/score|cmd/termsift/demo)/`)
	// licences are the names of files that say terms.
	licences = regexp.MustCompile(`(?i)^[^.]*(LICEN[SC]E|COPYING|NOTICE|PATENTS)[^.]*(\.(txt|md|[0-9].*))?$`)
	// known are phrases of licences that may be linked: somebody has to read any other.
	known = regexp.MustCompile(`(?s)Apache\s+License\s+Version 2.0|CC0 1.0 Universal|Permission is hereby granted, free of charge|` +
		`Redistribution and use in source\s+and\s+binary\s+forms|Additional IP Rights Grant|without fee, and without a written`)
)

// lists are the embedded files that others have made: what each is, and the file beside it with its terms.
var lists = map[string][2]string{
	"chinese.txt":  {"Chinese stop words of stopwords-iso, stopwords-zh 0.4.0", "chinese.LICENSE"},
	"glasgow.txt":  {"English stop words of the Glasgow Information Retrieval Group, published without terms"},
	"smart.txt":    {"English stop words of the SMART system, Cornell University, published without terms"},
	"snowball.txt": {"English stop words of Snowball, algorithms/english/stop.txt", "snowball.LICENSE"},
	"turkish.txt":  {"Turkish stop words of PostgreSQL 15", "postgresql.LICENSE"},
}

func init() {
	for language := range strings.FieldsSeq("Danish Dutch Finnish French German Hungarian Italian Norwegian Portuguese Russian Spanish Swedish") {
		lists[strings.ToLower(language)+".txt"] = [2]string{language + " stop words of Snowball, as PostgreSQL 15 has them", "snowball.LICENSE"}
	}
}

func main() {
	of := map[string][]string{} // whose each text is
	for _, system := range systems {
		for _, p := range list(system) {
			switch {
			case p.Module == nil: // of the standard library
			case p.Module.Main:
				addLists(of, p)
			default:
				addModule(of, p)
			}
		}
	}
	fmt.Print("# What is in termsift of others\n\nThe program has these modules and lists in it, each under the terms that follow it.\n",
		"The Go standard library is under the terms of golang.org/x/sys.\n")
	for _, text := range slices.SortedFunc(maps.Keys(of), func(a, b string) int { return slices.Compare(of[a], of[b]) }) {
		fmt.Printf("\n- %s\n", strings.Join(of[text], "\n- "))
		if text != "" {
			fmt.Printf("\n~~~~text\n%s\n~~~~\n", text)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatalln("thirdparty:", err)
	}
	return v
}

// list asks go list which packages the program has on a system.
func list(system string) (packages []listed) {
	c := exec.Command("go", "list", "-deps", "-json=Dir,EmbedFiles,Module", "./cmd/termsift")
	goos, goarch, _ := strings.Cut(system, "/")
	c.Env, c.Stderr = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"), os.Stderr
	for d := json.NewDecoder(bytes.NewReader(must(c.Output()))); d.More(); {
		var p listed
		must(0, d.Decode(&p))
		packages = append(packages, p)
	}
	return packages
}

// addLists adds the embedded files of a package of ours, but those that we have made.
func addLists(of map[string][]string, p listed) {
	for _, file := range p.EmbedFiles {
		path := filepath.Join(p.Dir, file)
		name := filepath.ToSlash(must(filepath.Rel(p.Module.Dir, path)))
		switch l, ok := lists[filepath.Base(file)]; {
		case own.MatchString(name):
		case !ok:
			log.Fatalf("thirdparty: %s is embedded; say in bench/thirdparty whose it is", name)
		case l[1] != "":
			add(of, name+": "+l[0], filepath.Join(filepath.Dir(path), l[1]))
		case !slices.Contains(of[""], name+": "+l[0]):
			of[""] = append(of[""], name+": "+l[0])
		}
	}
}

// addModule adds the licences in the folders of a package, from its own up to the top of its module.
func addModule(of map[string][]string, p listed) {
	found := false
	for dir := p.Dir; ; dir = filepath.Dir(dir) {
		for _, e := range must(os.ReadDir(dir)) {
			if path := filepath.Join(dir, e.Name()); !e.IsDir() && licences.MatchString(e.Name()) {
				within := filepath.ToSlash(must(filepath.Rel(p.Module.Dir, path)))
				add(of, p.Module.Path+" "+p.Module.Version+", "+within, path)
				found = true
			}
		}
		if dir == p.Module.Dir {
			break
		}
	}
	if !found {
		log.Fatalf("thirdparty: module %s has no licence", p.Module.Path)
	}
}

// add adds the text of a file to those that an owner has.
func add(of map[string][]string, owner, path string) {
	text := strings.Trim(strings.ReplaceAll(string(must(os.ReadFile(path))), "\r\n", "\n"), " \t\n\f")
	if !known.MatchString(text) {
		log.Fatalf("thirdparty: %s has terms that nobody has read: name them in bench/thirdparty", path)
	}
	if !slices.Contains(of[text], owner) {
		of[text] = append(of[text], owner)
	}
}
