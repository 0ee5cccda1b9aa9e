package points_test

import (
	"maps"
	"slices"
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

// The counts of many campaigns are known one by one, and all together.
func TestCountsOfPurchases(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := owner(t, d, 0)
		other := points.Owner{Store: o.Store, CustomerID: db.NewID()}
		if err := d.Write(background, func(tx *db.Tx) error {
			_, err := points.Open(tx, o.Store, other.CustomerID)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		campaigns, want := newIDs(100), map[string]int64{}
		for i, id := range campaigns {
			countPurchases(t, d, o, id, campaigns[i/2], campaigns[0])
			want[id]++
			want[campaigns[i/2]]++
			want[campaigns[0]]++
		}
		countPurchases(t, d, other, campaigns[7])
		if err := d.Read(background, func(tx *db.Tx) error {
			all, err := points.Bought(tx, o.Store.Key, o.CustomerID, other.CustomerID, db.NewID())
			if !maps.Equal(all[o.CustomerID], want) || !maps.Equal(all[other.CustomerID], map[string]int64{campaigns[7]: 1}) {
				t.Errorf("bought %v, want %v", all, want)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
		err := d.Write(background, func(tx *db.Tx) error {
			asked := []points.Pair{
				{o.CustomerID, campaigns[0]}, {o.CustomerID, db.NewID()}, {other.CustomerID, campaigns[7]},
				{other.CustomerID, campaigns[8]}, {db.NewID(), campaigns[0]}, {o.CustomerID, campaigns[0]},
			}
			pairs, query := points.SelectPairs(tx, o.Store.Key, slices.Values(asked))
			if err := tx.Run(query); err != nil {
				return err
			}
			if !maps.Equal(pairs, map[points.Pair]int64{asked[0]: want[campaigns[0]], asked[2]: 1}) {
				t.Errorf("pairs: %v", pairs)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// A purchase that is subtracted counts no more, whether or not others are counted in the same operation.
func TestUncountedPurchases(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o, id := owner(t, d, 0), db.NewID()
		countPurchases(t, d, o, id, id)
		for _, step := range []struct{ more, left int64 }{{0, 1}, {3, 3}, {0, 2}, {0, 1}, {0, 0}} {
			err := d.Write(background, func(tx *db.Tx) error {
				_, err := points.Change(tx, o, func(w *points.Wallet) ([]event.Entry, error) {
					if step.more > 0 {
						w.CountPurchases(id, step.more)
					}
					left, err := w.UncountPurchase(id)
					if left != step.left {
						t.Errorf("%d left, want %d", left, step.left)
					}
					return nil, err
				})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The counts of the pairs of a batch, and all of some customers, are found by the key of the table, also when many
// customers have some.
func TestPlanOfCounts(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			var text string
			var args []any
			config := dbtest.Config(t, engine)
			config.Trace = func(query string, values []any) {
				if strings.Contains(query, "CROSS JOIN purchase_counts") {
					text, args = query, values
				}
			}
			d := dbtest.Open(t, config, newClock().Now)
			o := owner(t, d, 0)
			var rows [][]any
			var pairs []points.Pair
			var customers []string
			for range 200 {
				customer := db.NewID()
				customers = append(customers, customer)
				for _, id := range newIDs(100) {
					rows = append(rows, []any{o.Store.Key, customer, id, int64(1)})
					pairs = append(pairs, points.Pair{CustomerID: customer, CampaignID: id})
				}
			}
			err := d.Write(background, func(tx *db.Tx) error {
				return tx.Insert("purchase_counts", "store_id, customer_id, campaign_id, bought", "", rows...)
			})
			if err != nil {
				t.Fatal(err)
			}
			dbtest.Analyze(t, d)
			for _, c := range []struct {
				key  string
				read func(tx *db.Tx) db.Query
			}{
				{"campaign_id", func(tx *db.Tx) db.Query {
					_, query := points.SelectPairs(tx, o.Store.Key, slices.Values(pairs[:30]))
					return query
				}},
				{"customer_id", func(tx *db.Tx) db.Query {
					_, query := points.SelectBought(tx, o.Store.Key, customers[:5]...)
					return query
				}},
			} {
				if err := d.Read(background, func(tx *db.Tx) error {
					if err := tx.Run(c.read(tx)); err != nil {
						return err
					}
					lines, err := dbtest.Plan(tx, text, args)
					plan := strings.Join(lines, "\n")
					if strings.Contains(plan, "SCAN c") || strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Hash") ||
						!strings.Contains(plan, c.key) {
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
