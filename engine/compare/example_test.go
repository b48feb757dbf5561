package compare_test

import (
	"context"
	"fmt"

	"github.com/termsift/termsift/engine/compare"
)

func ExampleLists() {
	ours := []string{"anchor", "wind", "tide", "boat"}
	theirs := []string{"wind", "anchor", "boat", "buoy"}
	c, err := compare.Lists(context.Background(), compare.Options{K: []int{2, 4}}, ours, theirs)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, at := range c.Pairs[0].At {
		fmt.Printf("the best %d: %d shared, Jaccard %.2f, RBO %.2f\n", at.K, at.Shared, at.Jaccard, at.RBO)
	}
	fmt.Printf("tau %.2f, only ours %v\n", c.Pairs[0].Tau, c.Only(4, 0, 1))
	// Output:
	// the best 2: 2 shared, Jaccard 1.00, RBO 0.90
	// the best 4: 3 shared, Jaccard 0.60, RBO 0.69
	// tau 0.40, only ours [{tide 3}]
}
