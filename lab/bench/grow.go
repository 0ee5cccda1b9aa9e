package main

import (
	"context"
	"fmt"
	"strings"

	"punchcard/platform/db"
)

// positionGap is added to the positions of copied purchases for each copy, so that none is sold again.
const positionGap = 10_000_000

// grow multiplies the customers, with their accounts, transfers and purchases, by copying them. The
// copies of a customer are stored next to the original, so that the customers who buy are spread
// over the whole tables. Copies have no events.
func (s *shop) grow(ctx context.Context, d *db.DB, times int) error {
	for _, c := range tablesToCopy(d.Engine()) {
		if err := c.grow(ctx, d, times); err != nil {
			return fmt.Errorf("%s: %w", c.table, err)
		}
	}
	return d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE campaign_counters SET sold = sold * $1 WHERE store_id = $2`, times, s.store.Key)
		if err != nil {
			return err
		}
		// The points owed are read from the sums of a job if a store has many customers.
		if _, err = tx.Exec(`UPDATE daily_sums SET customers = customers * $1`, times); err != nil || d.Engine() != "sqlite" {
			return err
		}
		if _, err = tx.Exec(`INSERT INTO purchase_positions (store_id, campaign_id, position, coupon_id)
			SELECT store_id, campaign_id, position, coupon_id FROM purchases WHERE TRUE ON CONFLICT DO NOTHING`); err == nil {
			_, err = tx.Exec(`DELETE FROM recent_positions`)
		}
		return err
	})
}

// copiedTable is a table that is copied.
type copiedTable struct {
	engine, table string
	ids           []string          // columns with ids, which are replaced alike in all tables
	others        map[string]string // other columns that change, computed from the number of the copy
}

func tablesToCopy(engine string) []copiedTable {
	number := "CAST($1 AS BIGINT)"
	text := " || '-' || CAST(" + number + " AS VARCHAR)"
	return []copiedTable{
		{engine, "customers", []string{"customer_id"}, map[string]string{
			"email": "email" + text, "phone": "phone" + text, "phone_key": "phone_key" + text,
			"loyalty_card": "loyalty_card" + text, "loyalty_card_key": "loyalty_card_key" + text,
		}},
		{engine, "accounts", []string{"customer_id", "account_id", "last_transfer_id"}, nil},
		{engine, "purchase_counts", []string{"customer_id"}, nil},
		{engine, "transfers", []string{"customer_id", "transfer_id", "previous_id"}, nil},
		{engine, "purchases", []string{"customer_id", "coupon_id", "spend_id"}, map[string]string{
			"position": fmt.Sprintf("position + %d * %s", positionGap, number), "code": "code" + text,
		}},
		{engine, "transactions", []string{"customer_id", "transaction_id"}, map[string]string{
			"document_number": "document_number" + text, "document_key": "document_key" + text,
		}},
	}
}

// grow inserts the copies from a table that holds the originals.
func (g *copiedTable) grow(ctx context.Context, d *db.DB, times int) error {
	columns, err := g.columns(ctx, d)
	if err != nil {
		return err
	}
	made := make([]string, len(columns))
	for i, column := range columns {
		if made[i] = g.others[column]; made[i] == "" {
			made[i] = column
		}
		for _, id := range g.ids {
			if id == column {
				made[i] = "CASE " + column + " WHEN '' THEN '' ELSE " + g.otherID(column) + " END"
			}
		}
	}
	before := "before_" + g.table
	if err := run(ctx, d, "CREATE TABLE "+before+" AS SELECT * FROM "+g.table); err != nil {
		return err
	}
	for number := 1; number < times; number++ {
		// A value that no column takes determines the types of both.
		text := "INSERT INTO " + g.table + " (" + strings.Join(columns, ", ") + ") SELECT " + strings.Join(made, ", ") +
			" FROM " + before + " WHERE $1 > 0 AND $2 <> ''"
		if err := run(ctx, d, text, int64(number), fmt.Sprintf("c%03x", number)); err != nil {
			return err
		}
	}
	return run(ctx, d, "DROP TABLE "+before)
}

// otherID replaces 4 random hexadecimal digits of a UUID by digits that begin with c, which no UUID
// of the product has there.
func (g *copiedTable) otherID(column string) string {
	if g.engine == "sqlite" { // 16 bytes
		return "unhex(substr(hex(" + column + "), 1, 16) || $2 || substr(hex(" + column + "), 21))"
	}
	return "substr(" + column + ", 1, 19) || $2 || substr(" + column + ", 24)"
}

func (g *copiedTable) columns(ctx context.Context, d *db.DB) (names []string, err error) {
	query := `SELECT name FROM pragma_table_info($1) ORDER BY cid`
	if g.engine == "postgres" {
		query = `SELECT CAST(column_name AS VARCHAR) FROM information_schema.columns WHERE table_name = $1
			ORDER BY ordinal_position`
	}
	err = d.Read(ctx, func(tx *db.Tx) error {
		names, err = db.AllValues[string](tx, query, g.table)
		return err
	})
	return names, err
}

func run(ctx context.Context, d *db.DB, text string, args ...any) error {
	return d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(text, args...)
		return err
	})
}
