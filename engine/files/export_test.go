package files

// CreateNamed creates a temporary file that has a name.
var CreateNamed = createNamed
