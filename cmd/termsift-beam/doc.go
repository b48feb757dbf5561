// Command termsift-beam selects terms, sums statistics and writes vectors by a pipeline of Apache
// Beam, on as many machines as its runner has. Its results are those of termsift on one machine,
// byte for byte. See README.md.
//
// Begin reading at commands.go. Each shard, a file of the inputs, becomes statistics (count.go),
// which are cut into parts by the hash of the terms; those of a part are added up (sum.go), terms
// are selected from each part, and the selections merged (features.go).
package main
