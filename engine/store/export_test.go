package store

// SetMost sets how many files of statistics are open at once.
func (o *StatisticsMergeOptions) SetMost(n int) { o.most = n }

// UpdateGolden says that the golden files are to be written again.
var UpdateGolden = updateGolden
