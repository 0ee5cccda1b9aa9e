package attention

import (
	"context"
	"errors"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/job"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var noon = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)

func newReader() *reader {
	return &reader{Reading: &api.Reading{Call: &api.Call{Store: &store.Store{Zone: time.UTC}}}}
}

// A job is listed while its last run failed, unless it is one of a former version.
func TestJobs(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return noon })
		run := func(context.Context) (int64, error) { return 0, errors.New("the disk is full") }
		runner := job.NewRunner(d, "node", job.Job{Name: "levels", Every: time.Minute, Run: run},
			job.Job{Name: "former", Every: time.Minute, Run: run},
			job.Job{Name: "fine", Every: time.Minute, Run: func(context.Context) (int64, error) { return 0, nil }})
		if err := runner.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := newReader()
		err := d.Read(t.Context(), func(tx *db.Tx) error { return r.addJobs(tx, []string{"levels", "fine"}) })
		if err != nil {
			t.Fatal(err)
		}
		p := r.parts[0]
		if p.Total != 1 || p.Items[0].Name != "levels" || *p.Items[0].Since != "2031-05-01T12:00:00+0000" {
			t.Errorf("%+v", p)
		}
	})
}

// The relay and the copy are late when something has waited for longer than the limit, if there is one.
func TestLate(t *testing.T) {
	for _, c := range []struct {
		age, limit time.Duration
		total      int
	}{{time.Minute, time.Minute, 0}, {2 * time.Minute, time.Minute, 1}, {time.Hour, 0, 0}} {
		r := newReader()
		r.addLate("relay", noon, c.age, c.limit)
		p := r.parts[0]
		if p.Total != c.total || len(p.Items) != c.total {
			t.Errorf("%v of %v: %+v", c.age, c.limit, p)
		}
		if c.total == 1 && *p.Items[0].Since != "2031-05-01T11:58:00+0000" {
			t.Errorf("since %s", *p.Items[0].Since)
		}
	}
}

// A response has the first items of each kind only.
func TestShown(t *testing.T) {
	r := newReader()
	r.add(part{Kind: "jobs", Items: make([]item, Shown+1)})
	r.add(part{Kind: "relay"})
	if len(r.parts[0].Items) != Shown || r.parts[1].Items == nil {
		t.Errorf("%+v", r.parts)
	}
}
