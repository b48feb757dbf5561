package reader

import (
	"slices"
	"strings"
	"testing"
)

// This file fixes what becomes of the odd documents that the field's collections
// have. The tests of each format have the rest.

func TestOddPosts(t *testing.T) {
	uuencoded := "begin 644 x.gif\nM" + strings.Repeat("&5L;&\\L('=O<FQD", 4) + "\n`\nend\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":               {"", ""},
		"header only":         {"From: me\nSubject: it\n", "From: me\nSubject: it\n"},
		"no blank line":       {"From: me\nthe text", "From: me\nthe text"},
		"Latin-1":             {"Subject: caf\xe9\n\ncr\xe8me", "Subject: café\n\ncrème"},
		"uuencoded":           {uuencoded, uuencoded},
		"CP437 and binary":    {"\xc9\xcd\xcd\xcd\xcd\xbb\x00\x01\x08\x1b", "ÉÍÍÍÍ»\x00\x01\b\x1b"},
		"CR alone":            {"one\rtwo\r", "one\rtwo\r"},
		"looks like JSON":     {`{"text":"x"}`, `{"text":"x"}`},
		"looks like svmlight": {"1 2:3\n", "1 2:3\n"},
	} {
		docs, err := collect(t, string(archive(t, member{name: "n/a/1", body: c.text})), Options{})
		if err != nil || len(docs) != 1 || string(docs[0].Text) != c.want {
			t.Errorf("%s: %d documents, %v", name, len(docs), err)
		}
	}
}

// Numbers are unique inside a group only, and ids need not be unique at all.
func TestIDsThatRepeat(t *testing.T) {
	members := []member{{name: "n/a/60169", body: "x"}, {name: "n/b/60169", body: "x"}, {name: "n/b/60169", body: "y"}}
	got, _, err := ids(t, Options{}, writeFile(t, archive(t, members...)))
	if err != nil || !slices.Equal(got, []string{"n/a/60169 a", "n/b/60169 b", "n/b/60169 b"}) {
		t.Errorf("%q, %v", got, err)
	}
	if docs, err := collect(t, `{"id":"x","text":"1"}`+"\n"+`{"id":"x","text":"2"}`, Options{}); err != nil || len(docs) != 2 {
		t.Errorf("%d documents, %v", len(docs), err)
	}
}

// The split is that of the folder nearest above the class.
func TestSplitsInNames(t *testing.T) {
	names := []string{
		"latest/train/protest/1", "latest/test/protest/1", "latest/test/restrain/1", "latest/train/restrain/1", "other/unused/a/1",
	}
	root := plant(t, names...)
	var members []member
	for _, name := range names {
		members = append(members, member{name: name, body: "x"})
	}
	for _, input := range []string{root, writeFile(t, archive(t, members...))} {
		for split, want := range map[string][]string{
			"train": {"latest/train/protest/1 protest", "latest/train/restrain/1 restrain"},
			"test":  {"latest/test/protest/1 protest", "latest/test/restrain/1 restrain"},
		} {
			got, _, err := ids(t, Options{Split: split}, input)
			if slices.Sort(got); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, %v", split, got, err)
			}
		}
	}
	flat := plant(t, "x-train/1", "x-test/1")
	if got, _, err := ids(t, Options{Split: "train"}, flat); err != nil || !slices.Equal(got, []string{"x-train/1 x-train"}) {
		t.Errorf("classes that are splits: %q, %v", got, err)
	}
}

// Where all documents are bad, it is said of which kind they are.
func TestNothingButBadDocuments(t *testing.T) {
	_, err := collect(t, `{"text":}`+"\n{}\n{}\n", Options{SkipBad: true})
	for _, want := range []string{"no documents in - (", `2: the document is not understood: it has neither "text" nor "counts", the first is stdin:2`, "1: malformed JSON, the first is stdin:1:9"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
