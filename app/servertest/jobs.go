package servertest

import (
	"io"
	"sync/atomic"
	"testing"

	"punchcard/app"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/job"
	"punchcard/platform/testwait"
)

// RunJobs waits for the first runs of the jobs, and then sends all notifications that are due. The clock does not move,
// so the jobs change nothing afterwards.
func RunJobs(t *testing.T, d *db.DB, commits testwait.Signal) {
	t.Helper()
	awaitJobs(t, d, commits)
	desk := &purchase.Desk{Catalogue: &campaign.Catalogue{Types: campaign.RewardTypes}}
	for _, work := range []store.Work{notification.NotifyEndings, notification.Announce(desk)} {
		if _, err := store.Everywhere(d, work)(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if d.Engine() == "postgres" {
		if _, err := event.Number(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
}

// StartRested runs a server, waits for the first runs of all jobs, and opens its database. The clock does not move, so
// none runs again by itself during the transcript. commits counts the server's commits.
func StartRested(t *testing.T, config app.Config, log io.Writer) (base string, d *db.DB, commits *atomic.Int64) {
	t.Helper()
	signal, commits := testwait.NewSignal(), &atomic.Int64{}
	config.OnCommit = func() {
		commits.Add(1)
		signal.Send()
	}
	if config.Database.Database != "" {
		config.Database.Database += "&pool_max_conns=4" // one client needs no more, and each has to learn the tables
	}
	base = RunLogging(t, config, log)
	d = dbtest.Open(t, db.Config{URL: config.Database.Database, File: config.Data + "/punchcard.db"}, FixedClock)
	awaitJobs(t, d, signal)
	return base, d, commits
}

// awaitJobs waits for the first runs of all jobs of a server, whose commits send the signal.
func awaitJobs(t *testing.T, d *db.DB, commits testwait.Signal) {
	t.Helper()
	commits.Until(t, "all jobs have run", func() bool {
		done, err := haveRun(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return done
	})
}

// JobStates returns the states of all jobs.
func JobStates(t *testing.T, d *db.DB) (states []job.State) {
	t.Helper()
	if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		states, err = job.Status(tx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return states
}
