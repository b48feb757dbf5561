// Package classify learns classifiers from sparse rows and applies them: what a
// selection of terms is judged by.
//
// Rows come as a [Matrix], learners return a [Model], and [Predict] asks it for the
// classes of other rows. Values are float32, as the rows of the engine are; every sum
// of them is a float64. Learning is deterministic: the same rows, options and seed
// give the same model on any number of threads.
package classify
