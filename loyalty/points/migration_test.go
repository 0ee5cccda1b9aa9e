package points_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"punchcard/api"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A ledger of the old schema has the same list and the same open lots after the migration.
func TestOldLedgerIsKept(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			d, err := db.Open(background, dbtest.Empty(t, engine))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = d.Close() })
			if err := d.Migrate(background, firstMigrations(t, 9)); err != nil {
				t.Fatal(err)
			}
			owner := points.Owner{Store: &store.Store{Key: 7, Zone: time.UTC}, CustomerID: db.NewID()}
			ids := []string{db.NewID(), db.NewID(), db.NewID(), db.NewID(), db.NewID()}
			slices.Sort(ids)
			dueAt := d.Now().Add(time.Hour).UnixMicro()
			err = d.Write(background, func(tx *db.Tx) error {
				err := tx.Insert("accounts", "store_id, customer_id, account_id, points, p2p, earned, used, expired, locked, "+
					"blocked, next_due_at, bought", "", []any{int64(7), owner.CustomerID, db.NewID(), 800, 300, 1900, 200, 500, 400, 0,
					dueAt, "{}"})
				if err != nil {
					return err
				}
				row := func(i int, kind, state string, value, available int, open bool, expires, locked any, lots string) []any {
					return []any{int64(7), owner.CustomerID, ids[i], kind, state, value, available, open, int64(i), expires, locked,
						points.ByAdmin, "", "", "", "", lots}
				}
				return tx.Insert("transfers", "store_id, customer_id, transfer_id, type, state, value, available, is_open, "+
					"created_at, expires_at, locked_until, issuer, comment, transaction_id, revised_transaction_id, "+
					"other_customer_id, lots", "",
					row(0, points.Adding, points.Expired, 500, 500, false, int64(1), nil, "null"),
					row(1, points.Adding, points.Active, 700, 500, true, nil, nil, "null"),
					row(2, points.P2PAdding, points.Active, 300, 300, true, dueAt, nil, "null"),
					row(3, points.Adding, points.Pending, 400, 400, true, nil, dueAt, "null"),
					row(4, points.Spending, points.Active, 200, 0, false, nil, nil, `[{"lot":"`+ids[1]+`","amount":200}]`))
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Migrate(background, migrations.Files); err != nil {
				t.Fatal(err)
			}
			var all []points.Transfer
			err = d.Read(background, func(tx *db.Tx) (err error) {
				all, err = points.Every(tx, 7, owner.CustomerID)
				return err
			})
			if err != nil || len(all) != len(ids) {
				t.Fatalf("%d transfers, %v", len(all), err)
			}
			if all, adding := listed(t, d, 7), listed(t, d, 7, points.Adding); all != 5 || adding != 3 {
				t.Errorf("lists tell of %d transfers, %d of them adding", all, adding)
			}
			for i, transfer := range all {
				want := [...]points.Transfer{{Lapsed: 500}, {Available: 500, Open: true}, {Available: 300, Open: true},
					{Available: 400, Open: true}, {}}[i]
				if transfer.ID != ids[i] || transfer.Lapsed != want.Lapsed || transfer.Available != want.Available ||
					transfer.Open != want.Open {
					t.Errorf("transfer %d: %+v", i, transfer)
				}
			}
			if _, err := spend(d, owner, 801); err == nil {
				t.Error("more was spent than the lots hold")
			}
			if _, err := spend(d, owner, 800); err != nil {
				t.Error(err)
			}
		})
	}
}

// listed returns the total of a list of a store's transfers of the types.
func listed(t *testing.T, d *db.DB, storeKey int64, types ...string) (total int64) {
	t.Helper()
	err := d.Read(background, func(tx *db.Tx) (err error) {
		_, total, err = points.List(tx, storeKey, points.Filter{Types: types}, api.Page{Limit: 1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}

// firstMigrations returns the migrations up to the number last.
func firstMigrations(t *testing.T, last int) fs.FS {
	t.Helper()
	files, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	first := fstest.MapFS{}
	for _, name := range files {
		text, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if name[:4] <= "000"+string(rune('0'+last)) {
			first[name] = &fstest.MapFile{Data: text}
		}
	}
	return first
}
