package learn

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/zeebo/xxh3"
)

func saved(t testing.TB, m Model) []byte {
	var b bytes.Buffer
	testkit.OK(Save(&b, m))
	return b.Bytes()
}

// someModels are of every kind that can be saved, some of them odd.
func someModels(t testing.TB) map[string]Model {
	odd := sparseMatrix(40, 30, 3, 14)
	odd.Classes = []string{"", "with\x00zero", "世界", "without rows"}
	models := map[string]Model{
		"svm":       train(t, sparseMatrix(60, 40, 4, 14), SVMOptions{Bias: 1, Seed: 1<<63 + 5}),
		"svm, odd":  train(t, odd, SVMOptions{Loss: L1Loss, C: .5, Positive: 2, MaxSweeps: 1, Threads: 2}),
		"svm, two":  train(t, sparseMatrix(60, 40, 2, 15), SVMOptions{}),
		"svm, none": train(t, &Matrix{Columns: 3, Classes: []string{"a"}, Start: []int{0, 0}, LabelStart: []int{0, 1}, LabelOf: []uint32{0}}, SVMOptions{}),
	}
	r := rand.New(rand.NewPCG(2, 2))
	for _, kind := range []string{"svm", "bernoulli", "knn"} {
		l, m := Learner{Kind: kind}, sparseMatrix(40, 30, 3, 14)
		scoped := testkit.Must(l.Train(t.Context(), m, TrainOptions{Scopes: randomScopes(r, m.Columns, len(m.Classes))}))
		models["scoped "+kind] = scoped
	}
	for _, kind := range []string{"rule", "nb", "svm"} {
		m := sparseMatrix(40, 30, 3, 14)
		projected := testkit.Must(Learner{Kind: kind}.Train(t.Context(), m, TrainOptions{Clusters: randomClusters(r, m)}))
		models["projected "+kind] = projected
	}
	for _, text := range []string{"nb", "bernoulli:alpha=0.3", "centroid", "knn:k=3", "knn:k=3,thresholds=best"} {
		for _, sets := range []bool{false, true} {
			for name, m := range map[string]*Matrix{"": sparseMatrix(40, 30, 3, 14), ", odd": odd} {
				l := testkit.Must(ParseLearner(text))
				model := testkit.Must(l.Train(t.Context(), m, TrainOptions{Sets: sets}))
				if sets {
					name += ", sets"
				}
				models[text+name] = model
			}
		}
	}
	return models
}

func TestSaveAndLoad(t *testing.T) {
	for name, m := range someModels(t) {
		file := saved(t, m)
		for how, r := range map[string]io.Reader{"whole": bytes.NewReader(file), "byte by byte": iotest.OneByteReader(bytes.NewReader(file))} {
			got, err := Load(r)
			testkit.Is(testkit.Stop(t), err, nil, name, how)
			testkit.Same(t, got, m, name, how)
			testkit.EqualSlices(t, saved(t, got), file, name, how, "saved again it has other bytes")
		}
	}
}

// Every flipped bit and every cut gives an error of its kind.
func TestDamagedModels(t *testing.T) {
	for name, m := range someModels(t) {
		file := saved(t, m)
		for n := range len(file) {
			if _, err := Load(bytes.NewReader(file[:n])); n < len(modelMagic) && !errors.Is(err, ErrNoModel) || n >= len(modelMagic) && !errors.Is(err, files.ErrTruncated) {
				t.Fatalf("%s: cut at %d of %d: %v", name, n, len(file), err)
			}
			bad := bytes.Clone(file)
			bad[n] ^= 1 << (n % 8)
			if _, err := Load(bytes.NewReader(bad)); !errors.Is(err, files.ErrChecksum) && !errors.Is(err, ErrNoModel) {
				t.Fatalf("%s: byte %d is another: %v", name, n, err)
			}
		}
		testkit.Is(t, testkit.Err(Load(bytes.NewReader(append(bytes.Clone(file), 0)))), ErrNoModel, name,
			"a byte behind the end")
		later := bytes.Clone(file)
		later[8] = 2
		testkit.Is(t, testkit.Err(Load(bytes.NewReader(resealed(later)))), files.ErrVersion, name, "another version")
	}
	broken := errors.New("disk")
	for _, r := range []io.Reader{iotest.ErrReader(broken), io.MultiReader(bytes.NewReader(saved(t, someModels(t)["svm"])[:100]), iotest.ErrReader(broken))} {
		testkit.Is(t, testkit.Err(Load(r)), broken)
	}
}

// resealed makes the sums of a changed file right.
func resealed(file []byte) []byte {
	le.PutUint64(file[24:], xxh3.Hash(file[:24]))
	body := file[:len(file)-sumSize]
	le.PutUint64(file[len(body):], xxh3.Hash(body))
	return file
}

// A file whose sums are right but whose content is not must give a model that works
// or an error: no panic, and no allocation that its size does not warrant.
func TestHostileModels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	refused := 0
	for name, m := range someModels(t) {
		file := saved(t, m)
		for range 1000 {
			bad := bytes.Clone(file)
			for range 1 + r.IntN(2) {
				at := modelHeader + r.IntN(len(file)-modelHeader-sumSize)
				bad[at] = []byte{0, 1, 0x7f, 0xff, byte(r.Uint32())}[r.IntN(5)]
			}
			got, err := Load(bytes.NewReader(resealed(bad)))
			if err != nil {
				refused++
				testkit.Is(testkit.Stop(t), err, ErrNoModel, name)
				continue
			}
			use(t, got)
		}
	}
	if refused < 1000 {
		t.Errorf("%d files were refused", refused)
	}
}

// A file that claims more columns than it has bytes for is refused before memory is taken
// for them.
func TestModelsOfTooManyColumns(t *testing.T) {
	for name, m := range someModels(t) {
		bad := saved(t, m)
		kind := int(le.Uint64(bad[modelHeader:]))
		le.PutUint64(bad[modelHeader+8+kind:], math.MaxInt32)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Load(bytes.NewReader(resealed(bad)))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrNoModel) || took > 16<<20 {
			t.Errorf("%s: %v, and %d bytes", name, err, took)
		}
	}
}

// use asks a model for the scores of rows.
func use(t testing.TB, m Model) {
	t.Helper()
	scores := make([]float64, len(m.Classes()))
	score := m.newScorer()
	for column := range min(m.Columns(), 100) {
		evidence := score([]uint32{uint32(column)}, []float32{1}, scores)
		m.assign(nil, scores, evidence)
	}
	saved(t, m)
}

func FuzzLoad(f *testing.F) {
	for _, m := range someModels(f) {
		f.Add(saved(f, m))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) >= modelHeader+sumSize {
			le.PutUint64(file[16:], uint64(len(file)))
			file = resealed(file)
		}
		if m, err := Load(bytes.NewReader(file)); err == nil {
			use(t, m)
		}
	})
}

func TestForeignModelsAreRefused(t *testing.T) {
	m := someModels(t)["svm"].(*Linear)
	nested := Thresholds{m.header, m, make([]float64, len(m.classes))}
	nested.kind = kindThresholds
	for name, x := range map[string]*Thresholds{
		"thresholds of thresholds": {nested.header, &nested, nested.threshold},
		"too few thresholds":       {nested.header, m, nested.threshold[1:]},
		"not a number":             {nested.header, m, append([]float64{math.NaN()}, nested.threshold[1:]...)},
	} {
		testkit.Is(t, testkit.Err(Load(bytes.NewReader(saved(t, x)))), ErrNoModel, name)
	}
	other := *m
	other.kind = "unheard of"
	testkit.Is(t, testkit.Err(Load(bytes.NewReader(saved(t, &other)))), ErrNoModel, "a kind that is not known")
}

// The bits of a model are the same on every machine and in every build.
func TestModelDigest(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	m := &Matrix{Columns: 60, Classes: []string{"a", "b", "c"}, Start: []int{0}, LabelStart: []int{0}}
	for row := range 150 {
		for column := range 60 {
			if r.IntN(8) == 0 || column%3 == row%3 && r.IntN(4) == 0 {
				m.Index, m.Value = append(m.Index, uint32(column)), append(m.Value, float32(1+r.IntN(30))/7)
			}
		}
		m.LabelOf = append(m.LabelOf, uint32(row%3))
		m.Start, m.LabelStart = append(m.Start, len(m.Index)), append(m.LabelStart, row+1)
	}
	for loss, want := range map[string]uint64{L1Loss: 0x92def9ccb797fb7c, L2Loss: 0x9217635432d8e8c0} {
		o := SVMOptions{Loss: loss, C: .3, Positive: 1.7, Bias: .7, Eps: 1e-5, MaxSweeps: 100_000}
		testkit.Equal(t, xxh3.Hash(saved(t, train(t, m, o))), want, loss, "the file has the sum")
	}
}
