package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// isLicence tells the files that say terms by their names.
func isLicence(name string) bool {
	name = strings.ToUpper(name)
	if strings.HasSuffix(name, ".GO") {
		return false
	}
	for _, word := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// terms are names of licences, each with phrases that all stand in its text.
var terms = []struct {
	name    string
	phrases []string
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0, January 2004"}},
	{"CC0-1.0", []string{"CC0 1.0 Universal"}},
	{"MIT", []string{"Permission is hereby granted, free of charge, to any person obtaining a copy", "without restriction"}},
	{"PostgreSQL", []string{"Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and without a written agreement"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "endorse or promote"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	{"patent grant of Go", []string{"Additional IP Rights Grant (Patents)"}},
}

// newLicence finds the names of the terms of a text. A file at the top of a module must
// have terms that are known: somebody has to look at others.
func newLicence(file, text string) licence {
	words := strings.Join(strings.Fields(text), " ")
	var names []string
	for _, t := range terms {
		if t.name == "BSD-2-Clause" && slices.Contains(names, "BSD-3-Clause") {
			continue
		}
		if !slices.ContainsFunc(t.phrases, func(p string) bool { return !strings.Contains(words, p) }) {
			names = append(names, t.name)
		}
	}
	if names == nil && !strings.Contains(file, "/") {
		panic(lab.Errorf("%s: the terms are not known; read them, and name them in bench/thirdparty/licence.go", file))
	}
	if names == nil {
		names = []string{"terms of its own"}
	}
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), " \n\t")
	return licence{file, strings.Join(names, ", "), strings.Trim(text, "\n\f")}
}

var copyrightLine = regexp.MustCompile(`(?mi)^[\s*#/-]*((?:copyright|\(c\)|©)[^\n]*\b(?:19|20)\d\d\b[^\n]*?)\s*$`)

// copyrights lists the lines of texts that say whose they are, each once.
func copyrights(texts []licence) (lines []string) {
	for _, l := range texts {
		for _, match := range copyrightLine.FindAllStringSubmatch(l.Text, -1) {
			if line := strings.Join(strings.Fields(strings.TrimRight(match[1], " *,")), " "); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// names lists the terms of texts, each once.
func names(texts []licence) (all []string) {
	for _, l := range texts {
		for name := range strings.SplitSeq(l.Name, ", ") {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}
