package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/flags"
)

// A device without an end and a line without an end are refused wherever a file is read: by an
// error that names the file and is of the data, not of the system.
func TestEveryFileFlagEndsAtAnEndlessFile(t *testing.T) {
	places := placesForNumbers(t)
	line := filepath.Join(t.TempDir(), "line")
	testkit.OK(os.WriteFile(line, bytes.Repeat([]byte("x"), 65<<20), 0o600))
	tried := 0
	for _, c := range (&app{}).tree().Commands() {
		if !c.Runnable() {
			continue
		}
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if flags.Of(flag).Reads == nil {
				return
			}
			for _, file := range []string{"/dev/zero", line} {
				value := file
				if strings.HasSuffix(flag.Name, "docs") {
					value = "file=" + file
				}
				args := append(strings.Fields(places(endlessLine(c, flag))), "--"+flag.Name, value)
				var out, errs bytes.Buffer
				code := run(t.Context(), args, strings.NewReader(""), &out, &errs)
				said := errs.String()
				refused := strings.Contains(said, "contradict") || strings.Contains(said, "says how raw text is read")
				if code == exitUsage && refused {
					continue
				}
				if !slices.Contains([]int{exitUsage, exitData, exitCorrupt}, code) || strings.Contains(said, "bufio") || !strings.Contains(said, filepath.Base(file)) {
					t.Errorf("%s: exit code %d, %.300s", strings.Join(args, " "), code, said)
				}
				tried++
			}
		})
	}
	testkit.TriedCases(t, tried)
}

// endlessLine returns a command line to which a flag of a file is added.
func endlessLine(c *cobra.Command, flag *pflag.Flag) string {
	line := numberLine(c.Name(), flag.Name)
	switch c.Name() + " " + flag.Name {
	case "collocates text", "collocations text":
		line = "collocates INDEX one --min-freq 1"
	case "explore text":
		line = "explore INDEX -o OUT"
	case "explore reference-docs":
		line = "explore RAW --docs class=a -o OUT"
	case "evaluate train":
		line = "evaluate --test RAW"
	case "evaluate test":
		line = "evaluate --train RAW"
	case "explain text":
		line = "explain INDEX one --kwic 3"
	case "kwic text":
		line = "kwic INDEX one"
	case "keyness reference-list":
		line = "keyness RAW"
	case "predict model":
		line = "predict RAW"
	case "train features", "transform features":
		line = strings.Replace(line, " -k 3", "", 1)
	case "remove docs", "remove ids":
		line = "remove INDEX -o OUT"
	}
	if c.Flags().Lookup("max-list") != nil {
		line += " --max-list 100000"
	}
	return line
}
