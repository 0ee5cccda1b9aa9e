package batch_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"punchcard/platform/db/batch"
)

func TestRounds(t *testing.T) {
	letters := func(call string) []string {
		var keys []string
		for _, r := range call {
			keys = append(keys, string(r))
		}
		return keys
	}
	for _, of := range []struct {
		calls []string
		want  string
	}{
		{nil, "[]"},
		{[]string{"a", "b", ""}, "[[a b ]]"},
		{[]string{"a", "a", "b", "a"}, "[[a b] [a] [a]]"},
		{[]string{"ab", "bc", "c", "d"}, "[[ab d] [bc] [c]]"}, // c waits for bc, although a round of its own would do
	} {
		rounds := [][]string{}
		err := batch.Rounds(of.calls, letters, func(round []string) error {
			rounds = append(rounds, slices.Clone(round))
			return nil
		})
		if got := fmt.Sprint(rounds); got != of.want || err != nil {
			t.Errorf("%q: %s, %v, want %s", of.calls, got, err, of.want)
		}
	}
	broken, ran := errors.New("broken"), 0
	err := batch.Rounds([]string{"a", "a"}, letters, func([]string) error { ran++; return broken })
	if err != broken || ran != 1 {
		t.Errorf("%d rounds ran, %v", ran, err)
	}
}
