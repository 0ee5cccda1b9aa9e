package analytics

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// OwedLive is the number of customers up to which the points owed are summed up for each request. For more, the sums of
// the last OwedEvery are shown.
const OwedLive = 20_000

// OwedEvery is the time between two sums of the points owed.
const OwedEvery = 24 * time.Hour

// owedReport is the stored form of what a store owes.
type owedReport struct {
	Points  points.Amount            `json:"points"`
	Blocked points.Amount            `json:"blocked,omitempty"`
	Never   points.Amount            `json:"never,omitempty"` // in lots that do not expire
	Months  map[string]points.Amount `json:"months"`          // by month of expiry, such as 2027-01
	Levels  map[string]levelOwed     `json:"levels"`          // by id, without deleted customers
	Deleted levelOwed                `json:"deleted,omitzero"`
}

type levelOwed struct {
	Customers int           `json:"customers"`
	Points    points.Amount `json:"points"`
}

// sumOwed sums up the points that customers hold.
func sumOwed(tx *db.Tx, s *store.Store) (*owedReport, error) {
	r := &owedReport{Months: map[string]points.Amount{}, Levels: map[string]levelOwed{}}
	err := points.EachHolding(tx, s.Key, customer.LevelsOf(s.Key), func(h points.Holding) {
		r.Points += h.Points
		r.Blocked += h.Blocked
		if h.Gone {
			r.Deleted = levelOwed{r.Deleted.Customers + 1, r.Deleted.Points + h.Points}
		} else {
			of := r.Levels[h.LevelID]
			r.Levels[h.LevelID] = levelOwed{of.Customers + 1, of.Points + h.Points}
		}
		h.EachLot(func(left points.Amount, expiresAt time.Time) {
			if expiresAt.IsZero() {
				r.Never += left
			} else {
				r.Months[expiresAt.In(s.Zone).Format("2006-01")] += left
			}
		})
	})
	return r, err
}

// RecomputeOwed is the job that sums up the points owed where that was last done OwedEvery ago. It returns the number
// of stores.
func RecomputeOwed(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	due := false
	var report *owedReport
	err = store.Read(ctx, d, s, func(tx *db.Tx) error {
		at, _, found, err := findOwed(tx, s.Key)
		if due = !found || at.Before(tx.Now().Add(-OwedEvery)) || at.After(tx.Now()); err != nil || !due {
			return err
		}
		report, err = sumOwed(tx, s)
		return err
	})
	if err != nil || !due {
		return 0, err
	}
	return 1, store.Write(ctx, d, s, func(tx *db.Tx) error {
		return owedTable.Put(tx, &computedOwed{s.Key, tx.Now(), report})
	})
}

// computedOwed is the report of a store with the time of the computation.
type computedOwed struct {
	storeKey int64
	at       time.Time
	report   *owedReport
}

var owedTable = db.NewTable("owed_points", "store_id", func(c *computedOwed) db.Row {
	return db.Row{"store_id", &c.storeKey, "computed_at", db.Time(&c.at), "report", db.JSON(&c.report)}
})

func findOwed(tx *db.Tx, storeKey int64) (at time.Time, report *owedReport, found bool, err error) {
	c, found, err := owedTable.One(tx, `SELECT * FROM owed_points WHERE store_id = ?`, storeKey)
	return c.at, c.report, found, err
}

// owedView is the JSON of what a store owes: docs/behaviour/analytics.md#points-owed.
type owedView struct {
	frame
	ComputedAt string        `json:"computedAt"`
	Currency   string        `json:"currency"`
	PointCost  *decimal.Rate `json:"pointCost,omitempty"` // money for one point
	Total      owedSum       `json:"total"`
	Blocked    owedSum       `json:"blocked"`
	Never      owedSum       `json:"never"`
	Months     []owedMonth   `json:"months"`
	Levels     []owedOfLevel `json:"levels"`
	Deleted    *owedOfLevel  `json:"deleted,omitempty"` // of deleted and erased customers; missing if they hold none
	Breakage   breakageView  `json:"breakage"`
}

type owedSum struct {
	Points points.Amount  `json:"points"`
	Value  *decimal.Money `json:"value,omitempty"`
}

type owedMonth struct {
	Month string `json:"month"` // of expiry
	owedSum
}

type owedOfLevel struct {
	LevelID   string `json:"levelId,omitempty"`
	Name      string `json:"name,omitempty"`
	Customers int    `json:"customers"`
	owedSum
}

// breakageView tells which share of the points that could expire in a year did so.
type breakageView struct {
	From    string        `json:"from"`
	To      string        `json:"to"`
	Issued  points.Amount `json:"issued"` // in lots with an expiry in these days
	Expired points.Amount `json:"expired"`
	Rate    *decimal.Rate `json:"rate,omitempty"` // expired of issued; missing if no lot ended
}

// showOwed sums up the points that customers hold, by month of expiry and by level.
func showOwed(r *api.Reading, locale api.Locale) (owedView, error) {
	v := owedView{frame: frameOf(r.Call), Currency: r.Store.Currency, Months: []owedMonth{}, Levels: []owedOfLevel{}}
	at, report, err := currentOwed(r.Tx, r.Store)
	if err != nil {
		return v, err
	}
	levels, err := level.All(r.Tx, r.Store.Key)
	if err != nil {
		return v, err
	}
	v.ComputedAt = api.Timestamp(at, r.Store.Zone)
	v.fill(r.Store, report, levels, locale)
	v.Breakage, err = breakage(r.Tx, r.Store, Today(r.Call))
	return v, err
}

// currentOwed returns the sums of this moment for a small store, otherwise those of the job if it has run.
func currentOwed(tx *db.Tx, s *store.Store) (time.Time, *owedReport, error) {
	total, err := rollup.Total(tx, s.Key, lastDay)
	if err != nil {
		return time.Time{}, nil, err
	}
	if total[rollup.Customers] > OwedLive {
		if at, report, found, err := findOwed(tx, s.Key); found || err != nil {
			return at, report, err
		}
	}
	report, err := sumOwed(tx, s)
	return tx.Now(), report, err
}

func (v *owedView) fill(s *store.Store, r *owedReport, levels []level.Level, locale api.Locale) {
	cost := s.Settings.PointCost
	if cost > 0 {
		v.PointCost = &cost
	}
	sum := func(p points.Amount) owedSum {
		if cost == 0 {
			return owedSum{Points: p}
		}
		return owedSum{p, new(worth(s, p, cost))}
	}
	v.Total, v.Blocked, v.Never = sum(r.Points), sum(r.Blocked), sum(r.Never)
	for _, month := range slices.Sorted(maps.Keys(r.Months)) {
		v.Months = append(v.Months, owedMonth{month, sum(r.Months[month])})
	}
	for id, of := range r.Levels {
		shown := owedOfLevel{LevelID: id, Customers: of.Customers, owedSum: sum(of.Points)}
		if l := level.Find(levels, id); l != nil {
			shown.Name = l.Name(locale)
		}
		v.Levels = append(v.Levels, shown)
	}
	if of := r.Deleted; of.Customers > 0 {
		v.Deleted = &owedOfLevel{Customers: of.Customers, owedSum: sum(of.Points)}
	}
	slices.SortFunc(v.Levels, func(a, b owedOfLevel) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.LevelID, b.LevelID))
	})
}

// worth returns the money for points in the digits of the store's currency.
func worth(s *store.Store, p points.Amount, cost decimal.Rate) decimal.Money {
	money, _ := decimal.Worth(p, cost, s.MoneyDigits(), false)
	return money
}

// breakage sums up the lots whose expiry was in the last twelve months. Today is left out: some of its lots have not
// expired yet.
func breakage(tx *db.Tx, s *store.Store, today calendar.Day) (breakageView, error) {
	first, last := today.Month(-11), today-1
	days, err := rollup.Days(tx, s.Key, first, last)
	v := breakageView{From: first.String(), To: last.String()}
	for _, sums := range days {
		v.Issued += points.Amount(sums[rollup.PointsDue])
		v.Expired += points.Amount(sums[rollup.PointsExpired])
	}
	if v.Issued > 0 {
		v.Rate = new(decimal.Rate(int64(v.Expired) * decimal.OneRate / int64(v.Issued)))
	}
	return v, err
}
