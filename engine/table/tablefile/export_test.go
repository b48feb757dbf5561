package tablefile

// SetMost sets how many files of statistics are open at once.
func (o *MergeOptions) SetMost(n int) { o.most = n }

// NewFile opens a file of statistics.
var NewFile = newFile
