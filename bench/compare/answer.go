package main

import (
	"bytes"
	"encoding/binary"
	"os"

	"github.com/termsift/termsift/bench/lab"
)

// An answer is the outcome of a job: numbers of terms with their values, or of
// other things that the job counts.
type answer struct {
	ID    []int32
	Value []float64
}

// one is the answer of a job that counts one thing.
func one(n int) answer { return answer{[]int32{0}, []float64{float64(n)}} }

// add adds an element.
func (a *answer) add(id int, value float64) {
	a.ID, a.Value = append(a.ID, int32(id)), append(a.Value, value)
}

// readAnswer reads a file of the number of elements as int64, their numbers as
// int32 and their values as float64, little-endian.
func readAnswer(path string) (a answer) {
	file := lab.Need(os.ReadFile(path))
	r := bytes.NewReader(file)
	var n int64
	lab.Check(binary.Read(r, binary.LittleEndian, &n))
	if n < 0 || int64(len(file)) != 8+12*n {
		panic(lab.Errorf("an answer of %d elements has %d bytes", n, len(file)))
	}
	a = answer{make([]int32, n), make([]float64, n)}
	lab.Check(binary.Read(r, binary.LittleEndian, a.ID))
	lab.Check(binary.Read(r, binary.LittleEndian, a.Value))
	return a
}

// write is the other side of readAnswer.
func (a answer) write(path string) {
	var b bytes.Buffer
	for _, column := range []any{int64(len(a.ID)), a.ID, a.Value} {
		lab.Check(binary.Write(&b, binary.LittleEndian, column))
	}
	lab.Check(os.WriteFile(path, b.Bytes(), 0o600))
}

// values gives the values by number.
func (a answer) values() map[int32]float64 {
	m := make(map[int32]float64, len(a.ID))
	for i, id := range a.ID {
		m[id] = a.Value[i]
	}
	return m
}
