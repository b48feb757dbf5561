package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

const top = "../.."

// THIRD_PARTY.md is what the tool writes now, and -check finds a change.
func TestThirdPartyIsCurrent(t *testing.T) {
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"-check", "-root", top}, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	text, err := os.ReadFile(filepath.Join(top, "cmd", "termsift", "THIRD_PARTY.md"))
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "THIRD_PARTY.md")
	if err := os.WriteFile(changed, bytes.Replace(text, []byte("MIT"), []byte("GPL"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if code := run(t.Context(), []string{"-check", "-root", top, "-out", changed}, &stderr); code != 1 {
		t.Errorf("a change gives exit code %d: %s", code, stderr.String())
	}
}

// Every module that go.sum vouches for and the command links has its terms, its
// copyright and their text in the document.
func TestEveryModuleHasItsTerms(t *testing.T) {
	modules, err := lab.TryOf(func() []module { return linkedModules(t.Context(), top) })
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, m := range modules {
		paths = append(paths, m.Path)
		if m.Version == "" || len(names(m.Texts)) == 0 {
			t.Errorf("%+v", m)
		}
	}
	for _, want := range []string{
		"github.com/RoaringBitmap/roaring/v2", "github.com/inconshreveable/mousetrap", "github.com/klauspost/compress", "golang.org/x/sys",
	} {
		if !slices.Contains(paths, want) {
			t.Errorf("%s is missing", want)
		}
	}
	text, err := lab.TryOf(func() []byte { return document(modules, nil) })
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Copyright (c) 2016 Caleb Spare", "Copyright (c) 2011 The Snappy-Go Authors", "CC0 1.0 Universal"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %q", want)
		}
	}
	if dir, err := filepath.Abs(top); err != nil || bytes.Contains(text, []byte(dir)) || bytes.Contains(text, []byte("pkg/mod")) {
		t.Errorf("the document names folders of this machine: %v", err)
	}
}

func TestLicences(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n  Version 2.0, January 2004\n":                                         "Apache-2.0",
		"Redistribution and use in source and binary\nforms ... to endorse or promote products": "BSD-3-Clause",
		"Redistribution and use in source and binary forms, with or without":                    "BSD-2-Clause",
	} {
		if l, err := lab.TryOf(func() licence { return newLicence("LICENSE", text) }); err != nil || l.Name != want {
			t.Errorf("%q: %+v, %v", text, l, err)
		}
	}
	if err := lab.Try(func() { newLicence("LICENSE", "Do as you are told.") }); err == nil || !strings.Contains(err.Error(), "not known") {
		t.Errorf("terms that nobody has read: %v", err)
	}
	lines := copyrights([]licence{{Text: "MIT\n\n  Copyright (c) 2001,  A\n// Copyright 2002 B\nthe copyright notice of 2003 stays\nCopyright [yyyy] [name]\nCopyright (c) 2001, A\n"}})
	if want := []string{"Copyright (c) 2001, A", "Copyright 2002 B"}; !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// An embedded file that nobody has said whose it is, is an error.
func TestEmbeddedFilesAreKnown(t *testing.T) {
	if l, err := lab.TryOf(func() embedded { return newEmbedded(top, "engine/report/style.css") }); err != nil || l.File != "" {
		t.Errorf("our own file: %+v, %v", l, err)
	}
	if l, err := lab.TryOf(func() embedded { return newEmbedded(top, "engine/analysis/stop/snowball.txt") }); err != nil || len(l.Texts) != 1 || l.Texts[0].Name != "BSD-3-Clause" {
		t.Errorf("%+v, %v", l, err)
	}
	if err := lab.Try(func() { newEmbedded(top, "engine/analysis/stop/new.txt") }); err == nil || !strings.Contains(err.Error(), "whose it is") {
		t.Errorf("%v", err)
	}
}
