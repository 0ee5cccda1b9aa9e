package report

import (
	"strconv"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// table is a part of a finished report that clients save as a file.
type table struct {
	name    string // in the path
	summary string
	columns []api.TableColumn
	// rows returns the rows, and false if the report has no such part.
	rows func(v *fullView) ([][]string, bool)
}

var tables = []table{
	{"top", "Export the customers of a report with the most sales", topColumns(), topRows},
	{"cohorts", "Export the sales of a report by month of joining",
		api.Titled("Joined in", "Customers#", "Month", "Buyers#", "Sales#", "Currency"), cohortRows},
	{"segments", "Export the sales of a report by segment",
		api.Titled("Id", "Segment", "Members#", "Buyers#", "Receipts#", "Sales#", "Currency"), segmentRows},
	{"rewards", "Export the rewards of a report", api.Titled("Id", "Reward", "Type", "Bought#", "Points#",
		"Cost of points#", "Used#", "Value used#", "Receipts#", "Sales#", "Unused#", "Value unused#", "Currency",
		"Average receipt#"),
		rewardRows},
}

func topColumns() []api.TableColumn {
	columns := api.Titled("Customer id", "First name", "Last name", "E-mail", "Receipts#", "Sales#", "Last purchase",
		"Currency")
	for i := range columns[1:4] {
		columns[i+1].Resource = access.Customers
	}
	return columns
}

// errNotFinished is the error of a table of a report that is still being computed.
var errNotFinished = fault.New(fault.Conflict, "report_not_finished", "The report is not finished.")

func (d desk) export(t table) func(c *api.Call, locale api.Locale) (string, [][]string, error) {
	return func(c *api.Call, locale api.Locale) (string, [][]string, error) {
		v, err := d.read(c, locale)
		if err != nil {
			return "", nil, err
		}
		if v.State != Finished {
			return "", nil, errNotFinished
		}
		rows, found := t.rows(&v)
		if !found {
			err = fault.ErrNotFound
		}
		return "report_" + t.name, rows, err
	}
}

func topRows(v *fullView) (rows [][]string, found bool) {
	if v.Customers == nil {
		return nil, false
	}
	for _, t := range v.Customers.Top {
		rows = append(rows, []string{t.CustomerID, t.FirstName, t.LastName, t.Email, countText(t.Receipts),
			t.Sales.String(), t.LastPurchaseAt, v.Currency})
	}
	return rows, true
}

func cohortRows(v *fullView) (rows [][]string, found bool) {
	if v.Customers == nil {
		return nil, false
	}
	for _, of := range v.Customers.Cohorts {
		for n := range of.Buyers {
			rows = append(rows, []string{
				of.Month, countText(of.Joined), strconv.Itoa(n), countText(of.Buyers[n]), of.Sales[n].String(), v.Currency,
			})
		}
	}
	return rows, true
}

func segmentRows(v *fullView) (rows [][]string, found bool) {
	if v.Customers == nil || v.Customers.Segments == nil {
		return nil, false
	}
	for _, s := range *v.Customers.Segments {
		rows = append(rows, []string{s.SegmentID, s.Name, countText(s.Members), countText(s.Buyers), countText(s.Receipts),
			s.Sales.String(), v.Currency})
	}
	return rows, true
}

func rewardRows(v *fullView) (rows [][]string, found bool) {
	if v.Rewards == nil {
		return nil, false
	}
	for _, r := range v.Rewards.Rewards {
		rows = append(rows, []string{r.CampaignID, r.Name, r.Reward, countText(r.Bought), r.Points.String(),
			moneyText(r.PointsCost), countText(r.Used), moneyText(r.UsedValue), countText(r.Receipts),
			r.Sales.String(), countText(r.Unused),
			moneyText(r.UnusedValue), v.Currency, moneyText(r.Average)})
	}
	return rows, true
}

func countText(n int64) string { return strconv.FormatInt(n, 10) }

func moneyText(m *decimal.Money) string {
	if m == nil {
		return ""
	}
	return m.String()
}
