package api_test

import (
	"testing"

	"punchcard/core/api"
)

func TestJoin(t *testing.T) {
	type one struct {
		A string `json:"a"`
	}
	type two struct {
		B []int `json:"b,omitempty"`
		C any   `json:"c,omitempty"`
	}
	for _, c := range []struct {
		values []any
		want   string
	}{
		{[]any{one{"<x>"}, &two{B: []int{1}, C: one{"y"}}}, `{"a":"<x>","b":[1],"c":{"a":"y"}}`},
		{[]any{two{}, one{"x"}, two{}}, `{"a":"x"}`},
		{nil, `{}`},
	} {
		if got, err := api.Join(c.values...); err != nil || string(got) != c.want {
			t.Errorf("%v: %s, %v, want %s", c.values, got, err, c.want)
		}
	}
}
