package reader

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

const lyrlText = ".I 2286\n.W\nrecov recov excit\nbring mexic\n\n.I 2287\n.W\nuruguay\n\n"

// A file without labels beside it says how to name them.
func TestLYRLNote(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens.dat")
	testkit.OK(os.WriteFile(file, zip(t, []byte(lyrlText)), 0o600))
	got, sum, err := ids(t, Options{}, filepath.Dir(file))
	if err != nil || fmt.Sprint(got) != "[2286  2287 ]" || len(sum.Notes) != 1 || !strings.Contains(sum.Notes[0], "--qrels") {
		t.Fatalf("%q, %q, %v", got, sum.Notes, err)
	}
}

// Wherever frames end, the documents and their lines are the same.
func TestLYRLFrames(t *testing.T) {
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, ".I %d\n.W\n%s\n", i, strings.Repeat("tok\n.Ip\n", i%40))
	}
	docs := testkit.Must(collect(t, text.String(), Options{}))
	testkit.Equal(testkit.Stop(t), len(docs), 5000, "documents")
	line := 1
	for i, d := range docs {
		want := strings.TrimRight(strings.Repeat("tok\n.Ip\n", i%40), "\n")
		if d.ID != fmt.Sprint(i) || d.Source.Line != line || string(d.Text) != want {
			t.Fatalf("document %d: %s at %v, want line %d", i, d.ID, d.Source, line)
		}
		line += 3 + 2*(i%40)
	}
}

func TestLYRLDetection(t *testing.T) {
	for text, want := range map[string]bool{
		".I 2286\n.W\n": true, "\n.I 1\r\n": true, ".I 1": true, ".I x\n": false, ".I\n": false, ".": false, "": false, "I 1\n": false,
	} {
		testkit.Equal(t, lyrlLayout.detect([]byte(text), true), want, text)
	}
}

// The vectors of RCV1-v2 in the archive.
func TestRCV1(t *testing.T) {
	longAlone(t)
	archive, dir := unpacked(t, "rcv1-v2-subsets.tar.gz")
	documents, labels, sizes := count(t, Options{}, archive)
	if mean := fmt.Sprintf("%.2f", float64(labels)/float64(documents)); documents != 30_000 || len(sizes) != 101 || mean != "2.90" {
		t.Errorf("%d documents of %d classes with %s labels each", documents, len(sizes), mean)
	}
	for i := 1; i <= 5; i++ {
		file := filepath.Join(dir, fmt.Sprintf("rcv1subset%d.svm", i))
		if documents, labels, _ := count(t, Options{FirstLabel: true}, file); documents != 6_000 || labels != 6_000 {
			t.Errorf("%s: %d documents with %d first labels", file, documents, labels)
		}
	}
}
