package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/tempfile"
)

// MergeOptions say how corpora are merged. The zero value keeps all terms.
type MergeOptions struct {
	// MinDF and MaxDF bound the terms of the result, as in [Options].
	MinDF, MaxDF float64
	// AnyCharset takes corpora whose texts were decoded by different charsets. The
	// Provenance has those of all.
	AnyCharset bool
	// Store is what the file holds beside what a corpus needs, whatever those of the
	// corpora hold. It is made in memory, of the result, which then goes to a temporary file
	// first.
	Store WriteOptions
	// Dir is where temporary files go, up to a byte (12 of real values) for each posting
	// of the rarer terms; "" is that of the system.
	Dir string
	// Names are how errors call the corpora: their files; nil gives them numbers.
	Names []string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int

	system tempfile.System // nil is the operating system
}

// Merge writes the index file of the documents of all corpora, those of the first
// before those of the second: byte for byte the file that one build of them all gives,
// if each has all documents of its input.
//
// Where one has not, because of Dedupe or [Corpus.Subset], the Provenance lists the
// corpora as Shards: a document that two of them have counts twice, as Dedupe sees only
// what it is given.
//
// The corpora must have been analysed alike, with the same charset and the same
// Dedupe, else the error is a [DifferenceError]; and must not be bounded by document
// frequency, else it wraps store.ErrPruned.
func Merge(ctx context.Context, w io.Writer, opt MergeOptions, corpora ...*Corpus) error {
	meta, err := opt.check(corpora)
	if err != nil {
		return err
	}
	keep, err := opt.Store.parse()
	if err != nil {
		return err
	}
	shards := make([]*store.Index, len(corpora))
	for i, c := range corpora {
		shards[i] = c.index
	}
	to := store.MergeOptions{MinDF: opt.MinDF, MaxDF: opt.MaxDF, Meta: meta, Dir: opt.Dir, Threads: opt.Threads, Temporary: opt.system}
	if !keep.Forward && !keep.Cells && keep.Weights == "" {
		return store.Merge(ctx, w, shards, to)
	}
	keep.Threads = opt.Threads
	return mergeWith(ctx, w, shards, to, keep)
}

// mergeWith merges to a temporary file, from which it writes the index with more.
func mergeWith(ctx context.Context, w io.Writer, shards []*store.Index, to store.MergeOptions, keep store.WriteOptions) error {
	f, err := tempfile.Create(to.Temporary, to.Dir)
	if err != nil {
		return err
	}
	if err := store.Merge(ctx, f, shards, to); err != nil {
		return errors.Join(err, f.Close())
	}
	index, err := store.OpenTemporary(f, store.OpenOptions{})
	if err != nil {
		return err
	}
	_, err = index.Write(ctx, w, keep)
	return errors.Join(err, index.Close())
}

// check refuses what does not merge, and gives the description of the result.
func (opt *MergeOptions) check(corpora []*Corpus) (meta json.RawMessage, err error) {
	if len(corpora) == 0 {
		return nil, usage("nothing to merge")
	}
	if err := checkBounds(opt.MinDF, opt.MaxDF); err != nil {
		return nil, err
	}
	var shards []Provenance
	for i, c := range corpora {
		if c.index.Pruned {
			return nil, fmt.Errorf("%s: %w; count it without bounds, and give them to what is merged", opt.name(i), store.ErrPruned)
		}
		shards = append(shards, c.provenance)
		shards[i].Documents = c.Documents()
	}
	p, err := joinProvenances(shards, opt.AnyCharset, opt.name)
	if err != nil {
		return nil, err
	}
	p.MinDF, p.MaxDF = opt.MinDF, opt.MaxDF
	return json.Marshal(p)
}

func (opt *MergeOptions) name(i int) string {
	if i < len(opt.Names) {
		return opt.Names[i]
	}
	return fmt.Sprintf("corpus %d", i+1)
}

// joinProvenances describes the documents of several corpora together.
func joinProvenances(shards []Provenance, anyCharset bool, name func(int) string) (Provenance, error) {
	first := shards[0]
	p := Provenance{Version: Version, Analysis: first.Analysis, Charset: first.Charset, Dedupe: first.Dedupe}
	var hash inputHash
	whole := true
	for i, s := range shards {
		if err := alike(&first, &s, anyCharset); err != nil {
			err.Of = [2]string{name(0), name(i)}
			return p, err
		}
		own, err := s.hash()
		if err != nil {
			return p, fmt.Errorf("%s: %w: build it again", name(i), err)
		}
		hash.join(own)
		p.Repeats += s.Repeats
		p.Relabelled += s.Relabelled
		p.LongTokens += s.LongTokens
		whole = whole && s.Charset == first.Charset && !s.Dedupe && len(s.Subsets) == 0 && len(s.Shards) == 0
	}
	p.InputHash = hash.String()
	if whole || len(shards) == 1 && len(first.Subsets) == 0 {
		p.Shards = first.Shards
		return p, nil
	}
	for _, s := range shards {
		if len(s.Shards) > 0 && len(s.Subsets) == 0 {
			p.Shards = append(p.Shards, s.Shards...)
		} else {
			p.Shards = append(p.Shards, s)
		}
	}
	return p, nil
}

// alike names the first thing in which two corpora must not differ and do. The bounds
// are no such thing, for they have pruned nothing.
func alike(a, b *Provenance, anyCharset bool) *DifferenceError {
	if err := sameAnalysis(a.Analysis, b.Analysis); err != nil {
		return err
	}
	switch {
	case a.Charset != b.Charset && !anyCharset:
		return &DifferenceError{Setting: "charset", Target: quoted(a.Charset), Reference: quoted(b.Charset)}
	case a.Dedupe != b.Dedupe:
		return &DifferenceError{Setting: "dedupe", Target: quoted(a.Dedupe), Reference: quoted(b.Dedupe)}
	case (a.Reference == nil) != (b.Reference == nil) || a.Reference != nil:
		return &DifferenceError{Setting: "reference", Target: quoted(a.Reference != nil), Reference: quoted(b.Reference != nil)}
	}
	return nil
}

// hash is that of the input, with the number of its documents.
func (p *Provenance) hash() (inputHash, error) { return parseInputHash(p.InputHash, p.inputs()) }

// inputs is the number of documents that were read.
func (p *Provenance) inputs() int {
	switch {
	case len(p.Shards) > 0:
		n := 0
		for i := range p.Shards {
			n += p.Shards[i].inputs()
		}
		return n
	case len(p.Subsets) > 0:
		return p.Subsets[0].Of + p.Repeats
	}
	return p.Documents + p.Repeats
}
