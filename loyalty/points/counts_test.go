package points_test

import (
	"maps"
	"strings"
	"testing"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
)

// countPurchases counts one purchase of each campaign, in one operation.
func countPurchases(t *testing.T, d *db.DB, o points.Owner, campaigns ...string) {
	t.Helper()
	err := d.Write(background, func(tx *db.Tx) error {
		_, err := points.Change(tx, o, func(w *points.Wallet) ([]event.Entry, error) {
			for _, id := range campaigns {
				w.CountPurchases(id, 1)
			}
			return nil, nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func newIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = db.NewID()
	}
	return ids
}

// The account of a customer who has bought any number of campaigns stays as short as after a few, and every count is
// still known.
func TestCountsDoNotLengthenTheAccount(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := owner(t, d, 0)
		campaigns := newIDs(300)
		for i, id := range campaigns {
			countPurchases(t, d, o, id, campaigns[i/2], campaigns[0])
			if err := d.Read(background, func(tx *db.Tx) error {
				n, err := db.Value[int64](tx, `SELECT LENGTH(bought) FROM accounts WHERE customer_id = $1`, o.CustomerID)
				if n > 16*20 {
					t.Fatalf("after %d campaigns the counts in the account have %d bytes", i+1, n)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]int64{}
		for i, id := range campaigns {
			want[id]++
			want[campaigns[i/2]]++
			want[campaigns[0]]++
		}
		unknown := db.NewID()
		err := d.Write(background, func(tx *db.Tx) error {
			wallets, err := points.Lock(tx, o)
			if err != nil {
				return err
			}
			w, got := wallets.Of(o), map[string]int64{}
			err = wallets.ReadBought(o.Store, func(yield func(string, string) bool) {
				_ = yield(o.CustomerID, campaigns[7]) && yield(o.CustomerID, unknown) && yield(db.NewID(), campaigns[7])
			})
			for _, id := range append(campaigns, unknown) {
				n, failed := w.Bought(id)
				if failed != nil {
					return failed
				}
				if n > 0 {
					got[id] = n
				}
			}
			if !maps.Equal(got, want) {
				t.Errorf("the wallet says %v", got)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		for _, asked := range [][]string{nil, {campaigns[3]}, {campaigns[0], unknown, campaigns[299]}, campaigns} {
			expectBought(t, d, o, asked, want)
		}
	})
}

// expectBought fails unless Bought returns the counts of all campaigns that are asked for.
func expectBought(t *testing.T, d *db.DB, o points.Owner, asked []string, want map[string]int64) {
	t.Helper()
	err := d.Read(background, func(tx *db.Tx) error {
		accounts, err := points.Balances(tx, o.Store, o.CustomerID)
		if err != nil {
			return err
		}
		bought, err := points.Bought(tx, o.Store.Key, accounts, map[string][]string{o.CustomerID: asked})
		for _, id := range asked {
			if got := bought[o.CustomerID][id]; got != want[id] {
				t.Errorf("asked for %d: %s was bought %d times, want %d", len(asked), id, got, want[id])
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// BoughtSince tells what an operation added, whether or not it moved counts out of the account.
func TestBoughtSince(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := owner(t, d, 0)
		campaigns := newIDs(40)
		at := func() (a points.Account) {
			if err := d.Read(background, func(tx *db.Tx) (err error) {
				a, err = points.Balance(tx, o.Store, o.CustomerID)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return a
		}
		for _, added := range [][]string{
			campaigns[:6], campaigns[3:12], campaigns[2:3], campaigns[:20], {campaigns[1], campaigns[1]}, campaigns[20:],
		} {
			want := map[string]int64{}
			for _, id := range added {
				want[id]++
			}
			before := at()
			countPurchases(t, d, o, added...)
			after := at()
			if got := after.BoughtSince(&before); !maps.Equal(got, want) {
				t.Errorf("%d purchases are reported as %v", len(added), got)
			}
		}
	})
}

// Moved counts of any number of customers are read with one statement, which finds them by the key of the table, also
// when many customers have some.
func TestPlanOfMovedCounts(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			var text string
			var args []any
			statements := 0
			config := dbtest.Config(t, engine)
			config.Trace = func(query string, values []any) {
				if strings.Contains(query, "FROM") && strings.Contains(query, "purchase_counts") {
					text, args = query, values
					statements++
				}
			}
			d := dbtest.Open(t, config, newClock().Now)
			o := owner(t, d, 0)
			campaigns, want := newIDs(100), map[string]int64{}
			for _, id := range campaigns {
				countPurchases(t, d, o, id)
				want[id] = 1
			}
			var rows [][]any
			for range 200 {
				customer := db.NewID()
				for _, id := range campaigns {
					rows = append(rows, []any{o.Store.Key, customer, id, int64(1)})
				}
			}
			err := d.Write(background, func(tx *db.Tx) error {
				return tx.Insert("purchase_counts", "store_id, customer_id, campaign_id, bought", "", rows...)
			})
			if err == nil {
				err = d.Analyze(background)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, asked := range [][]string{campaigns[3:4], campaigns[10:30], campaigns} {
				statements = 0
				expectBought(t, d, o, asked, want)
				if statements != 1 {
					t.Errorf("%d statements", statements)
				}
				if err := d.Read(background, func(tx *db.Tx) error {
					lines, err := dbtest.Plan(tx, text, args)
					plan := strings.Join(lines, "\n")
					if strings.Contains(plan, "SCAN c") || strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Hash") ||
						!strings.Contains(plan, "campaign_id") {
						t.Error(plan)
					}
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
