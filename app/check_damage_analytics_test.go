package app_test

import (
	"strconv"
	"testing"

	"punchcard/loyalty/rollup"
)

// dayDamage changes a row of the last day of a table in a store whose sums are computed, and expects the rule to name
// that day, or the id if there is one.
func dayDamage(rule, table, assignment, id string, also ...string) damage {
	return damage{rule, also, "", func(h *hand) string {
		h.exec(`INSERT INTO rollups (store_id, zone, settled, corrections, active_after)
			VALUES (1, 'Europe/Warsaw', TRUE, 1, '')
			ON CONFLICT (store_id) DO UPDATE SET zone = 'Europe/Warsaw', settled = TRUE`)
		day := h.pick(`SELECT CAST(MAX(day) AS VARCHAR) FROM ` + table + ` WHERE store_id = 1`)
		h.exec(`UPDATE ` + table + ` SET ` + assignment + ` WHERE store_id = 1 AND day = ` + day)
		if id != "" {
			return id
		}
		return dayText(h.t, day)
	}}
}

func dayText(t *testing.T, day string) string {
	n, err := strconv.ParseInt(day, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return rollup.Day(n).String()
}

func analyticsDamages() []damage {
	return []damage{
		dayDamage("analytics.days", "daily_sums", "coupons_used = coupons_used + 1", ""),
		dayDamage("analytics.held", "daily_sums", "points_issued = points_issued + 1", "outstanding points",
			"analytics.days"),
		dayDamage("analytics.active", "active_days", "customers = customers + 1", ""),
	}
}
