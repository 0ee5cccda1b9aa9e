package main

import (
	"errors"
	"slices"
	"time"
)

// meterEvery is short compared with a round, and long compared with reading all processes of a database.
const meterEvery = 100 * time.Millisecond

// meter records CPU time over a run.
type meter struct {
	moments []time.Time
	taken   []time.Duration
}

// startMeter records until stop is called.
func startMeter(read func() (time.Duration, error)) (stop func() (*meter, error)) {
	m, end, ended := &meter{}, make(chan struct{}), make(chan error, 1)
	go func() {
		ticker := time.NewTicker(meterEvery)
		defer ticker.Stop()
		for last := false; ; {
			taken, err := read()
			m.moments, m.taken = append(m.moments, time.Now()), append(m.taken, taken)
			if last || err != nil {
				ended <- err
				return
			}
			select {
			case <-ticker.C:
			case <-end:
				last = true
			}
		}
	}()
	return func() (*meter, error) {
		close(end)
		return m, <-ended
	}
}

var errOutsideMeter = errors.New("the processor time of that moment was not measured")

// between returns the CPU time from one moment to another, interpolated between readings.
func (m *meter) between(from, to time.Time) (time.Duration, error) {
	before, known := m.at(from)
	after, alsoKnown := m.at(to)
	if !known || !alsoKnown {
		return 0, errOutsideMeter
	}
	return after - before, nil
}

func (m *meter) at(moment time.Time) (taken time.Duration, known bool) {
	i, exact := slices.BinarySearchFunc(m.moments, moment, time.Time.Compare)
	if exact {
		return m.taken[i], true
	}
	if i == 0 || i == len(m.moments) {
		return 0, false
	}
	span, part := m.moments[i].Sub(m.moments[i-1]), moment.Sub(m.moments[i-1])
	grown := float64(m.taken[i]-m.taken[i-1]) * float64(part) / float64(span)
	return m.taken[i-1] + time.Duration(grown), true
}
