package main

import (
	"errors"
	"testing"
	"time"
)

func TestMeterKnowsWhatFellIntoASpan(t *testing.T) {
	begin := time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)
	at := func(seconds float64) time.Time { return begin.Add(time.Duration(seconds * float64(time.Second))) }
	m := &meter{
		moments: []time.Time{at(0), at(1), at(2), at(4)},
		taken:   []time.Duration{5 * time.Second, 6 * time.Second, 6 * time.Second, 8 * time.Second},
	}
	for _, c := range []struct {
		from, to float64
		want     time.Duration
	}{{0, 4, 3 * time.Second}, {0.5, 1.5, 500 * time.Millisecond}, {1, 3, time.Second}, {2.5, 3.5, time.Second}} {
		if got, err := m.between(at(c.from), at(c.to)); err != nil || got != c.want {
			t.Errorf("from %v to %v: %v, %v, want %v", c.from, c.to, got, err, c.want)
		}
	}
	if _, err := m.between(at(3), at(5)); err == nil {
		t.Error("nobody knows what is taken behind the last reading")
	}
}

func TestMeterReadsUntilItIsStopped(t *testing.T) {
	readings := time.Duration(0)
	stop := startMeter(func() (time.Duration, error) {
		readings++
		return readings * time.Second, nil
	})
	m, err := stop()
	if err != nil || len(m.taken) < 1 || m.taken[len(m.taken)-1] != readings*time.Second {
		t.Errorf("%v, %v after %d readings", m.taken, err, readings)
	}
	broken := errors.New("no such process")
	if _, err := startMeter(func() (time.Duration, error) { return 0, broken })(); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
