package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"punchcard/core/access"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

const (
	historyDays  = 365
	receiptsEach = 5  // receipts of each customer in the history
	places       = 20 // points of sale
)

// pastClock is the clock of the preparation. It can go back.
type pastClock struct{ days atomic.Int64 }

func (c *pastClock) now() time.Time { return time.Now().AddDate(0, 0, -int(c.days.Load())) }

// sellHistory registers receipts of all customers, as if on each day of a year.
func (s *shop) sellHistory(ctx context.Context, d *db.DB, clock *pastClock) error {
	began := time.Now()
	defer clock.days.Store(0)
	if err := d.Write(ctx, s.openPlaces); err != nil {
		return err
	}
	receipts := receiptsEach * len(s.customers)
	for day := range historyDays {
		clock.days.Store(int64(historyDays - day))
		first := day * receipts / historyDays
		err := inParts(ctx, d, (day+1)*receipts/historyDays-first, func(tx *db.Tx, from, to int) error {
			for number := first + from; number < first+to; number++ {
				if _, err := transaction.Register(tx, s.store, s.receipt(tx.Now(), number), transaction.Hooks{}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	progress("%s: %d receipts of a year prepared in %.1f s", d.Engine(), receipts, time.Since(began).Seconds())
	return nil
}

func (s *shop) openPlaces(tx *db.Tx) error {
	for i := range places {
		p, err := pos.Create(tx, s.store.Key, pos.Details{
			Name: fmt.Sprintf("Shop %d", i), Identifier: fmt.Sprintf("shop-%d", i),
		})
		if err != nil {
			return err
		}
		s.places = append(s.places, p.ID)
	}
	return nil
}

// receipt returns the receipt of the history with a number. One of ten has no customer.
func (s *shop) receipt(at time.Time, number int) transaction.Transaction {
	t := transaction.Transaction{
		DocumentNumber: fmt.Sprintf("H-%d", number), Type: transaction.Sell, PurchasedAt: at,
		POSID: s.places[number%places],
		Items: []transaction.Item{
			{SKU: transaction.SKU{Code: "COFFEE"}, Name: "Large coffee", Quantity: 2000, GrossValue: decimal.Money(7_8000)},
			{SKU: transaction.SKU{Code: "CAKE"}, Name: "Carrot cake", Quantity: 1000, GrossValue: decimal.Money(4_2000)},
		},
	}
	if number%10 != 9 {
		// 7,919 is a prime, so that the receipts of a customer are spread over the year.
		who := number * 7_919 % len(s.customers)
		t.CustomerData.Name, t.CustomerData.Email = "Ida Berg", fmt.Sprintf("customer-%d@example.com", who)
	}
	return t
}

// metricsPage is a scenario of a page of analytics, of a year and the one before it.
func metricsPage(name, path, query string) *scenario {
	return &scenario{
		name: "figures-" + name, method: "GET", pattern: ofStoreCode + "admin/analytics/" + path,
		rule: access.AdministratorWith(access.Analytics, access.View), alone: true, history: true,
		requests: func(s *shop, p *loadPlan) {
			from := time.Now().AddDate(0, 0, -historyDays).Format(time.DateOnly)
			s.byAdmin(p, "admin/analytics/"+path+"?from="+from+query, "", 0)
		},
	}
}

// reportDays is the length of the period of reports, short enough for the sums of segments.
const reportDays = 92

// measuredReport is the time that a report took in the background.
type measuredReport struct {
	engine, kind string
	rows         int
	took         time.Duration
}

// measureReports measures each kind of report alone on a server.
func (b *bencher) measureReports(ctx context.Context, e *engine, s *shop, to *report) error {
	for _, kind := range b.reports {
		t := b.newTrial(e, s, 1, nil)
		err := t.serve(ctx, func(*database) error {
			began := time.Now()
			rows, err := t.runReport(ctx, kind)
			to.reported = append(to.reported, measuredReport{e.name, kind, rows, time.Since(began)})
			progress("%s %s: %.1f s", e.name, kind, time.Since(began).Seconds())
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	return nil
}

// runReport asks for a report and waits for it. It returns the number of rows that were read.
func (t *trial) runReport(ctx context.Context, kind string) (rows int, err error) {
	path := ofStore + "admin/analytics/report"
	text, err := t.server.request("POST", path, t.shop.adminToken, fmt.Sprintf(
		`{"report":{"kind":%q,"from":%q}}`, kind[len(reportPrefix):],
		time.Now().AddDate(0, 0, 1-reportDays).Format(time.DateOnly)))
	if err != nil {
		return 0, err
	}
	var made struct{ ReportID string }
	if err := json.Unmarshal(text, &made); err != nil {
		return 0, err
	}
	err = t.poll(ctx, path+"/"+made.ReportID, func(text []byte) (ended bool, err error) {
		var found struct {
			State    string
			RowsRead int
		}
		err = json.Unmarshal(text, &found)
		rows = found.RowsRead
		return found.State == "finished", err
	})
	return rows, err
}

func (r *report) reportTable() table {
	t := table{legend: reportLegend, lines: [][]string{{"engine", "report", "rows", "s", "rows/s"}}}
	for _, f := range r.reported {
		t.add(f.engine, f.kind, fmt.Sprint(f.rows), fmt.Sprintf("%.1f", f.took.Seconds()),
			whole(float64(f.rows)/f.took.Seconds()))
	}
	return t
}

const reportLegend = `
Reports over 92 days, from the request until the result is stored.`

const reportPrefix = "report-"

var reportKinds = []string{reportPrefix + "customers", reportPrefix + "rewards"}
