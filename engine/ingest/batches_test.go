package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/usage"
)

// What the texts decide gives the bytes of the same decision by the options, however the
// documents are cut, counted and spilled.
func TestDecidedBuildIsOneBuild(t *testing.T) {
	english := enginetest.ManyTexts(400)
	var chinese, counted []document.Document
	for i := range 3000 {
		text := fmt.Sprintf("第%d本书写得很好 value %d", i, i%7) + strings.Repeat("水果很新鲜", 20)
		chinese = append(chinese, document.Document{ID: fmt.Sprint(i), Labels: []string{fmt.Sprint(i % 3)}, Text: []byte(text)})
	}
	for i := range 20 {
		counted = append(counted, document.Document{ID: fmt.Sprint(i), Labels: []string{"x"}, Features: []document.Feature{{Term: "中文", Value: 2}}})
	}
	late := append([]document.Document{{ID: "long", Labels: []string{"a"}, Text: bytes.Repeat([]byte("word "), analysis.SampleBytes/5+1)}}, chinese...)
	for name, c := range map[string]struct {
		docs []document.Document
		want string
	}{
		"English": {english, "words"},
		"Chinese": {chinese, "zh-bigrams"},
		"counted": {counted, "words"},
		"late":    {late, "words"},
	} {
		for _, way := range []struct{ batch, threads int }{{1, 1}, {100, 3}} {
			batch, threads := way.batch, way.threads
			opt := ingest.Options{Threads: threads, TempDir: t.TempDir()}
			opt.Analysis.Tokens = c.want
			var want, got, spilled bytes.Buffer
			if _, err := ingest.BuildTo(t.Context(), &want, enginetest.InBatches(c.docs, batch), opt); err != nil {
				t.Fatal(name, err)
			}
			opt.Analysis.Tokens = analysis.Auto
			built, err := ingest.BuildTo(t.Context(), &got, enginetest.InBatches(c.docs, batch), opt)
			testkit.OK(err)
			testkit.Equal(testkit.Stop(t), built.Provenance.Analysis.Tokens, c.want, name, built)
			_, _, err = ingest.BuildToWithin(t.Context(), &spilled, enginetest.InBatches(c.docs, batch), opt, 400<<10)
			if err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) || !bytes.Equal(spilled.Bytes(), want.Bytes()) {
				t.Fatalf("%s, batches of %d, %d threads: %v or another file", name, batch, threads, err)
			}
		}
	}
}

func TestDecidingErrors(t *testing.T) {
	docs := enginetest.ManyTexts(50)
	build := func(ctx context.Context, batches document.Batches, opt ingest.Options) error {
		opt.Analysis.Tokens = analysis.Auto
		_, err := ingest.BuildIndex(ctx, batches, opt)
		return err
	}
	broken := errors.New("broken")
	inStream := func(yield func(document.Stream, error) bool) {
		yield(func(yield func(document.Document, error) bool) {
			_ = yield(docs[0], nil) && yield(document.Document{}, broken)
		}, nil)
	}
	asBatch := func(yield func(document.Stream, error) bool) {
		_ = yield(enginetest.Stream(docs[:5]), nil) && yield(nil, broken)
	}
	panics := func(yield func(document.Stream, error) bool) { panic("stream") }
	bad := append(docs[:9:9], document.Document{ID: "bad", Features: []document.Feature{{Term: "x", Value: -1}}})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx     context.Context
		batches document.Batches
		opt     ingest.Options
		is      error
		want    string
	}{
		"in a stream":         {t.Context(), inStream, ingest.Options{}, broken, ""},
		"in place of a batch": {t.Context(), asBatch, ingest.Options{}, broken, ""},
		"a panic":             {t.Context(), panics, ingest.Options{}, nil, "stream"},
		"a bad document":      {t.Context(), document.InBatches(bad), ingest.Options{}, nil, `document "bad"`},
		"canceled":            {canceled, document.InBatches(docs), ingest.Options{}, context.Canceled, ""},
		"no document":         {t.Context(), document.InBatches(nil), ingest.Options{}, ingest.ErrEmpty, ""},
		"an unknown stop list": {
			t.Context(), panics, ingest.Options{Analysis: analysis.Options{Stop: "no"}}, usage.ErrUsage, `unknown stop list "no"`,
		},
		"n-grams of Chinese": {
			t.Context(), document.InBatches([]document.Document{{ID: "1", Labels: []string{"a"}, Text: []byte("中文")}}),
			ingest.Options{Analysis: analysis.Options{NGrams: "2"}},
			usage.ErrUsage, "tokens zh-bigrams are pairs of characters",
		},
	} {
		err := build(c.ctx, c.batches, c.opt)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
