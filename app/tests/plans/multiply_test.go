package plans_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db"
)

// copied are groups of tables whose rows are copied together. Copies of customers share the campaigns, levels and the
// like; copies of campaigns share their targets.
var copied = []struct {
	tables    []string
	unchanged []string // columns that name something else
}{
	{
		[]string{
			"customers", "accounts", "customer_ranks", "purchase_counts", "transfers", "transactions", "purchases",
			"segment_members", "notifications", "inboxes", "announced",
		},
		[]string{"campaign_id", "level_id", "manual_level_id", "pos_id", "seller_id", "segment_id"},
	},
	{[]string{"campaigns", "campaign_counters", "campaign_targets"}, []string{"target_id"}},
}

// different are the columns, beside ids, whose values are different in every row.
var different = []string{
	"email", "phone", "phone_key", "loyalty_card", "loyalty_card_key", "document_number", "document_key",
}

// multiply copies all customers with their history, and the campaigns, so many times.
func multiply(t *testing.T, d *db.DB, times int) {
	t.Helper()
	for _, set := range copied {
		for _, table := range set.tables {
			if err := copyRows(t, d, table, set.unchanged, times); err != nil {
				t.Fatalf("%s: %v", table, err)
			}
		}
	}
	if d.Engine() == "sqlite" { // PostgreSQL has an index
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO purchase_positions (store_id, campaign_id, position, coupon_id)
				SELECT store_id, campaign_id, position, coupon_id FROM purchases WHERE TRUE ON CONFLICT DO NOTHING`)
			if err == nil {
				_, err = tx.Exec(`DELETE FROM recent_positions`)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// copyRows copies the rows of a table. The ids of each copy end in its number.
func copyRows(t *testing.T, d *db.DB, table string, unchanged []string, times int) error {
	columns, err := servertest.ColumnsOf(t, d, table)
	if err != nil {
		return err
	}
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("CREATE TABLE original_" + table + " AS SELECT * FROM " + table)
		return err
	}); err != nil {
		return err
	}
	for n := 1; n <= times; n++ {
		values := slices.Clone(columns)
		for i, column := range columns {
			switch {
			case column == "position":
				values[i] = fmt.Sprintf("position + %d", n*1_000_000)
			case slices.Contains(different, column):
				values[i] = fmt.Sprintf("CASE %s WHEN '' THEN '' ELSE %s || '%d' END", column, column, n)
			case !strings.HasSuffix(column, "_id"), column == "store_id", slices.Contains(unchanged, column):
			case d.Engine() == "sqlite":
				values[i] = fmt.Sprintf("CASE WHEN %s = '' THEN '' ELSE CAST(substr(%s, 1, 12) || x'c0fe%04x' AS BLOB) END",
					column, column, n)
			default:
				values[i] = fmt.Sprintf("CASE WHEN %s = '' THEN '' ELSE left(%s, 28) || 'c0fe%04x' END", column, column, n)
			}
		}
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") SELECT " +
				strings.Join(values, ", ") + " FROM original_" + table)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
