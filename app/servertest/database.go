package servertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"punchcard/app"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// ExpectClean fails the test if punchcard check has findings.
func ExpectClean(t *testing.T, database app.Database) {
	t.Helper()
	var out bytes.Buffer
	if n, err := app.Check(t.Context(), database, app.Kinds{}, &out, io.Discard); err != nil || n > 0 {
		t.Errorf("%d findings, %v:\n%s", n, err, &out)
	}
}

// ErrUndo is returned by operations that are to leave nothing.
var ErrUndo = errors.New("undo")

// ColumnsOf returns the columns of a table in their order.
func ColumnsOf(t *testing.T, d *db.DB, table string) (columns []string, err error) {
	query := `SELECT name FROM pragma_table_info(?)`
	if d.Engine() == "postgres" {
		query = `SELECT CAST(column_name AS TEXT) FROM information_schema.columns WHERE table_name = ?`
	}
	err = d.Read(t.Context(), func(tx *db.Tx) error {
		columns, err = db.AllValues[string](tx, query, table)
		return err
	})
	return columns, err
}

// Execute runs one statement in a write.
func Execute(t *testing.T, d *db.DB, statement string) {
	t.Helper()
	if err := d.Write(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(statement); return err }); err != nil {
		t.Fatal(err)
	}
}

// Stock adds customers with 100 points each, and a campaign of 10 points with codes, while the server runs.
func Stock(t *testing.T, config app.Database, customers, codes int) (ids []string, campaignID string) {
	t.Helper()
	d := dbtest.Open(t, db.Config{URL: config.Database, File: config.Data + "/punchcard.db"}, FixedClock)
	err := d.Write(context.Background(), func(tx *db.Tx) error {
		s, _, err := store.ByCode(tx, app.DefaultStore)
		if err != nil {
			return err
		}
		start, err := level.Create(tx, s, level.Level{Active: true})
		if err != nil {
			return err
		}
		for i := range customers {
			c, err := customer.Register(tx, s, customer.Registration{
				Email: fmt.Sprintf("c%d@example.com", i), Agreements: [3]bool{true}, Active: true,
			})
			if err != nil {
				return err
			}
			owner := points.Owner{Store: s, CustomerID: c.ID}
			_, err = points.Change(tx, owner, func(w *points.Wallet) ([]event.Entry, error) {
				_, entry := w.Add(points.Grant{Value: decimal.Whole(100), Issuer: points.ByAdmin, CreatedAt: tx.Now()})
				return []event.Entry{entry}, nil
			})
			if err != nil {
				return err
			}
			ids = append(ids, c.ID)
		}
		draft := campaign.Draft{Campaign: campaign.Campaign{
			Reward: campaign.DiscountCode, Active: true, Cost: decimal.Whole(10), Unlimited: true,
			Activity: campaign.Window{AllTime: true}, Visibility: campaign.Window{AllTime: true},
			Definition: campaign.Definition{Levels: []string{start.ID}},
		}}
		for i := range codes {
			draft.Codes = append(draft.Codes, fmt.Sprintf("CODE-%d", i))
		}
		campaignID, err = campaign.Create(tx, s, draft)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids, campaignID
}

// Read runs a read, which must not fail.
func Read(t testing.TB, d *db.DB, run func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Read(t.Context(), run); err != nil {
		t.Fatal(err)
	}
}

// Tables lists all tables with their columns.
func Tables(t *testing.T, d *db.DB) map[string][]string {
	t.Helper()
	query := `SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'
		AND m.name NOT LIKE 'search\_words%' ESCAPE '\'` // the words of the index are in search_documents
	if d.Engine() == "postgres" {
		query = `SELECT CAST(relname AS TEXT), CAST(attname AS TEXT) FROM pg_class t JOIN pg_attribute ON attrelid = t.oid
			WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped`
	}
	all := map[string][]string{}
	type column struct{ table, name string }
	Read(t, d, func(tx *db.Tx) error {
		return db.Each(tx, func(c *column) []any { return []any{&c.table, &c.name} },
			func(c column) { all[c.table] = append(all[c.table], c.name) }, query)
	})
	if len(all) < 20 {
		t.Fatalf("%d tables", len(all))
	}
	return all
}
