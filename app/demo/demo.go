// Package demo fills a store with a demonstration program, through the operations that the API calls.
package demo

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/level"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// Country and Zone are those of the demonstration's store.
const (
	Country = "PL"
	Zone    = "Europe/Warsaw"
)

// actionsAtOnce is how many actions share a transaction, to save syncs.
const actionsAtOnce = 50

// Load adds levels, segments, categories, points of sale, campaigns and earning rules to a store that has none yet, and
// the year that its customers have spent with them: points, receipts and purchases. hooks decide what receipts earn,
// as in the server. userPasswordHash lets the customer user@example.com log in; no other customer has a password.
//
// All of it is drawn from a fixed seed and happens in the order of time, by a clock that is behind the server's.
//
// Load runs many transactions. After an error, earlier ones stay, and a second Load fails because the identifiers of
// the points of sale are taken. The caller records the beginning and the end, to recognize a half-loaded store. Nothing
// else may use the database meanwhile.
func Load(ctx context.Context, d *db.DB, s *store.Store, desk *purchase.Desk, hooks transaction.Hooks,
	userPasswordHash string, progress io.Writer) error {
	l := &loader{
		db: d, store: s, desk: desk, hooks: hooks, now: d.Now(), ids: map[string]string{},
		bought: map[[2]string]int64{},
	}
	opening := l.now.AddDate(0, 0, -yearDays)
	err := l.play(ctx, []action{{opening, l.open}, {opening, func(tx *db.Tx, s *store.Store) error {
		return l.illustrate(ctx, tx, s)
	}}})
	if err != nil {
		return fmt.Errorf("demonstration levels and campaigns: %w", err)
	}
	if err := l.report(progress, "%d levels, %d segments, %d points of sale, %d campaigns", len(l.levels),
		len(l.segments), len(l.shops), len(l.campaigns)); err != nil {
		return err
	}
	everybody := people(l.now, userPasswordHash)
	actions := slices.Concat(l.lives(everybody), l.receipts(everybody), l.purchases(everybody))
	slices.SortStableFunc(actions, func(a, b action) int { return a.at.Compare(b.at) })
	if err := l.play(ctx, actions); err != nil {
		return fmt.Errorf("demonstration year: %w", err)
	}
	if err := l.reckon(ctx); err != nil {
		return fmt.Errorf("demonstration segments: %w", err)
	}
	return l.report(progress, "%d customers, %d receipts, %d purchases, %d of them used", len(everybody), l.sales,
		l.sold, l.used)
}

// loader is one Load with what it has stored so far.
type loader struct {
	db    *db.DB
	store *store.Store
	desk  *purchase.Desk
	hooks transaction.Hooks
	now   time.Time

	levels     []string                        // ids, lowest level first
	segments   []string                        // ids
	shops      []string                        // ids
	categories map[*campaign.RewardType]string // ids
	campaigns  []string                        // ids, in the order of offers
	ids        map[string]string               // of customers, by e-mail
	bought     map[[2]string]int64             // purchases by customer and campaign

	sales, sold, used int
}

// action is something that happens at a moment.
type action struct {
	at time.Time
	do func(tx *db.Tx, s *store.Store) error // with the clock at the moment
}

// play runs actions in their order.
func (l *loader) play(ctx context.Context, actions []action) error {
	for group := range slices.Chunk(actions, actionsAtOnce) {
		err := l.db.Write(ctx, func(tx *db.Tx) error {
			for _, a := range group {
				s, past := l.clockAt(tx, a.at)
				if err := a.do(past, s); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// clockAt returns the store and the transaction with the clock at a moment.
func (l *loader) clockAt(tx *db.Tx, moment time.Time) (*store.Store, *db.Tx) {
	past := *l.store
	past.Ahead = moment.Sub(tx.ServerNow())
	return &past, past.Tx(tx)
}

func (l *loader) report(progress io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintf(progress, "demonstration data: "+format+"\n", args...)
	return err
}

// open adds what must exist before the first customer registers.
func (l *loader) open(tx *db.Tx, s *store.Store) error {
	for _, tier := range tiers {
		added, err := level.Create(tx, s, tier.level())
		if err != nil {
			return err
		}
		l.levels = append(l.levels, added.ID)
	}
	if err := l.furnish(tx, s); err != nil {
		return err
	}
	for i, o := range offers {
		draft := o.draft(draws(streamCodes+uint64(i)), l.levels, l.now, s.Zone)
		draft.Definition.Categories = []string{l.categories[o.reward]}
		if o.regulars {
			draft.Definition.Target, draft.Definition.Levels, draft.Definition.Segments = "segment", nil, l.segments[:1]
			draft.Definition.Everybody = false
		}
		id, err := campaign.Create(tx, s, draft)
		if err != nil {
			return err
		}
		l.campaigns = append(l.campaigns, id)
	}
	return l.promise(tx, s)
}
