package reader

import "bytes"

// layouts lists the formats of files with many documents, in the order in which
// they are asked whether an input is theirs.
var layouts []layout

func init() { // the layouts' functions look themselves up
	layouts = []layout{
		{JSONL, []string{".jsonl", ".ndjson"}, looksLikeJSON, openJSON},
		{SVMLight, []string{".svm", ".svmlight", ".libsvm"}, looksLikeSVMLight, openSVMLight},
	}
}

func looksLikeJSON(prefix []byte, _ bool) bool {
	return bytes.HasPrefix(bytes.TrimLeft(prefix, " \t\r\n"), []byte("{"))
}
