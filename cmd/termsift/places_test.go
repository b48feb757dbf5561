package main

import (
	"strings"
	"testing"
)

// A path that is no file of this machine says what it is, and what to type.
func TestPlacesThatAreNoFiles(t *testing.T) {
	for path, want := range map[string]string{
		"https://host/a/x.jsonl": "addresses are not read: curl -sL https://host/a/x.jsonl | termsift COMMAND -",
		"https://host/x.csv.gz":  "curl -sL https://host/x.csv.gz | termsift COMMAND --input-format csv -",
		"S3://bucket/x.TSV":      "aws s3 cp S3://bucket/x.TSV - | termsift COMMAND --input-format tsv -",
		"hdfs:///x":              "hdfs dfs -cat hdfs:///x | termsift COMMAND -",
		"http:/host/x":           "curl -sL http://host/x",
		"s3://bucket/x":          "aws s3 cp s3://bucket/x - |",
		"gs://bucket/x":          "gcloud storage cat gs://bucket/x |",
		"file:///data/x":         "cat /data/x |",
		"abfs://c/x":             "addresses are not read: fetch it",
		"data/*.jsonl":           "no file matches this pattern",
		"part-[0-9].csv":         "no file matches this pattern",
		"[a.txt":                 "",
		`C:\data\x.jsonl`:        "folders are separated by / here",
		"x.jsonl":                "",
	} {
		if got := meantPlace(path); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
