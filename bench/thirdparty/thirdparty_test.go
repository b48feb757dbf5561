package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// The page has the modules and lists of the program, with the texts of their licences, and no folder of this machine.
func TestThirdParty(t *testing.T) {
	root, err := filepath.Abs("../..")
	testkit.OK(err)
	c := exec.Command("go", "run", "./bench/thirdparty")
	c.Dir = root
	out := testkit.Must(c.Output())
	page := string(out)
	for _, want := range []string{
		"\n- github.com/RoaringBitmap/roaring/v2 v", "\n- github.com/inconshreveable/mousetrap v", "\n- golang.org/x/sys v",
		"\n- engine/analysis/stop/smart.txt: English", "\n- engine/analysis/stop/turkish.txt: Turkish",
		"Copyright (c) 2016 Caleb Spare", "Copyright (c) 2011 The Snappy-Go Authors", "CC0 1.0 Universal", "Regents of the University of California",
	} {
		testkit.Contains(t, page, want, "no")
	}
	if strings.Contains(page, root) || strings.Contains(page, "pkg/mod") {
		t.Error("the page names folders of this machine")
	}
}

// What nobody has read or named is an error, and files of code are no licences.
func TestLicencesAreKnown(t *testing.T) {
	for name, is := range map[string]bool{
		"LICENSE": true, "LICENSE-2.0.txt": true, "COPYING": true, "patents": true, "README.md": false, "stop.LICENSE": false, "license.go": false,
	} {
		testkit.Equal(t, licences.MatchString(name), is, name, !is)
	}
	if known.MatchString("Do as you are told.") || own.MatchString("engine/analysis/stop/new.txt") || !own.MatchString("engine/report/style.css") {
		t.Error("terms or files are known that are not, or the other way round")
	}
}
