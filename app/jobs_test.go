package app_test

import (
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/job"
)

// After weeks without a server, two nodes handle what became due meanwhile: everything once, in several transactions.
// Nothing is left for another run.
func TestJobsCatchUp(t *testing.T) {
	dbtest.Both(t)
	const customers, coupons = 230, 130 // more than one transaction handles
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config, clock := servertest.PlainConfig(servertest.Database(t, engine)), dbtest.NewClock(servertest.StartOfTests)
		config.Clock = clock.Now
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		n := nodes{servertest.LogInAdmin(t, base)}
		ids, _ := servertest.Stock(t, config.Database, customers, 1)
		id := n.Campaign(1, coupons, url.Values{"campaign[daysInactive]": {"1"}, "campaign[daysValid]": {"2"}})
		servertest.CodesOf(t, n.AtOnce(coupons, func(node *client, i int) reply { return node.Buy(ids[i], id) }))
		stop()

		clock.Advance(40 * 24 * time.Hour)
		var runners []*job.Runner
		var last *db.DB
		for i := range 2 {
			last = dbtest.Open(t, db.Config{URL: config.Database.Database, File: config.Data + "/punchcard.db"}, clock.Now)
			runners = append(runners, job.NewRunner(last, fmt.Sprint("node ", i), app.StoreJobs(last)...))
		}
		both := func() {
			var running sync.WaitGroup
			for _, r := range runners {
				running.Go(func() {
					if err := r.RunDue(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			running.Wait()
		}
		both()
		rows := map[string]int64{"points due": customers, "coupons": coupons}
		expectRows(t, last, rows)
		clock.Advance(time.Minute)
		both()
		expectRows(t, last, map[string]int64{})
		servertest.ExpectClean(t, config.Database)

		n = nodes{servertest.LogInAdmin(t, servertest.Run(t, config))}
		for event, want := range map[string]int{
			"PointsTransferHasBeenExpired": customers, "CampaignStatusWasChanged": 2 * coupons,
		} {
			if got := n.CountEvents(event); got != want {
				t.Errorf("%d events %s, want %d", got, event, want)
			}
		}
	})
}

// expectRows compares what the last runs of all jobs handled.
func expectRows(t *testing.T, d *db.DB, want map[string]int64) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		states, err := job.Status(tx)
		for _, s := range states {
			if (s.Name == "points due" || s.Name == "coupons") && s.Done != want[s.Name] || s.Error != "" {
				t.Errorf("the last run is %+v, want %d rows", s, want[s.Name])
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
