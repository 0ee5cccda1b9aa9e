package storeapi

import (
	"testing"
	"time"
)

func TestSpans(t *testing.T) {
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	from := time.Date(2031, 1, 31, 12, 0, 0, 0, oslo)
	for text, want := range map[string]string{
		"P1D": "2031-02-01 12:00:00", "P1M": "2031-03-03 12:00:00", "P1Y": "2032-01-31 12:00:00",
		"P2W": "2031-02-14 12:00:00", "PT1S": "2031-01-31 12:00:01", "PT90M": "2031-01-31 13:30:00",
		"P1W1DT1H1M1S": "2031-02-08 13:01:01", "P1Y2M3DT4H": "2032-04-03 16:00:00",
		"P60D": "2031-04-01 12:00:00", // over the change to summer time, to the same hour
	} {
		s, ok := parseSpan(text)
		if got := s.after(from, oslo).Format(time.DateTime); !ok || got != want {
			t.Errorf("%s leads to %s (%t), want %s", text, got, ok, want)
		}
	}
}
