package journey

import (
	"context"
	"encoding/json"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/occasion"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/form"
)

// bought is after a purchase, once for each receipt. Its occasions are the ids of receipts.
var bought = &recipe{
	name: "purchase", hours: true, oncePerCap: true, sample: nothing,
	read: func(g *form.Group, s *store.Store, c *Content) {
		c.LeastAmount = s.ReadMoney(g, "leastAmount", form.AtLeast(0))
	},
	applies: func(due *judge, e *Entry, _ *membership.Member) (map[string]string, bool, error) {
		sale, found := due.sold[e.Occasion]
		return nil, found && sale.Left >= due.journey.Content.LeastAmount, nil
	},
}

const (
	eventsAtOnce = 200
	cursor       = "journeys" // of events
	// receiptAge is how old a receipt can be when it is registered, to start a journey.
	receiptAge = occasion.LateLimit * 24 * time.Hour
)

// Receipts is the job that lets customers enter after purchases: it reads the events of receipts. It returns the number
// of events.
func Receipts(d *db.DB) func(ctx context.Context) (int64, error) {
	return func(ctx context.Context) (read int64, err error) {
		last, err := event.Last(ctx, d)
		for more := true; more && err == nil && ctx.Err() == nil; {
			var n int64
			n, more, err = readReceipts(ctx, d, last)
			read += n
		}
		return read, err
	}
}

// readReceipts handles some events up to the last one. Without any journey that they could start, it passes them.
func readReceipts(ctx context.Context, d *db.DB, last int64) (n int64, more bool, err error) {
	var from int64
	var anyActive bool
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		if from, err = event.Cursor(tx, cursor); err != nil {
			return err
		}
		anyActive, err = db.Value[bool](tx, `SELECT EXISTS (SELECT 1 FROM journeys WHERE recipe = ? AND active = TRUE)`,
			bought.name)
		return err
	})
	if err != nil || from >= last {
		return 0, false, err
	}
	to := last
	byStore := map[int64]map[string]string{} // customers by receipt
	if anyActive {
		events, further, err := event.After(ctx, d, from, eventsAtOnce)
		if err != nil || len(events) == 0 {
			return 0, false, err
		}
		n, more, to = int64(len(events)), further, events[len(events)-1].ID
		if err := collect(events, byStore); err != nil {
			return 0, false, err
		}
	}
	moved := false
	err = d.Write(ctx, func(tx *db.Tx) (err error) {
		if moved, err = event.MoveCursor(tx, cursor, from, to); err != nil || !moved {
			return err
		}
		for storeKey, receipts := range byStore {
			if err := enterReceipts(tx, storeKey, receipts); err != nil {
				return err
			}
		}
		return nil
	})
	return n, more && moved, err
}

// assigned holds the members that matter of an event that matches a receipt with a customer.
type assigned struct {
	Customer struct {
		ID string `json:"customerId"`
	} `json:"customerId"`
	Transaction struct {
		ID string `json:"transactionId"`
	} `json:"transactionId"`
	IsReturn bool `json:"isReturn"`
}

// collect reads receipts of customers from events.
func collect(events []event.Event, byStore map[int64]map[string]string) error {
	for i := range events {
		if events[i].Type != transaction.Facts.Assigned.EventType() {
			continue
		}
		var fact assigned
		if err := json.Unmarshal(events[i].Payload, &fact); err != nil {
			return err
		}
		if fact.IsReturn {
			continue
		}
		if byStore[events[i].StoreKey] == nil {
			byStore[events[i].StoreKey] = map[string]string{}
		}
		byStore[events[i].StoreKey][fact.Transaction.ID] = fact.Customer.ID
	}
	return nil
}

func enterReceipts(tx *db.Tx, storeKey int64, receipts map[string]string) error {
	journeys, err := active(tx, storeKey, bought.name)
	if err != nil || len(journeys) == 0 {
		return err
	}
	s, found, err := store.ByKey(tx, storeKey)
	if err != nil || !found {
		return err
	}
	tx = s.Tx(tx)
	ids := make([]string, 0, len(receipts))
	for id := range receipts {
		ids = append(ids, id)
	}
	sold, err := transaction.FindSold(tx, storeKey, db.Distinct(ids)...)
	if err != nil {
		return err
	}
	for i := range journeys {
		j := &journeys[i]
		var found []finding
		for _, id := range db.Distinct(ids) {
			sale, known := sold[id]
			if known && sale.Left >= j.Content.LeastAmount && !sale.At.Before(j.ActiveSince) &&
				sale.At.After(tx.Now().Add(-receiptAge)) {
				due := sale.At.Add(time.Duration(j.Content.Delay) * time.Hour)
				found = append(found, finding{customerID: receipts[id], occasion: id, dueAt: due})
			}
		}
		if err := enter(tx, j, found...); err != nil {
			return err
		}
	}
	return nil
}
