package queue

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

// processorTime returns the processor time that this process has used, in all threads.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// noted is an event of 500 bytes.
type noted struct {
	Note string `json:"note"`
}

func (noted) EventType() string { return "Platform.Domain.Test.Event.Noted" }

func fill(b *testing.B, d *db.DB, count int) {
	b.Helper()
	entries := make([]event.Entry, 1000)
	for i := range entries {
		entries[i] = event.Entry{AggregateID: db.NewID(), Fact: noted{strings.Repeat("x", 450)}}
	}
	for done := 0; done < count; done += len(entries) {
		n := min(len(entries), count-done)
		if err := d.Write(b.Context(), func(tx *db.Tx) error { return event.Append(tx, 7, entries[:n]...) }); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := event.Number(b.Context(), d); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRelay measures the processor time of one event of 500 bytes, client and server
// together, without the pauses of the relay.
func BenchmarkRelay(b *testing.B) {
	for _, engine := range dbtest.EnginesOf(b) {
		b.Run(engine, func(b *testing.B) {
			d := dbtest.Open(b, dbtest.Config(b, engine), time.Now)
			queue := openNew(b)
			fill(b, d, b.N)
			r := NewRelay(d, queue, alone())
			began := processorTime(b)
			b.ResetTimer()
			for state := full; state == full; {
				var err error
				if state, err = r.round(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			b.ReportMetric(float64((processorTime(b)-began).Microseconds())/float64(b.N), "cpu-us/event")
		})
	}
}
