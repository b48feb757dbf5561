package engine_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
)

const modulePath = "github.com/termsift/termsift"

// lines are the rooms in the order of their imports: a room imports rooms of later lines
// and none of its own line. A folder below a room has the room's line, unless it has one
// of its own. So there is no circle of imports, not even one that tests or build tags
// hide.
var lines = [][]string{
	{"cmd"},
	{"cmd/internal/tables", "cmd/internal/explorer"},
	{"cmd/internal/flags"}, // what the programs share
	{"bench"},
	{"engine/internal/enginetest"}, // what the tests of all rooms share
	{"engine"},
	{"engine/learn"},
	{"engine/methods"},
	{"engine/bestterms", "engine/projection", "engine/compare", "engine/words"},
	{"engine/vectors"},
	{"engine/selection"},
	{"engine/rank", "engine/matrix"},
	{"engine/corpus"},
	{"engine/ingest"},
	{"engine/store"},
	{"engine/postings", "engine/score", "engine/vocabulary"},
	{"engine/table"},
	{"engine/score/pvalue", "engine/score/formula", "engine/analysis", "engine/reader", "engine/report"},
	{"engine/reader/parquet", "engine/reader/charset", "engine/reader/compression", "engine/reader/csv"},
	{"engine/internal/faults", "engine/report/browsertest"},
	{"bitmap", "engine/document", "engine/usage", "engine/tsv", "engine/files", "engine/pool"},
	{"kernels"},
	{"bench/testkit"}, // what the tests of the lowest packages share, too
}

// common are the rooms that import nothing of the module but each other.
var common = []string{"engine/document", "engine/usage", "engine/tsv", "engine/files", "engine/pool"}

// The drawing of ARCHITECTURE.md has the rooms of the engine in the lines of the table.
func TestRoomsAreDrawn(t *testing.T) {
	page := testkit.Must(os.ReadFile(filepath.Join("..", "ARCHITECTURE.md")))
	_, drawing, _ := strings.Cut(string(page), "## Who imports whom?")
	_, drawing, _ = strings.Cut(drawing, "```\n")
	drawing, _, _ = strings.Cut(drawing, "```")
	for _, rooms := range lines {
		if within := rooms[0]; strings.HasPrefix(within, "cmd") || strings.HasPrefix(within, "bench") || strings.Contains(within, "internal/") {
			continue
		}
		want := strings.ReplaceAll(strings.Join(rooms, "  "), "engine/", "")
		_, rest, drawn := strings.Cut("\n"+drawing, "\n"+want)
		if !drawn || rest[0] != '\n' && !strings.HasPrefix(rest, "   ") {
			t.Fatalf("ARCHITECTURE.md does not draw, or not in this order, the line\n%s", want)
		}
		drawing = strings.TrimPrefix(rest[strings.IndexByte(rest, '\n'):], "\n")
	}
}

// The documentation of package engine names each package below it.
func TestPackagesAreDocumented(t *testing.T) {
	_, doc, _ := strings.Cut(string(testkit.Must(os.ReadFile("doc.go"))), "from the text to the results:")
	doc, _, _ = strings.Cut(doc, "// Corpora, statistics")
	var named, want []string
	for line := range strings.Lines(doc) {
		if len(line) > 46 { // the names stand before what they are for
			line = line[:46]
		}
		named = append(named, strings.Fields(line)...)
	}
	for _, folder := range testkit.Must(os.ReadDir(".")) {
		if folder.IsDir() && folder.Name() != "internal" {
			want = append(want, folder.Name())
		}
	}
	for _, name := range want {
		testkit.Equal(t, slices.Contains(named, name), true, "doc.go names", name)
	}
}

// A room is a package of the module, of all its files whatever the build tags, but for tests.
type room struct {
	imports map[string]string // imported path, without the module's; to the file that does
	lines   int
	starts  []string // places of go statements, and of groups that start goroutines
}

// readRooms parses the module's tree. Folders of other modules and of data are left out.
func readRooms(t *testing.T) map[string]*room {
	t.Helper()
	root := filepath.Join("..")
	rooms := map[string]*room{}
	testkit.OK(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "testdata" || strings.HasPrefix(name, "_") || (strings.HasPrefix(name, ".") && path != root) {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != root {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		if rooms[dir] == nil {
			rooms[dir] = &room{imports: map[string]string{}}
		}
		return rooms[dir].read(path)
	}))
	if len(rooms) < 20 {
		t.Fatalf("only %d packages were found", len(rooms))
	}
	return rooms
}

func (r *room) read(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r.lines += bytes.Count(data, []byte("\n"))
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, data, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		r.imports[strings.TrimPrefix(imported, modulePath+"/")] = path
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			r.starts = append(r.starts, set.Position(n.Pos()).String())
		case *ast.CallExpr: // errgroup.Group.Go, sync.WaitGroup.Go
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" {
				r.starts = append(r.starts, set.Position(n.Pos()).String())
			}
		}
		return true
	})
	return nil
}

// lineOf gives the line of a package: its own, or that of the folder above it.
func lineOf(path string) (line int, listed string, ok bool) {
	for at := path; ; at = at[:strings.LastIndexByte(at, '/')] {
		for i, rooms := range lines {
			if slices.Contains(rooms, at) {
				return i, at, true
			}
		}
		// engine is the face; what lies below it is none of its rooms by default.
		if i := strings.LastIndexByte(at, '/'); i < 0 || at[:i] == "engine" || at[:i] == "engine/internal" {
			return 0, "", false
		}
	}
}

// wrongImport says why a package must not import another of the module, "" if it may.
func wrongImport(from, to string) string {
	fromLine, fromRoom, ok := lineOf(from)
	if !ok {
		return "has no line in the table of engine/rooms_test.go"
	}
	toLine, toRoom, ok := lineOf(to)
	if !ok {
		return fmt.Sprintf("imports %s, which has no line in the table of engine/rooms_test.go", to)
	}
	within := func(room string, rooms ...string) bool { return slices.Contains(rooms, room) }
	inCommon := slices.Contains(common, fromRoom) || within(fromRoom, "engine/internal/faults", "engine/report/browsertest")
	switch {
	case fromRoom == "kernels" || fromRoom == "bitmap":
		return fmt.Sprintf("imports %s: %s imports nothing of the module", to, fromRoom)
	case inCommon && !slices.Contains(common, toRoom):
		return fmt.Sprintf("imports %s: the common rooms import nothing of the module but each other", to)
	case inCommon: // each other: the compiler refuses circles
		return ""
	case fromRoom == toRoom:
		return ""
	case within(fromRoom, "engine/internal/enginetest") && !within(toRoom, "cmd"):
		return "" // tests import it, nothing else does
	case within(toRoom, "engine/internal/enginetest", "engine/internal/faults", "engine/report/browsertest"):
		return fmt.Sprintf("imports %s, which is for tests", to)
	case strings.HasPrefix(fromRoom, "engine") && within(toRoom, "engine/reader", "engine/report", "engine/learn"),
		fromRoom != "engine/reader" && strings.HasPrefix(fromRoom, "engine") && strings.HasPrefix(toRoom, "engine/reader/"):
		return fmt.Sprintf("imports %s: the engine never imports reader, learn or report", to)
	case fromRoom == "engine/report":
		return fmt.Sprintf("imports %s: report imports nothing of the module", to)
	case fromRoom == "engine/reader" && !strings.HasPrefix(toRoom, "engine/reader/") && !slices.Contains(common, toRoom),
		strings.HasPrefix(fromRoom, "engine/reader/") && !slices.Contains(common, toRoom):
		return fmt.Sprintf("imports %s: reader imports its own room and the common rooms alone", to)
	case fromRoom == "cmd" && toRoom == "bench":
		return fmt.Sprintf("imports %s: programs import nothing of bench", to)
	case fromRoom == "bench" && toRoom == "cmd":
		return fmt.Sprintf("imports %s: bench imports all but cmd", to)
	case fromLine == toLine:
		return fmt.Sprintf("imports %s: both stand on one line, and rooms of a line do not know each other", to)
	case fromLine > toLine:
		return fmt.Sprintf("imports %s, which stands on an earlier line: arrows go down", to)
	}
	return ""
}

// The imports of all packages go down the table of rooms.
func TestImportsGoDown(t *testing.T) {
	rooms := readRooms(t)
	for _, from := range slices.Sorted(maps.Keys(rooms)) {
		if _, _, ok := lineOf(from); !ok {
			t.Errorf("%s has no line in the table of engine/rooms_test.go", from)
		}
		for to, file := range rooms[from].imports {
			if strings.HasPrefix(to, "gonum.org/") && !strings.HasPrefix(from, "bench/") {
				t.Errorf("%s: %s imports %s, which is for the laboratory alone", file, from, to)
			}
			if rooms[to] == nil { // not ours
				continue
			}
			testkit.Equal(t, wrongImport(from, to), "", file, from)
		}
	}
}

// The rules of the table, one wrong arrow for each.
func TestWrongImportsAreFound(t *testing.T) {
	for _, arrow := range []struct{ from, to string }{
		{"kernels", "engine/pool"},
		{"kernels", "bitmap"},
		{"bitmap", "engine/pool"},
		{"bitmap", "kernels"},
		{"bitmap", "engine/postings"},
		{"engine/pool", "kernels"},
		{"engine/usage", "engine/postings"},
		{"engine/document", "engine/reader"},
		{"engine/postings", "engine/score"},
		{"engine/score", "engine/postings"},
		{"engine/postings", "engine/corpus"},
		{"engine/score/pvalue", "engine/score"},
		{"engine/analysis", "engine/corpus"},
		{"engine/ingest", "engine/corpus"},
		{"engine/corpus", "engine/rank"},
		{"engine/matrix", "engine/rank"},
		{"engine/rank", "engine/selection"},
		{"engine/selection", "engine/vectors"},
		{"engine/vectors", "engine/bestterms"},
		{"engine/bestterms", "engine/projection"},
		{"engine/methods", "engine/learn"},
		{"engine/learn", "engine/reader"},
		{"engine", "engine/learn"},
		{"engine/corpus", "engine"},
		{"engine/learn", "engine"},
		{"engine/learn", "engine/report"},
		{"engine/corpus", "engine/reader"},
		{"engine/reader", "engine/analysis"},
		{"engine/reader/parquet", "engine/reader"},
		{"engine/reader/parquet", "bitmap"},
		{"engine/corpus", "engine/reader/parquet"},
		{"engine/reader/charset", "engine/reader/parquet"},
		{"engine/reader", "engine/internal/faults"},
		{"engine/report", "engine/tsv"},
		{"engine/rank", "engine/internal/enginetest"},
		{"cmd/termsift", "engine/internal/faults"},
		{"engine/report", "engine/report/browsertest"},
		{"engine/report/browsertest", "engine/report"},
		{"bench/workload", "cmd/internal/flags"},
		{"cmd/termsift", "bench/workload"},
		{"cmd/libtermsift", "bench/naive"},
		{"engine/rank", "bench/naive"},
		{"engine/rank", "cmd/internal/flags"},
		{"engine/new", "kernels"},
		{"engine/rank", "engine/new"},
		{"engine/internal/new", "kernels"},
	} {
		if wrongImport(arrow.from, arrow.to) == "" {
			t.Errorf("%s may import %s", arrow.from, arrow.to)
		}
	}
	for _, arrow := range []struct{ from, to string }{
		{"cmd/termsift", "engine/learn"},
		{"cmd/libtermsift", "cmd/internal/flags"},
		{"engine", "engine/vectors"},
		{"engine/learn", "engine/methods"},
		{"engine/score", "engine/score/pvalue"},
		{"engine/postings", "bitmap"},
		{"engine/postings", "engine/files"},
		{"engine/files", "engine/usage"},
		{"engine/reader", "engine/pool"},
		{"engine/reader", "engine/reader/parquet"},
		{"engine/reader/parquet", "engine/usage"},
	} {
		testkit.Equal(t, wrongImport(arrow.from, arrow.to), "", arrow.from)
	}
}

// Memory is looked at past Go's types in few places, and goroutines start in one. The
// command has one of its own, so that an interruption need not wait for a read, and the
// helpers of tests start some that are locked to threads.
func TestUnsafeAndGoroutinesHaveTheirPlaces(t *testing.T) {
	for name, r := range readRooms(t) {
		top, _, _ := strings.Cut(name, "/")
		if file, ok := r.imports["unsafe"]; ok && !slices.Contains([]string{"kernels", "engine/files", "engine/postings", "cmd/libtermsift"}, name) {
			t.Errorf("%s imports unsafe: kernels and the mapping of files do", file)
		}
		if name == "engine/pool" || top == "cmd" || top == "internal" || strings.HasPrefix(name, "engine/internal/") {
			continue
		}
		for _, place := range r.starts {
			t.Errorf("%s: goroutines start in engine/pool", place)
		}
	}
}

// Rooms stay small enough to be read.
func TestRoomsAreSmall(t *testing.T) {
	large := []string{"engine/ingest", "engine/report", "engine/rank", "engine/postings", "engine/store", "engine/table", "engine/reader", "engine/reader/parquet", "engine/learn", "engine/score", "engine/analysis", "engine/words"}
	for name, r := range readRooms(t) {
		limit := 2200
		switch {
		case name == "engine":
			limit = 300
		case !strings.HasPrefix(name, "engine/") || slices.Contains(large, name):
			continue
		}
		if r.lines > limit {
			t.Errorf("%s has %d lines without its tests, %d is the limit", name, r.lines, limit)
		}
	}
	if methods := reflect.TypeFor[*corpus.Corpus]().NumMethod(); methods > 24 {
		t.Errorf("*corpus.Corpus has %d exported methods, 24 is the limit", methods)
	}
}
