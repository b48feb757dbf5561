package files

import (
	"bytes"
	"slices"
	"testing"
)

// Numbers have the same bytes in a file whatever the byte order of the machine, and wherever
// their section begins. A machine of the other order is played by bytes that are swapped once
// more.
func TestElementsOfAnyOrder(t *testing.T) {
	values := []uint32{1, 0x01020304, 1<<32 - 1}
	want := []byte{1, 0, 0, 0, 4, 3, 2, 1, 0xff, 0xff, 0xff, 0xff}
	own := littleEndian
	defer func() { littleEndian = own }()
	for _, swapped := range []bool{false, true} {
		littleEndian = own != swapped
		data := BytesOf(values)
		if swapped {
			for i := 0; i < len(want); i += 4 {
				slices.Reverse(want[i : i+4])
			}
		}
		if !bytes.Equal(data, want) {
			t.Errorf("little-endian %v: bytes %v, want %v", littleEndian, data, want)
		}
		for shift := range 4 {
			moved := append(make([]byte, shift), data...)[shift:]
			if got := ElementsOf[uint32](moved); !slices.Equal(got, values) {
				t.Errorf("little-endian %v, moved by %d: %v, want %v", littleEndian, shift, got, values)
			}
		}
	}
	if values[1] != 0x01020304 {
		t.Errorf("BytesOf has changed the numbers: %v", values)
	}
	if len(BytesOf([]float64(nil))) != 0 || len(ElementsOf[float64](nil)) != 0 {
		t.Error("no numbers have bytes")
	}
}
