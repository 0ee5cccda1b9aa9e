package mailing

import (
	"context"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

const (
	// OutcomesEvery is how often outcomes are counted.
	OutcomesEvery = 3 * time.Hour
	// OutcomeDaysLimit is the maximum of days after a message whose sales and coupons count.
	OutcomeDaysLimit   = 90
	defaultOutcomeDays = 7
	// outcomeChunk is how many recipients one transaction counts.
	outcomeChunk = 200
)

// ReadOutcomeDays reads for how many days after a message sales and coupons count.
func ReadOutcomeDays(g *form.Group) int {
	days := g.Integer("outcomeDays", form.AtLeast(1), form.LessThan(OutcomeDaysLimit+1))
	if !g.HasValue("outcomeDays") {
		return defaultOutcomeDays
	}
	return int(days)
}

// Numbers sum up what recipients of a source did within some days after its message.
type Numbers struct {
	Sales   int64         `json:"sales"`
	Amount  decimal.Money `json:"amount"`  // of the sales, less returns
	Coupons int64         `json:"coupons"` // that were used
}

func (n *Numbers) add(m Numbers) {
	n.Sales, n.Amount, n.Coupons = n.Sales+m.Sales, n.Amount+m.Amount, n.Coupons+m.Coupons
}

// Outcome are the numbers of a source as they were last counted.
type Outcome struct {
	Numbers
	CountedAt time.Time // zero: never
}

// OutcomeView is the JSON of an outcome.
type OutcomeView struct {
	Days int `json:"days"`
	Numbers
	CountedAt *string `json:"countedAt,omitempty"`
}

const selectOutcome = `SELECT final, outcome, counted_at FROM marketing_outcomes WHERE store_id = ? AND source_id = ?`

type outcomeRow struct {
	storeKey int64
	sourceID string
	final    Numbers
	Outcome
}

var outcomeTable = db.NewTable("marketing_outcomes", "store_id, source_id", func(r *outcomeRow) db.Row {
	return db.Row{
		"store_id", &r.storeKey, "source_id", &r.sourceID, "final", db.JSON(&r.final), "outcome", db.JSON(&r.Numbers),
		"counted_at", db.Time(&r.CountedAt),
	}
})

// OutcomeOf returns the outcome of a source.
func OutcomeOf(tx *db.Tx, storeKey int64, sourceID string) (Outcome, error) {
	r, _, err := outcomeTable.One(tx, selectOutcome, storeKey, sourceID)
	return r.Outcome, err
}

// recipient is a row of marketing_recipients with the span of time whose sales and coupons count for it: until some
// days have passed, or the customer got the next message of the source.
type recipient struct {
	storeKey                       int64
	sourceID, customerID, occasion string
	entryID, token                 string
	from, until                    time.Time // from when the message was queued
	clickedAt                      time.Time
	counted                        bool
	next                           time.Time // when the customer got the next message of the source
}

var (
	recipientTable = db.NewTable("marketing_recipients", "store_id, source_id, customer_id, occasion",
		func(r *recipient) db.Row {
			return db.Row{
				"store_id", &r.storeKey, "source_id", &r.sourceID, "customer_id", &r.customerID, "occasion", &r.occasion,
				"entry_id", &r.entryID, "token", &r.token, "sent_at", db.Time(&r.from),
				"clicked_at", db.Time(&r.clickedAt), "counted", &r.counted,
			}
		})
	recipientSpans = db.NewView(recipientTable, func(r *recipient) db.Row {
		return append(recipientTable.Row(r), "next", db.Time(&r.next))
	})
)

// CountOutcome counts what the recipients of a source did within some days after its message. open is the number of
// those whose days are not over.
func CountOutcome(ctx context.Context, d *db.DB, s *store.Store, sourceID string, days int) (open int64, err error) {
	var running Numbers
	after := recipient{}
	for more := true; more && err == nil; {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		err = store.Write(ctx, d, s, func(tx *db.Tx) error {
			found, err := uncounted(tx, s, sourceID, days, after)
			if err != nil || len(found) == 0 {
				more = false
				return err
			}
			var over, others []recipient
			for _, r := range found {
				if r.until.Add(lateReceipts).Before(tx.Now()) {
					over = append(over, r)
				} else {
					others = append(others, r)
				}
			}
			part, err := countSpans(tx, s, others)
			if err != nil {
				return err
			}
			tx.AfterCommit(func() {
				running.add(part)
				open, after, more = open+int64(len(others)), found[len(found)-1], len(found) == outcomeChunk
			})
			return settleOutcome(tx, s, sourceID, over)
		})
	}
	if err != nil {
		return 0, err
	}
	return open, store.Write(ctx, d, s, func(tx *db.Tx) error {
		r, _, err := outcomeTable.One(tx, selectOutcome+` FOR UPDATE`, s.Key, sourceID)
		if err != nil {
			return err
		}
		r.Numbers = r.final
		r.Numbers.add(running)
		r.CountedAt = tx.Now()
		return saveOutcome(tx, s.Key, sourceID, &r)
	})
}

// lateReceipts is how long receipts that are registered late still count.
const lateReceipts = 24 * time.Hour

func uncounted(tx *db.Tx, s *store.Store, sourceID string, days int, after recipient) ([]recipient, error) {
	found, err := recipientSpans.All(tx, `SELECT store_id, source_id, customer_id, occasion, sent_at,
			(SELECT MIN(n.sent_at) FROM marketing_recipients n WHERE n.store_id = r.store_id
				AND n.source_id = r.source_id AND n.customer_id = r.customer_id AND n.sent_at > r.sent_at) AS next
		FROM marketing_recipients r
		WHERE store_id = ? AND source_id = ? AND counted = FALSE AND (customer_id, occasion) > (?, ?)
		ORDER BY customer_id, occasion LIMIT ?`, s.Key, sourceID, after.customerID, after.occasion, outcomeChunk)
	for i := range found {
		r := &found[i]
		r.until = calendar.AddDate(r.from, 0, 0, days, s.Zone)
		if !r.next.IsZero() && r.next.Before(r.until) {
			r.until = r.next
		}
	}
	return found, err
}

func countSpans(tx *db.Tx, s *store.Store, of []recipient) (n Numbers, err error) {
	if len(of) == 0 {
		return n, nil
	}
	spans := make([][]any, len(of))
	for i, r := range of {
		spans[i] = []any{r.customerID, r.from.UnixMicro(), r.until.UnixMicro()}
	}
	among := tx.AmongRows(s.Key, []string{"TEXT", "BIGINT", "BIGINT"}, spans...)
	if n.Sales, n.Amount, err = transaction.SumSales(tx, among); err != nil {
		return n, err
	}
	n.Coupons, err = purchase.CountUsed(tx, among)
	return n, err
}

// settleOutcome adds recipients whose days are over to the final numbers.
func settleOutcome(tx *db.Tx, s *store.Store, sourceID string, over []recipient) error {
	if len(over) == 0 {
		return nil
	}
	part, err := countSpans(tx, s, over)
	if err != nil {
		return err
	}
	r, _, err := outcomeTable.One(tx, selectOutcome+` FOR UPDATE`, s.Key, sourceID)
	if err != nil {
		return err
	}
	for i := range over {
		over[i].counted = true
	}
	if err := recipientTable.Update(tx, "counted", db.Pointers(over)...); err != nil {
		return err
	}
	r.final.add(part)
	return saveOutcome(tx, s.Key, sourceID, &r)
}

func saveOutcome(tx *db.Tx, storeKey int64, sourceID string, r *outcomeRow) error {
	r.storeKey, r.sourceID = storeKey, sourceID
	return outcomeTable.Put(tx, r)
}

// CountOutcomes is the job that counts what came of the mailings whose outcome is not final.
func CountOutcomes(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	ctx = db.InBackground(ctx)
	var all []Mailing
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		all, err = table.All(tx, `SELECT * FROM mailings
			WHERE store_id = ? AND outcome_final = FALSE AND started_at IS NOT NULL ORDER BY mailing_id`, s.Key)
		return err
	})
	for i := 0; i < len(all) && err == nil && ctx.Err() == nil; i++ {
		m := &all[i]
		var open int64
		if open, err = CountOutcome(ctx, d, s, m.ID, m.Content.outcomeDays()); err != nil {
			return done, err
		}
		if done++; open == 0 && !m.FinishedAt.IsZero() {
			err = store.Write(ctx, d, s, func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE mailings SET outcome_final = TRUE WHERE store_id = ? AND mailing_id = ?`,
					s.Key, m.ID)
				return err
			})
		}
	}
	return done, err
}
