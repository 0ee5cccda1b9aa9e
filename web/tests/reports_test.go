package tests

import (
	"regexp"
	"strings"
	"testing"

	"punchcard/web/webtest"
)

var reportScreens = []screen{
	{app: "cockpit", path: "/reports", name: "reports", walk: walkReports},
}

// walkReports looks at each part of the reports, of the usual period and of own dates, and saves a table.
func walkReports(t *testing.T, s *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("Redemption rate")
	p.WaitText("Sales divided by receipts.")
	// The demonstration has receipts of members and of others in both periods.
	row := p.Within("row", "Share of members")
	if text := row.Text(); !regexp.MustCompile(`(Up|Down) \d+(\.\d)? percentage points?$`).MatchString(text) {
		t.Errorf("the change of a share is not in percentage points: %s", text)
	}
	if text := p.Within("row", "Sales divided by receipts.").Text(); !strings.HasSuffix(text, "%") {
		t.Errorf("the change of an amount is not in percent: %s", text)
	}
	p.Select("Compare with", "A year earlier")
	p.WaitText("Compared with")
	p.Select("Period", "Own dates")
	p.Type("To", "2000-01-01")
	p.WaitText("Choose a first and a last day")
	p.Select("Period", "Last 90 days")
	p.ClickRole("tab", "By point of sale")
	p.WaitText("Old town")
	download(p)
	p.ClickRole("tab", "By level")
	p.WaitText("Without a customer")
	p.ClickRole("tab", "Rewards")
	p.WaitText("By the level that the customer had")
	p.WaitText("Gold")
	p.ClickRole("button", "By point of sale")
	p.WaitText("At the point of sale of the seller")
	p.Click("Compute the report")
	p.WaitText("Value unused")
	p.ClickRole("tab", "Customers")
	p.Click("Compute the report")
	p.WaitText("Customers by month of joining")
	p.WaitText("Customers with the most sales")
	p.Reload()
	p.WaitText("Customers with the most sales")
	p.Click("Compute again")
	p.WaitText("Customers with the most sales")
	p.ClickRole("tab", "Figures")
	p.WaitText("Use of coupons")
}
