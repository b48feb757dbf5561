package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

var (
	blocks     = regexp.MustCompile("(?s)```.*?```")
	links      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	namedFiles = regexp.MustCompile("`([\\w/]+\\.(?:go|h|s|py|mjs))`")
	shownFiles = regexp.MustCompile("`(\\w+\\.py)`.*:\n\n```python") // the line before a block names the file that it shows
	qualified  = regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w+)`)
	namedPages = regexp.MustCompile(`\b[A-Z][A-Z_]+\.md\b`)
	headings   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	testNames  = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	noAnchor   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	ofRelease  = map[string]bool{"THIRD_PARTY.md": true, "REFERENCE.md": true} // which .ci/release writes
	namedTests = regexp.MustCompile("`(Test[A-Z]\\w+)`")
	testRows   = regexp.MustCompile("\\| `(Test\\w+)` \\| ?([\\d,]*) ?\\|")
	stands     = map[string]bool{"x.go": true, "_asm/x.go": true, "format_x.go": true} // for any file
)

// What the pages link to and name is there: files, headings, Go files, tests, exported names of packages; and
// the pages that sources name.
func TestPagesNameWhatThereIs(t *testing.T) {
	tree := os.DirFS("../..")
	sources, pages := map[string]string{}, map[string]string{}
	testkit.OK(fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || name == "bench/results") {
			return fs.SkipDir
		}
		into := map[string]map[string]string{".md": pages, ".go": sources, ".h": sources, ".s": sources, ".py": sources, ".mjs": sources}[path.Ext(name)]
		if d.IsDir() || into == nil {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		into[name] = string(text)
		return err
	}))
	if len(pages) < 20 {
		t.Fatalf("%d pages", len(pages))
	}
	tests := map[string]bool{}
	for file, text := range sources {
		for _, test := range testNames.FindAllStringSubmatch(text, -1) {
			tests[test[1]] = true
		}
		for _, page := range namedPages.FindAllString(text, -1) {
			if !ofRelease[page] && !anyFile(pages, page) {
				t.Errorf("%s: there is no page %s", file, page)
			}
		}
	}
	for page, text := range pages {
		prose := blocks.ReplaceAllString(text, "")
		for _, link := range links.FindAllStringSubmatch(prose, -1) {
			if to, heading, _ := strings.Cut(link[1], "#"); !strings.Contains(to, "://") {
				checkLink(t, tree, pages, page, path.Join(path.Dir(page), to), heading)
			}
		}
		shown := map[string]bool{}
		for _, file := range shownFiles.FindAllStringSubmatch(text, -1) {
			shown[file[1]] = true
		}
		for _, named := range namedFiles.FindAllStringSubmatch(prose, -1) {
			if !stands[named[1]] && !shown[named[1]] && !anyFile(sources, named[1]) {
				t.Errorf("%s: there is no file %s", page, named[1])
			}
		}
		for _, test := range namedTests.FindAllStringSubmatch(prose, -1) {
			testkit.Equal(t, tests[test[1]], true, page, "names a test that is there", test[1])
		}
		for _, name := range qualified.FindAllStringSubmatch(prose, -1) {
			if is, known := exports(sources, name[1], name[2]); known && !is {
				t.Errorf("%s: package %s has no %s", page, name[1], name[2])
			}
		}
	}
}

// checkLink reports a link to a file or heading that there is not; of "" it is the page itself.
func checkLink(t *testing.T, tree fs.FS, pages map[string]string, page, to, heading string) {
	if to == path.Dir(page) {
		to = page
	}
	testkit.Is(t, testkit.Err(fs.Stat(tree, to)), nil, page, "dead link to", to)
	if heading == "" {
		return
	}
	for _, h := range headings.FindAllStringSubmatch(blocks.ReplaceAllString(pages[to], ""), -1) {
		if strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-") == heading {
			return
		}
	}
	t.Errorf("%s: %s has no heading #%s", page, to, heading)
}

// anyFile reports whether some file's path ends with name.
func anyFile(files map[string]string, name string) bool {
	for file := range files {
		if file == name || strings.HasSuffix(file, "/"+name) {
			return true
		}
	}
	return false
}

// exports reports whether a package of this name has an exported name, as far as it is known.
func exports(sources map[string]string, of, name string) (is, known bool) {
	declared := regexp.MustCompile(`(?m)^(func|type|var|const) ` + name + `\b|^func \([^)]*\) ` + name + `\b|^\t` + name + `\b`)
	for file, text := range sources {
		if path.Base(path.Dir(file)) == of && strings.HasSuffix(file, ".go") {
			known = true
			is = is || declared.MatchString(text)
		}
	}
	return is, known
}

// The page on reliability has the counts of cases that .ci/run full heavy tried.
func TestReliabilityHasTheCountsOfTheTests(t *testing.T) {
	var full map[string]struct{ Cases map[string]int }
	testkit.ReadJSON("../results/full.json", &full)
	page := string(testkit.Must(os.ReadFile("../../RELIABILITY.md")))
	rows := testRows.FindAllStringSubmatch(page, -1)
	if len(rows) < 40 {
		t.Errorf("%d rows", len(rows))
	}
	for _, row := range rows {
		is, _ := strconv.Atoi(strings.ReplaceAll(row[2], ",", ""))
		testkit.Equal(t, is, full["heavy"].Cases[row[1]], row[1], "cases")
	}
}
