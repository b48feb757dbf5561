// Package papers repeats the experiments of papers on feature selection. A protocol
// is data, a file of protocols/: the documents, the steps to run, the tables to show
// and the paper's claims with the rules that decide them. Running one gives figures
// with names, and everything else is computed from these.
package papers
