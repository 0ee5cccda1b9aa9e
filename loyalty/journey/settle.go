package journey

import (
	"context"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/mailing"
	"punchcard/loyalty/message"
	"punchcard/platform/db"
)

const (
	settledAtOnce = 200
	// settleAgain is when the messages of an entry are looked at again, if some wait.
	settleAgain = 30 * time.Minute
)

// Settle is the job that adds messages which do not wait any more to the results of journeys, before they are deleted,
// and takes back the gifts of those that were not sent. It returns the number of entries.
func (svc *Service) Settle(ctx context.Context, d *db.DB, s *store.Store) (total int64, err error) {
	ctx = db.InBackground(ctx)
	var journeys []Journey
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		journeys, err = allJourneys(tx, s.Key)
		return err
	})
	for i := 0; i < len(journeys) && err == nil; i++ {
		for n := int64(settledAtOnce); n == settledAtOnce && err == nil && ctx.Err() == nil; total += n {
			if err = svc.withdrawGifts(ctx, d, s, &journeys[i]); err != nil {
				break
			}
			err = store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
				n, err = settleSome(tx, s, journeys[i].ID)
				return err
			})
		}
	}
	return total, err
}

func settleSome(tx *db.Tx, s *store.Store, id string) (n int64, err error) {
	j, err := lock(tx, s.Key, id)
	if err != nil {
		return 0, err
	}
	entries, err := toSettle(tx, s.Key, id)
	if err != nil || len(entries) == 0 {
		return 0, err
	}
	counts, err := countMessages(tx, s.Key, entries)
	if err != nil {
		return 0, err
	}
	for i := range entries {
		j.settle(tx, &entries[i], counts[entries[i].ID])
	}
	if err := saveEntries(tx, entries); err != nil {
		return 0, err
	}
	return int64(len(entries)), saveProgress(tx, j)
}

// toSettle returns the entries of a journey whose messages are looked at now, the first ones first.
func toSettle(tx *db.Tx, storeKey int64, id string) ([]Entry, error) {
	return entryTable.All(tx, `SELECT * FROM journey_entries
		WHERE store_id = ? AND journey_id = ? AND settle_at <= ? ORDER BY settle_at LIMIT ?`,
		storeKey, id, tx.Now().UnixMicro(), settledAtOnce)
}

// countMessages counts the messages of entries by entry, channel and state.
func countMessages(tx *db.Tx, storeKey int64, entries []Entry) (map[string]map[string]message.StateCounts, error) {
	ids := make([]string, len(entries))
	for i := range entries {
		ids[i] = entries[i].ID
	}
	return message.CountMailings(tx, storeKey, ids...)
}

// settle adds the messages of an entry to the results, unless some wait.
func (j *Journey) settle(tx *db.Tx, e *Entry, messages map[string]message.StateCounts) {
	for _, states := range messages {
		if states[message.Waiting] > 0 {
			e.SettleAt = tx.Now().Add(settleAgain)
			return
		}
	}
	e.SettleAt = time.Time{}
	if j.Results == nil {
		j.Results = map[string]message.StateCounts{}
	}
	for channel, states := range messages {
		if j.Results[channel] == nil {
			j.Results[channel] = message.StateCounts{}
		}
		for state, n := range states {
			j.Results[channel][state] += n
		}
	}
}

// CountOutcomes is the job that counts what came of journeys. It returns their number.
func CountOutcomes(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	ctx = db.InBackground(ctx)
	var journeys []Journey
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		journeys, err = allJourneys(tx, s.Key)
		return err
	})
	for i := 0; i < len(journeys) && err == nil; i++ {
		if j := &journeys[i]; j.Sent > 0 {
			_, err = mailing.CountOutcome(ctx, d, s, j.ID, j.Content.OutcomeDays)
			done++
		}
	}
	return done, err
}
