package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/engine/vocabulary"
)

// An operation is what ts_call does under a name. Its inputs and outputs have the names that errors call them.
type operation struct {
	in, out []string
	makes   int                    // so many outputs, which come first, are handles that the caller must take
	columns bool                   // the outputs are columns, as many as the caller wants
	apart   bool                   // on a goroutine of its own: see onThreads
	takes   func() []usage.Setting // the options
	do      func(ctx context.Context, c *call) (warnings []string)
}

func names(all ...string) []string { return all }

// operations are all of them, by name. termsift.h says what each takes and gives.
var operations = map[string]operation{
	"cancel_new": {out: names("cancel"), makes: 1, do: func(_ context.Context, c *call) []string {
		return c.give(newCancellation())
	}},
	"cancel": {in: names("cancel"), do: func(_ context.Context, c *call) []string {
		cancellationOf(c.handle(0)).stop()
		return nil
	}},
	"free": {in: names("handle"), do: func(_ context.Context, c *call) []string {
		freeHandle(c.handle(0))
		return nil
	}},
	"release": {do: func(context.Context, *call) []string {
		runtime.GC()
		debug.FreeOSMemory()
		return nil
	}},
	"limits": {takes: (&limits{}).settings, do: func(_ context.Context, c *call) []string {
		optionsOf(c.options, &limits{}).set()
		return nil
	}},
	"measures": {columns: true, do: func(_ context.Context, c *call) []string {
		return c.putColumns(numbers(measures()...))
	}},
	"analysis": {in: names("handle"), columns: true, takes: (&analysis.Options{}).Settings, do: func(_ context.Context, c *call) []string {
		return c.putColumns(numbers(analysisOf(c.handle(0))...))
	}},
	"read": {in: names("handle"), columns: true, do: func(ctx context.Context, c *call) []string {
		switch of := handles.get(c.handle(0)).(type) {
		case *counted:
			return onThreads(ctx, 0, func(ctx context.Context) []string { return c.putColumns(named{of.counts(ctx)}.columns()...) })
		case *vectors.CSR: // where each row begins, the columns of the elements, and their values
			return c.putColumns(numbers(of.Start...), numbers(of.Index...), numbers(of.Value...))
		case *vocabulary.Rows:
			return c.putColumns(bagRowColumns(of)...)
		case *vocabulary.Vocabulary:
			return c.putColumns(bagColumns(of)...)
		case object:
			return c.putColumns(of.columns()...)
		default:
			panic(refusal{handleError("handle %d is %s, which has nothing to read", c.handle(0), kindOf(of))})
		}
	}},
	"save": {in: names("handle"), columns: true, do: func(ctx context.Context, c *call) []string {
		switch of := handles.get(c.handle(0)).(type) {
		case *model:
			return of.saved.put(c, of.save)
		case *counted:
			return onThreads(ctx, 0, func(context.Context) []string { return of.saved.put(c, of.save) })
		default:
			panic(refusal{handleError("handle %d is %s, and a model or statistics is needed", c.handle(0), kindOf(of))})
		}
	}},
	"texts_check": {in: names("texts"), do: func(ctx context.Context, c *call) []string {
		checkUTF8(ctx, c.texts(0))
		return nil
	}},
	"score":         {in: names("matrix", "labels"), out: names("scores", "df"), takes: (&scoreOptions{}).settings, do: scores(false)},
	"score_classes": {in: names("matrix", "labels"), out: names("scores", "df"), takes: (&scoreOptions{byClass: true}).settings, do: scores(true)},
	"matrix_sums": {in: names("matrix"), out: names("sums"), do: func(ctx context.Context, c *call) []string {
		of, x := c.matrix(0)
		check(x.Sums(ctx, resultOf[float64](c, 0, of.terms)))
		return nil
	}},
	"matrix_shares": {in: names("matrix", "weights"), out: names("values"), takes: (&sharesOptions{}).settings, do: func(ctx context.Context, c *call) []string {
		o := optionsOf(c.options, &sharesOptions{})
		of, x := c.matrix(0)
		weights, values := arrayOf[float64](c, 1, of.terms), resultOf[float64](c, 0, of.stored)
		return onThreads(ctx, o.threads, func(ctx context.Context) []string {
			check(x.Shares(ctx, o.threads, weights, o.root, values))
			return nil
		})
	}},
	"best": {in: names("scores", "df"), out: names("best"), do: func(_ context.Context, c *call) []string {
		terms, k := c.in[0].count, c.out[0].count
		if k < 0 || k > terms {
			panic(refused("k is %d: it must be in [0, terms], and terms is %d", k, terms))
		}
		values, out := arrayOf[float64](c, 0, terms), resultOf[int64](c, 0, k)
		var df []float64
		if c.in[1].data != 0 {
			df = arrayOf[float64](c, 1, terms)
		}
		for i, t := range best(values, df, int(k)) {
			out[i] = int64(t)
		}
		return nil
	}},
	"fit": {in: names("texts", "labels"), out: names("model", "rows"), makes: 1, apart: true, takes: (&fitOptions{}).settings, do: func(ctx context.Context, c *call) []string {
		c.mustBe(c.out[1], typeHandle, "rows")
		o := optionsOf(c.options, &fitOptions{})
		texts := c.texts(0)
		m, r, warnings := fit(ctx, texts, c.labels(1, len(texts), o.classes), o, c.out[1].data != 0)
		c.give(m)
		if r != nil {
			c.give(m, r)
		}
		return append(warnings, m.selection.Warnings...)
	}},
	"model_load": {in: names("bytes"), out: names("model"), makes: 1, do: func(_ context.Context, c *call) []string {
		s := need(selection.Read(bytes.NewReader(arrayOf[byte](c, 0, c.in[0].count)), "model"))
		return c.giveWith(&model{selection: s, weight: vectors.TF}, s.Warnings)
	}},
	"select": {in: names("corpus_or_statistics"), out: names("model"), makes: 1, apart: true, takes: (&selecting{}).settings, do: func(ctx context.Context, c *call) []string {
		of, s := countedOf(c.handle(0)), optionsOf(c.options, &selecting{})
		m := s.of(ctx, of)
		return c.giveWith(m, m.selection.Warnings)
	}},
	"transform": {in: names("model", "texts"), out: names("rows"), makes: 1, apart: true, takes: (&transformOptions{}).settings, do: func(ctx context.Context, c *call) []string {
		m := modelOf(c.handle(0))
		o := readTransformOptions(c.options, m)
		return c.give(rowsOfTexts(ctx, m, c.texts(1), o))
	}},
	"corpus_rows": {in: names("corpus", "model"), out: names("rows"), makes: 1, apart: true, takes: (&transformOptions{}).settings, do: func(ctx context.Context, c *call) []string {
		m := modelOf(c.handle(1))
		o := readTransformOptions(c.options, m)
		of := handleOf[*counted](c.handle(0), "a corpus")
		if of.corpus == nil {
			panic(refused("statistics do not know documents: a corpus is needed"))
		}
		return c.give(rowsOfCorpus(ctx, m, of.corpus, table.Weighting(o.weight), o.threads))
	}},
	"open": {in: names("path"), out: names("corpus"), makes: 1, apart: true, do: func(_ context.Context, c *call) []string {
		return c.give(open(c.text(0)))
	}},
	"stats_texts": {in: names("texts", "labels"), out: names("statistics"), makes: 1, apart: true, takes: (&statisticsOptions{}).settings, do: func(ctx context.Context, c *call) []string {
		o, texts := optionsOf(c.options, &statisticsOptions{}), c.texts(0)
		return c.giveWith(count(ctx, texts, c.labels(1, len(texts), o.classes), o))
	}},
	"stats_matrix": {in: names("matrix", "terms", "labels"), out: names("statistics"), makes: 1, apart: true, takes: (&matrixOptions{}).settings, do: func(ctx context.Context, c *call) []string {
		o := optionsOf(c.options, &matrixOptions{})
		of, x := c.matrix(0)
		l := c.labels(2, int(of.documents), o.Classes)
		if c.in[1].data != 0 {
			o.Terms = namesOf(c.texts(1), of.terms)
		}
		if o.target != "" {
			o.Classes = l.targetOfRows(o.target, int(of.documents))
		}
		return c.give(countMatrix(ctx, x, l, o))
	}},
	"stats_add": {in: names("a", "b"), out: names("sum"), makes: 1, apart: true, do: func(ctx context.Context, c *call) []string {
		a, b := handleOf[*counted](c.handle(0), "statistics"), handleOf[*counted](c.handle(1), "statistics")
		return c.giveWith(add(ctx, a, b))
	}},
	"stats_load": {in: names("bytes"), out: names("statistics"), makes: 1, apart: true, do: func(_ context.Context, c *call) []string {
		data := arrayOf[byte](c, 0, c.in[0].count)
		return c.give(&counted{statistics: need(corpus.DecodeStatistics(bytes.Clone(data)))})
	}},
	"rank": {in: names("corpus_or_statistics"), out: names("ranking"), makes: 1, apart: true, takes: (&rankOptions{}).settings, do: func(ctx context.Context, c *call) []string {
		return c.giveWith(rankTerms(ctx, countedOf(c.handle(0)), optionsOf(c.options, &rankOptions{})))
	}},
	"keyness": {in: names("target", "reference"), out: names("keys"), makes: 1, apart: true, takes: (&keynessOptions{}).settings, do: func(ctx context.Context, c *call) []string {
		o := optionsOf(c.options, &keynessOptions{})
		a := sideOf(c.handle(0), "target").whole()
		reference := uint64(0)
		if c.in[1].data != 0 {
			reference = c.handle(1)
		}
		return c.giveWith(compareUse(ctx, a, referenceOf(reference, o), o))
	}},
	"bag_fit": {in: names("texts"), out: names("vocabulary", "rows"), makes: 2, takes: newBagOptions().fitSettings, do: func(ctx context.Context, c *call) []string {
		o := newBagOptions()
		readOptions(c.options, o.fitSettings())
		if o.MaxDF == 0 { // which bounds nothing in Go
			o.MinDF = math.MaxInt
		}
		texts := c.texts(0)
		o.Threads = bagThreads(texts, o.Threads)
		return onThreads(ctx, o.Threads, func(ctx context.Context) []string {
			v, r, err := vocabulary.Fit(ctx, texts, o.Options)
			check(err)
			return c.give(v, r)
		})
	}},
	"bag_vocabulary": {in: names("terms"), out: names("vocabulary"), makes: 1, takes: newBagOptions().settings, do: func(_ context.Context, c *call) []string {
		o := optionsOf(c.options, newBagOptions())
		return c.give(vocabularyOf(c.texts(0), o.Options))
	}},
	"bag_transform": {in: names("vocabulary", "texts"), out: names("rows"), makes: 1, takes: func() []usage.Setting { return []usage.Setting{threadsSetting(new(int))} }, do: func(ctx context.Context, c *call) []string {
		v := handleOf[*vocabulary.Vocabulary](c.handle(0), "a vocabulary")
		var threads int
		readOptions(c.options, []usage.Setting{threadsSetting(&threads)})
		texts := c.texts(1)
		threads = bagThreads(texts, threads)
		return onThreads(ctx, threads, func(ctx context.Context) []string {
			return c.give(need(v.Transform(ctx, texts, threads)))
		})
	}},
	"bag_keep": {in: names("vocabulary", "rows", "keep"), out: names("kept_vocabulary", "kept_rows"), makes: 2, do: func(_ context.Context, c *call) []string {
		v, r := handleOf[*vocabulary.Vocabulary](c.handle(0), "a vocabulary"), handleOf[*vocabulary.Rows](c.handle(1), "rows of bag_fit")
		kept, keptRows, err := v.Keep(arrayOf[uint8](c, 2, int64(v.Len())), r)
		check(err)
		return c.give(kept, keptRows)
	}},
	"bag_hash": {in: names("texts"), out: names("rows"), makes: 1, takes: newBagOptions().hashSettings, do: func(ctx context.Context, c *call) []string {
		o := newBagOptions()
		readOptions(c.options, o.hashSettings())
		texts := c.texts(0)
		o.hash.Analysis, o.hash.Binary, o.hash.Threads = o.Analysis, o.Binary, bagThreads(texts, o.Threads)
		return onThreads(ctx, o.hash.Threads, func(ctx context.Context) []string {
			return c.give(need(vocabulary.Hash(ctx, texts, o.hash)))
		})
	}},
}

func init() { // which names operations itself
	operations["options"] = operation{columns: true, do: func(_ context.Context, c *call) []string {
		return c.putColumns(optionColumns()...)
	}}
}

// An object is what a handle stands for, if it has something to read.
type object interface{ columns() []column }

// scores gives the values of the terms of a matrix, or those for each class.
func scores(byClass bool) func(ctx context.Context, c *call) []string {
	return func(ctx context.Context, c *call) []string {
		o := optionsOf(c.options, &scoreOptions{byClass: byClass})
		of, x := c.matrix(0)
		l := c.labels(1, int(of.documents), nil)
		rows := int64(o.rows(l.classes))
		if rows > math.MaxInt64/of.terms {
			panic(refused("scores has %d rows of %d elements, more than memory", rows, of.terms))
		}
		values := resultOf[float64](c, 0, rows*of.terms)
		var df []float64
		if c.out[1].data != 0 {
			df = resultOf[float64](c, 1, of.terms)
		}
		return onThreads(ctx, o.Threads, func(ctx context.Context) []string {
			return o.ofMatrix(ctx, x, l, int(of.terms), values, df)
		})
	}
}

func modelOf(handle uint64) *model { return handleOf[*model](handle, "a model") }

func countedOf(handle uint64) *counted { return handleOf[*counted](handle, "a corpus or statistics") }

// sideOf returns the corpus or the statistics of an input of keyness.
func sideOf(handle uint64, name string) (c *counted) {
	if err := guarded(func() { c = countedOf(handle) }); err != nil {
		check(fmt.Errorf("%s: %w", name, err))
	}
	return c
}

// referenceOf returns the reference of keyness: that of its input, or the frequency list of the options.
func referenceOf(handle uint64, o *keynessOptions) rank.Counted {
	if !o.referenceList.given() {
		return sideOf(handle, "reference").whole()
	}
	if handle != 0 {
		panic(refused("option \"reference-list\" is in place of the reference, whose handle must be 0"))
	}
	return need(o.referenceList.list(o.totals))
}

// sharesOptions are the options of matrix_shares.
type sharesOptions struct {
	root    bool
	threads int
}

func (o *sharesOptions) settings() []usage.Setting {
	return []usage.Setting{{Name: "root", To: &o.root, Help: "whether the roots of the shares are taken"}, threadsSetting(&o.threads)}
}
