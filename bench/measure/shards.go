package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

const shardsUsage = `usage: go run ./bench/measure shards -o DIR [flags]

It writes files of statistics as shards of a large collection would have them, to try what merging them
costs without the text.

Flags:
  -o DIR        folder to write to
  -files N      number of files (default 100)
  -first N      number of the first file, which its chances depend on (default 1)
  -terms N      terms of a file, in the mean (default 5e6)
  -classes N    classes, up to 676 (default 20)
  -documents N  documents of a file (default 1e6)
  -heaps X      n files together have n to this power times the terms of one (default 0.6)
  -threads N    files that are made at a time; each takes 200 bytes a term (default 1)
`

// runShards writes the shards. Begin reading at shape.
func runShards(ctx context.Context, args []string) {
	var p shape
	flags := flag.NewFlagSet("shards", flag.ContinueOnError)
	flags.Float64Var(&p.terms, "terms", 5e6, "")
	flags.IntVar(&p.classes, "classes", 20, "")
	flags.IntVar(&p.docs, "documents", 1e6, "")
	flags.Float64Var(&p.heaps, "heaps", .6, "")
	files := flags.Int("files", 100, "")
	first := flags.Int("first", 1, "")
	threads := flags.Int("threads", 1, "")
	folder := flags.String("o", "", "")
	lab.FlagsOnly(flags, args, shardsUsage, os.Stderr)
	if *folder == "" || p.terms < 1 || p.classes < 1 || p.classes > 676 || p.docs < 1 || !(p.heaps > 0 && p.heaps < 1) || *files < 1 || *first < 0 {
		panic(lab.Errorf("-o is missing, or a number is out of its range; see -h"))
	}
	lab.Check(p.write(ctx, *threads, *first, *files, func(number int) string {
		return filepath.Join(*folder, fmt.Sprintf("%06d.stats", number))
	}))
}

// A shape is that of the statistics of all shards.
type shape struct {
	terms   float64 // of a shard, in the mean
	classes int
	docs    int     // of a shard
	heaps   float64 // the power of the text with which the vocabulary grows
}

// docsOf returns how many documents of a shard have the word of a rank, in the mean. With
// frequencies that fall as the power 1/heaps of the rank, the number of words that a shard has
// is the scale times Gamma(1-heaps), and that of n shards n^heaps times as large.
func (p *shape) docsOf(rank float64) float64 {
	scale := p.terms / math.Gamma(1-p.heaps)
	return math.Pow(scale/rank, 1/p.heaps)
}

// A word of a shard.
type word struct {
	rank uint32
	df   uint32
}

// words draws the words of a shard and their documents: of each rank while they are dense, and
// from where less than one in fifty is there by the gaps between them.
func (p *shape) words(r *rand.Rand) (words []word) {
	most := float64(p.docs) / 2
	mean := 0.0
	for rank := 1.0; rank < math.MaxUint32; rank++ {
		if rank < 1<<12 || mean < .02 || uint32(rank)%64 == 0 { // it hardly changes between
			mean = p.docsOf(rank)
		}
		if mean < .02 {
			if rank += math.Floor(r.ExpFloat64() / mean); rank >= math.MaxUint32 {
				break
			}
		}
		if df := poisson(r, mean, mean < .02); df > 0 {
			words = append(words, word{uint32(rank), uint32(min(df, most))})
		}
	}
	return words
}

// poisson draws from the distribution with a mean, of the numbers above 0 if least is true. Of
// large means it is near enough to add a normal deviation.
func poisson(r *rand.Rand, mean float64, least bool) float64 {
	if mean > 30 {
		return math.Floor(mean + math.Sqrt(mean)*r.NormFloat64())
	}
	n, left := 0.0, math.Exp(-mean)
	u := r.Float64()
	if least {
		u = left + u*(1-left)
	}
	for sum := left; u > sum && n < 100; sum += left {
		n++
		left *= mean / n
	}
	return n
}

// statistics makes the statistics of the shard with a number.
func (p *shape) statistics(ctx context.Context, number int) (*table.Table, error) {
	r := rand.New(rand.NewPCG(uint64(number), 1))
	words := p.words(r)
	names, ends := make([]byte, 0, 8*len(words)), make([]int, 1, len(words)+1)
	for _, w := range words {
		names = workload.AppendWord(names, w.rank)
		ends = append(ends, len(names))
	}
	text := string(names)
	all := table.NamedBy(len(words), func(i int) string { return text[ends[i]:ends[i+1]] })
	order, terms, err := all.ByFrequency(ctx, 1, func(i uint32) uint32 { return words[i].df })
	if err != nil {
		return nil, err
	}
	s := &table.Table{Names: terms}
	s.Cells.Documents, s.Cells.Labelled = float64(p.docs), float64(p.docs)
	s.Cells.ClassDocs, s.Cells.ClassTokens = make([]float64, p.classes), make([]float64, p.classes)
	for c := range p.classes {
		s.ClassNames = append(s.ClassNames, string([]byte{'c', 'a' + byte(c/26), 'a' + byte(c%26)}))
		s.Cells.ClassDocs[c] = float64(p.docs / p.classes)
	}
	s.Cells.ClassDocs[0] += float64(p.docs % p.classes)
	spread := make([]uint32, p.classes)
	for _, i := range order {
		p.term(r, s, words[i].df, spread)
	}
	var hash table.InputHash
	for range p.docs {
		hash.Add(r.Uint64())
	}
	record := table.Provenance{Version: table.Version, InputHash: hash.String()}
	record.Analysis.Tokens = "words"
	s.SetProvenance(record)
	return s, nil
}

// term appends the cells of a term: its documents fall on the classes by chance, or evenly if
// they are many, and one in three has it once more.
func (p *shape) term(r *rand.Rand, s *table.Table, df uint32, spread []uint32) {
	n, even := uint32(p.classes), uint32(0)
	if df > min(1<<12, uint32(p.docs)/(2*n)) {
		even = df / n
	}
	for c := range spread {
		spread[c] = even
	}
	for range df - even*n {
		spread[r.IntN(p.classes)]++
	}
	cf := 0.0
	for c, docs := range spread {
		if docs == 0 {
			continue
		}
		again := float64(docs / 3)
		if docs < 3 && r.IntN(3) == 0 {
			again = 1
		}
		sum := float64(docs) + again
		s.Cells.Append(uint32(c), float64(docs), sum, sum+2*again)
		s.Cells.ClassTokens[c] += sum
		s.Cells.Tokens, cf = s.Cells.Tokens+sum, cf+sum
	}
	s.Cells.EndTerm(float64(df), cf)
}

// write writes the files of the shards from first on, several at a time.
func (p *shape) write(ctx context.Context, threads, first, files int, path func(number int) string) error {
	return pool.Run(ctx, threads, files, func(_, i int) error {
		s, err := p.statistics(ctx, first+i)
		if err != nil {
			return err
		}
		return corpus.SaveStatistics(ctx, path(first+i), s)
	})
}
