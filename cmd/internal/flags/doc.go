// Package flags has the flags that the programs of this repository share, and makes options of
// the engine of them: how text is read ([Reading]) and analysed ([Analysis]), how terms are
// scored ([Scoring]) and how many are kept ([Selecting]). Its types are plain values: a program
// of several machines sends them from one to another.
package flags
