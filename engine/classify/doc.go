// Package classify learns classifiers from sparse rows and applies them, to judge
// selections of terms.
//
// It takes rows as a [Matrix] and gives a [Model]; [Predict] asks a model for the classes
// of other rows. Begin reading at README.md, then at model.go and learner.go.
//
// Values are float32, as the rows of package vectors are; every sum of them is a float64.
// The package never depends on time, map order or the number of threads: the same rows,
// options and seed give the same model and the same file.
package classify
