package app_test

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// dayDamage changes a row of the last day in a table of daily sums. The rule must name that day, or the id if there is
// one.
func dayDamage(rule, table, assignment, id string, also ...string) damage {
	return damage{rule, also, "", func(h *hand) string {
		h.computeSums()
		day := h.pick(`SELECT CAST(MAX(day) AS VARCHAR) FROM ` + table + ` WHERE store_id = 1`)
		h.exec(`UPDATE ` + table + ` SET ` + assignment + ` WHERE store_id = 1 AND day = ` + day)
		if id != "" {
			return id
		}
		return dayText(h.t, day)
	}}
}

// computeSums marks the sums of the store as computed, so that they must equal the rows.
func (h *hand) computeSums() {
	h.exec(`INSERT INTO rollups (store_id, zone, settled, corrections, active_after)
		VALUES (1, 'Europe/Warsaw', TRUE, 1, '')
		ON CONFLICT (store_id) DO UPDATE SET zone = 'Europe/Warsaw', settled = TRUE`)
}

func dayText(t *testing.T, day string) string {
	n, err := strconv.ParseInt(day, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return calendar.Day(n).String()
}

func analyticsDamages() []damage {
	return []damage{
		dayDamage("analytics.days", "daily_sums", "coupons_used = coupons_used + 1", ""),
		{"analytics.days", nil, "", func(h *hand) string {
			h.computeSums()
			id := h.pick(`SELECT campaign_id FROM campaign_uses WHERE store_id = 1 ORDER BY campaign_id LIMIT 1`)
			h.exec(`UPDATE campaign_uses SET used = used + 1 WHERE store_id = 1 AND campaign_id = $1`, id)
			return id
		}},
		dayDamage("analytics.days", "sale_sums", "sales = sales + 1", ""),
		dayDamage("analytics.days", "reward_sums", "sales = sales + 1", ""),
		dayDamage("analytics.held", "daily_sums", "points_issued = points_issued + 1", "outstanding points",
			"analytics.days"),
		dayDamage("analytics.active", "active_days", "customers = customers + 1", ""),
	}
}

// receiptDamages break what coupons count of the receipts that they were used for.
func receiptDamages() []damage {
	return []damage{
		{"purchase.receipt_sales", nil, "", func(h *hand) string {
			id := h.pick(`SELECT MIN(p.coupon_id) FROM purchases p JOIN transactions t ON t.store_id = p.store_id
				AND t.customer_id = p.customer_id AND t.document_type = 'sell' AND p.status <> 'cancelled'
				WHERE p.store_id = 1`)
			h.exec(`UPDATE purchases SET receipt_sales = 999999999, used_for_transaction_id = (SELECT MIN(transaction_id)
				FROM transactions t WHERE t.store_id = 1 AND t.customer_id = purchases.customer_id
				AND t.document_type = 'sell') WHERE store_id = 1 AND coupon_id = $1`, id)
			return id
		}},
		{"purchase.receipt_once", nil, "", func(h *hand) string {
			id := h.pick(`SELECT MIN(coupon_id) FROM purchases WHERE store_id = 1 AND status <> 'cancelled'
				GROUP BY customer_id, campaign_id HAVING COUNT(*) > 1 ORDER BY 1 LIMIT 1`)
			h.exec(`UPDATE purchases SET receipt_sales = 1, used_for_transaction_id = $2 WHERE store_id = 1
				AND status <> 'cancelled' AND EXISTS (SELECT 1 FROM purchases o WHERE o.store_id = 1 AND o.coupon_id = $1
				AND o.customer_id = purchases.customer_id AND o.campaign_id = purchases.campaign_id)`, id, stranger)
			return id
		}},
	}
}

func reportDamages() []damage {
	const columns = "store_id, report_id, kind, from_day, to_day, state, rows_read, rows_total, position, sums, " +
		"created_by, created_at, finished_at, owner"
	one := func(rule, state string, ended any) damage {
		return insert(rule, "reports", columns, stranger, 1, stranger, "customers", 1, 2, state, 0, 0, "", "{}", "{}",
			servertest.StartOfTests.UnixMicro(), ended, "")
	}
	ofNoStore := one("store.of.reports", "waiting", nil)
	ofNoStore.do = func(h *hand) string {
		h.exec(`INSERT INTO reports (`+columns+`) VALUES ($1, $2, 'customers', 1, 2, 'waiting', 0, 0, '', '{}', '{}', $3,
			NULL, '')`, strayStore, stranger, servertest.StartOfTests.UnixMicro())
		return stranger
	}
	return []damage{
		ofNoStore, one("report.state", "lost", nil), one("report.ended", "running", 1), one("report.ended", "finished", nil),
	}
}

// punchcard recount corrects everything that the rules of analytics find, and nothing the second time.
func TestRecountCorrectsTheSums(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		_, database := servertest.StartDemo(t, engine)
		recount := func() string {
			t.Helper()
			var out bytes.Buffer
			if err := app.Recount(t.Context(), database, &out, io.Discard); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		recount()
		recount() // settles the sums, so that the job of the server leaves them alone
		d := dbtest.Open(t, db.Config{URL: database.Database, File: database.Data + "/punchcard.db"}, servertest.FixedClock)
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			h := &hand{t, d, tx}
			for _, damage := range analyticsDamages() {
				damage.do(h)
			}
			h.exec(`INSERT INTO campaign_days (store_id, day, campaign_id, bought)
				SELECT store_id, 12345, campaign_id, 7 FROM campaigns WHERE store_id = 1`)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if n, err := app.Check(t.Context(), database, app.Kinds{}, io.Discard, io.Discard); err != nil || n < 4 {
			t.Fatalf("%d findings, %v", n, err)
		}
		for _, last := range []bool{false, true} {
			out := recount()
			if done := strings.Contains(out, "store DEFAULT: 0 sums corrected"); done != last {
				t.Errorf("recounted: %s", out)
			}
			servertest.ExpectClean(t, database)
		}
	})
}
