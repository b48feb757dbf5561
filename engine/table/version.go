package table

// Version is the version of the library and of what it writes.
const Version = "0.2.0"
