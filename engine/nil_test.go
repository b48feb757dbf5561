package engine_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/engine/vocabulary"
	"github.com/termsift/termsift/engine/words"
)

// functions are those of the rooms that take pointers, slices, functions, streams or
// interfaces.
var functions = map[string]any{
	"corpus.Build": corpus.Build, "corpus.BuildBatches": corpus.BuildBatches, "corpus.Contrast": corpus.Contrast, "corpus.New": corpus.New, "corpus.Decode": corpus.Decode, "corpus.IsIndex": corpus.IsIndex, "corpus.Merge": corpus.Merge, "corpus.DecodeStatistics": corpus.DecodeStatistics, "corpus.MergeStatistics": corpus.MergeStatistics, "corpus.CountBatches": corpus.CountBatches, "corpus.IsStatistics": corpus.IsStatistics,
	"rank.NewEnergy": rank.NewEnergy, "rank.Explain": rank.Explain, "rank.Terms": rank.Terms, "rank.Several": rank.Several, "rank.Class": rank.Class, "rank.Cells": rank.Cells, "rank.Margins": rank.Margins, "rank.TopK": rank.TopK,
	"selection.Unite": selection.Unite, "selection.IsFeatures": selection.IsFeatures, "selection.Read": selection.Read, "selection.Select": selection.Select,
	"vectors.Gather": vectors.Gather, "vectors.New": vectors.New, "vectors.WriteSVMLight": vectors.WriteSVMLight, "vectors.WriteJSONLines": vectors.WriteJSONLines, "vectors.Collect": vectors.Collect,
	"table.Comparable": table.Comparable, "corpus.Lists": corpus.Lists, "corpus.Rows": corpus.Rows, "matrix.Columns": matrix.Columns,
	"vocabulary.Fit": vocabulary.Fit, "vocabulary.New": vocabulary.New, "vocabulary.Hash": vocabulary.Hash,
	"words.Keyness": words.Keyness, "words.NewFrequencyList": words.NewFrequencyList, "words.ReadFrequencyList": words.ReadFrequencyList,
	"words.Documents": words.Documents, "words.Lines": words.Lines,
	"compare.Rankings": compare.Rankings, "compare.Lists": compare.Lists,
	"rank.Permute": rank.Permute, "rank.MeasureStability": rank.MeasureStability,
	"methods.Redundancy.Select": methods.Redundancy.Select,
	"bestterms.Choose":          bestterms.Choose,
	"projection.Project":        projection.Project,
	"ingest.Batched":            ingest.Batched, "ingest.BuildIndex": ingest.BuildIndex, "ingest.BuildTo": ingest.BuildTo, "ingest.Count": ingest.Count, "ingest.Decided": ingest.Decided, "ingest.Hashed": ingest.Hashed, "ingest.WithoutTerms": ingest.WithoutTerms, "ingest.CheckBounds": ingest.CheckBounds, "table.JoinProvenances": table.JoinProvenances,
	"corpus.ParseQuery": corpus.ParseQuery,
	"score.NewMargins":  score.NewMargins, "score.NewRegistry": score.NewRegistry, "score.NewPanel": score.NewPanel,
	"methods.WithThreads": methods.WithThreads,
	"document.InBatches":  document.InBatches, "document.Of": document.Of,
	"usage.NewError": usage.NewError, "usage.Cause": usage.Cause, "usage.Unknown": usage.Unknown, "usage.Nearest": usage.Nearest, "usage.ReadOptions": usage.ReadOptions,
	"tsv.Lines":     tsv.Lines,
	"learn.Collect": learn.Collect, "learn.TrainPipeline": learn.TrainPipeline, "learn.LoadPipeline": learn.LoadPipeline, "learn.IsPipeline": learn.IsPipeline, "learn.Predict": learn.Predict, "learn.Save": learn.Save, "learn.Load": learn.Load, "learn.ScopesOf": learn.ScopesOf, "learn.TrainScoped": learn.TrainScoped,
	"learn.Multi": learn.Multi, "learn.Run": learn.Run, "learn.Strata": learn.Strata, "learn.RunSplits": learn.RunSplits, "learn.Average": learn.Average,
}

// withoutError are functions that have no error to give: what they are given must be there.
var withoutError = strings.Fields("rank.Margins score.NewPanel score.NewRegistry *table.Table.Derive *rank.Ranking.LnP")

// call calls a function with zero values, but for contexts, and goes through the sequences
// that it gives. It tells what is wrong: a panic, or an error that was one.
func call(ctx context.Context, f reflect.Value) (wrong string) {
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprintf("panic: %v", r)
		}
	}()
	var in []reflect.Value
	for i := range f.Type().NumIn() {
		switch t := f.Type().In(i); {
		case f.Type().IsVariadic() && i == f.Type().NumIn()-1:
			in = append(in, reflect.Zero(t.Elem()))
		case t == reflect.TypeFor[context.Context]():
			in = append(in, reflect.ValueOf(ctx))
		default:
			in = append(in, reflect.Zero(t))
		}
	}
	for _, out := range f.Call(in) {
		values := []reflect.Value{out}
		switch {
		case out.Kind() != reflect.Func || out.IsNil():
		case out.Type().CanSeq2():
			for k, v := range out.Seq2() {
				values = append(values, k, v)
			}
		case out.Type().CanSeq():
			for v := range out.Seq() {
				values = append(values, v)
			}
		}
		for _, v := range values {
			if !v.IsValid() || !v.CanInterface() {
				continue
			}
			if err, ok := v.Interface().(error); ok && err != nil && strings.Contains(err.Error(), "goroutine ") {
				wrong = fmt.Sprintf("an error that was a panic: %.400s", err)
			}
		}
	}
	return wrong
}

// Zero and nil arguments are errors or work; they are no panic, and no error that was one.
func TestNilArguments(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if wrong := call(t.Context(), reflect.ValueOf(functions[name])); wrong != "" && !slices.Contains(withoutError, name) {
			t.Errorf("%s: %s", name, wrong)
		}
	}
}

// The same of the methods of what is not nil.
func TestNilArgumentsOfMethods(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:three one", "b:two four")
	ctx := t.Context()
	statistics := testkit.Must(c.Statistics(ctx, corpus.CountOptions{}))
	ranking := testkit.Must(rank.Terms(ctx, statistics, rank.Options{}))
	chosen := testkit.Must(selection.Select(ctx, c, selection.Options{Keep: selection.Best(2)}))
	for _, value := range []any{c, statistics, ranking, chosen, testkit.Must(vectors.New(chosen, "")), &vectors.Matrix{}, &matrix.Matrix[int32, uint8]{}} {
		v := reflect.ValueOf(value)
		for i := range v.NumMethod() {
			name := fmt.Sprintf("%v.%s", v.Type(), v.Type().Method(i).Name)
			if strings.HasSuffix(name, ".Close") {
				continue
			}
			if wrong := call(ctx, v.Method(i)); wrong != "" && !slices.Contains(withoutError, name) {
				t.Errorf("%s: %s", name, wrong)
			}
		}
	}
}
