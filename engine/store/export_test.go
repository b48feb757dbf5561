package store

// SetMost sets how many files of statistics are open at once.
func (o *StatisticsMergeOptions) SetMost(n int) { o.most = n }
