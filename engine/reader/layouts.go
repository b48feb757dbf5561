package reader

import "bytes"

// layouts lists the formats of files with many documents, in the order in which
// they are asked whether an input is theirs.
var layouts []layout

func init() { // the layouts' functions look themselves up
	layouts = []layout{
		{JSONL, []string{".jsonl", ".ndjson"}, looksLikeJSON, openJSON},
		{Reuters, []string{".sgm", ".sgml"}, looksLikeReuters, openReuters},
		{LYRL, []string{".dat"}, looksLikeLYRL, openLYRL},
		{SVMLight, []string{".svm", ".svmlight", ".libsvm"}, looksLikeSVMLight, openSVMLight},
		{CSV, []string{".csv"}, nil, openCSV},
		{TSV, []string{".tsv", ".tab"}, nil, openTSV},
	}
}

func looksLikeJSON(prefix []byte, _ bool) bool {
	return bytes.HasPrefix(bytes.TrimLeft(prefix, " \t\r\n"), []byte("{"))
}
