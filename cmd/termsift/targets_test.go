package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

// A numbered is a line of JSON: a text with a number. A nil field is left out.
type numbered struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Lines  *string `json:"lines,omitempty"`
	Topics *int    `json:"topics,omitempty"`
}

// writeNumbers writes the files with numbers that the guide reads: posts.jsonl has the training part of 20
// Newsgroups with what the header field Lines says, stories.jsonl Reuters-21578 with the number of topics.
func writeNumbers(t *testing.T, dir string) {
	t.Helper()
	writeNumbered(t, filepath.Join(dir, "posts.jsonl"), "20news-bydate.tar.gz", reader.Options{Split: "train", Charset: "latin-1"}, postOf)
	writeNumbered(t, filepath.Join(dir, "stories.jsonl"), "reuters21578.tar.gz", reader.Options{}, func(d document.Document) numbered {
		topics := len(d.Labels)
		return numbered{ID: d.ID, Text: string(d.Text), Topics: &topics}
	})
}

// postOf returns the body of a post and what its head says of the number of its lines.
func postOf(d document.Document) numbered {
	head, body, _ := bytes.Cut(d.Text, []byte("\n\n"))
	post := numbered{ID: d.ID, Text: string(body)}
	for line := range bytes.Lines(head) {
		if value, found := bytes.CutPrefix(line, []byte("Lines:")); found && post.Lines == nil {
			lines := string(bytes.TrimSpace(value))
			post.Lines = &lines
		}
	}
	return post
}

// writeNumbered writes the documents of a collection as lines of JSON.
func writeNumbered(t *testing.T, path, collection string, o reader.Options, line func(document.Document) numbered) {
	t.Helper()
	source := testkit.Must(reader.Read(t.Context(), []string{testkit.Corpus(t, collection)}, o))
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for d, err := range source.Documents() {
		if err == nil {
			err = encoder.Encode(line(d))
		}
		testkit.OK(err)
	}
	testkit.OK(os.WriteFile(path, out.Bytes(), 0o644))
}
