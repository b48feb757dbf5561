// Command replicate repeats the experiments of papers on feature selection. A protocol is data, a file
// of protocols/: the documents, the steps to run, the tables to show and the paper's claims with the
// rules that decide them. Running one gives figures with names, which are kept in bench/results, and
// everything else is computed from these: REPLICATION.md has the papers' claims beside what came out.
package main

import (
	"bytes"
	"embed"
	"encoding/json"

	"github.com/termsift/termsift/bench/lab"
)

// A Protocol says how an experiment of a paper is repeated.
type Protocol struct {
	Name  string `json:"-"` // of the file
	Title string `json:"title"`
	Paper string `json:"paper"`
	// Finding says in a sentence what came out; expressions between double braces have
	// the figures.
	Finding string `json:"finding"`
	// About has paragraphs on what is repeated, and what is known to be different.
	About []string `json:"about"`
	// Items are choices, those of the paper beside those made here.
	Items []Item `json:"items"`
	// Corpora are the recipes of the documents by name.
	Corpora     map[string]Recipe `json:"corpora"`
	Steps       []Step            `json:"steps"`
	Sensitivity *Sensitivity      `json:"sensitivity,omitempty"`
	Tables      []Table           `json:"tables"`
	// Tested is the number of documents that shares of right documents are of, as an expression:
	// cases within a standard error of such a share are told. "" where every class is decided about.
	Tested string  `json:"tested,omitempty"`
	Claims []Claim `json:"claims"`
}

// An Item is a choice of the protocol.
type Item struct {
	What  string `json:"what"`
	Paper string `json:"paper"`
	Here  string `json:"here"`
}

// order is that of the page, and of All.
var order = []string{
	"ttest-reuters", "ttest-20ng", "ocfs-20ng", "ocfs-rcv1", "bt-reuters", "bt-20ng", "projection-chinese", "modified-chi-20ng", "iris", "bestterms",
}

//go:embed protocols
var embedded embed.FS

// All gives the protocols in the order of the page. A key that is not known is an error.
func All() []*Protocol {
	all := make([]*Protocol, len(order))
	for i, name := range order {
		data := lab.Need(embedded.ReadFile("protocols/" + name + ".json"))
		all[i] = &Protocol{Name: name}
		lab.In(name+".json", func() { strict(data, all[i]) })
	}
	return all
}

// strict decodes JSON over what is there. Keys that are not known are errors.
func strict(data []byte, into any) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	lab.Check(d.Decode(into))
}

// changed is a copy with changes, JSON that has some of the keys. It is copied through
// JSON, for decoding writes over the elements of slices that are there.
func changed[T any](like T, changes json.RawMessage) (out T) {
	strict(lab.Need(json.Marshal(like)), &out)
	if len(changes) > 0 {
		strict(changes, &out)
	}
	return out
}
