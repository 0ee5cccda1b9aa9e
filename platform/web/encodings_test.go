package web_test

import (
	"math"
	"testing"

	"punchcard/platform/web"
)

func TestEncodings(t *testing.T) {
	var known web.Encodings
	asked := 0
	encoded := func(key, value any) string {
		body, err := known.Of(key, func() any {
			asked++
			return value
		})
		if err != nil {
			return "failed"
		}
		return string(body)
	}
	type one struct{}
	type other struct{}
	for _, c := range []struct {
		key, value any
		want       string
		asked      int // in all
	}{
		{one{}, map[string]string{"a": "<b>"}, `{"a":"<b>"}`, 1},
		{one{}, nil, `{"a":"<b>"}`, 1},
		{other{}, math.Inf(1), "failed", 2},
		{other{}, 7, "7", 3},
		{other{}, 8, "7", 3},
	} {
		if got := encoded(c.key, c.value); got != c.want || asked != c.asked {
			t.Errorf("%T is %s after %d values were encoded, want %s after %d", c.key, got, asked, c.want, c.asked)
		}
	}
}
