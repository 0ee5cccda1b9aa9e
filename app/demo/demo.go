// Package demo fills a store with a demonstration program, through the operations that the API calls.
package demo

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// registeredAtOnce is how many customers share a transaction: enough to save syncs, few enough not to
// hold SQLite's one writer for long.
const registeredAtOnce = 10

// Load adds levels, segments, categories, points of sale, campaigns, earning rules, customers with points, receipts
// and purchases to a store that has none yet. hooks run for receipts, as in the server.
// userPasswordHash lets the customer user@example.com log in; no other customer has a password.
//
// Load runs many transactions, as the same calls of the API would: the desk commits purchases by itself,
// and one transaction for the rest would block SQLite's only writer for long. After an error, earlier
// transactions stay, and a second Load fails because the e-mail addresses are taken. The caller records
// the beginning and the end, to recognize a half-loaded store.
//
// People, points and campaigns come from a fixed seed. Which code a customer gets depends on the order in
// which concurrent purchases are served.
func Load(ctx context.Context, d *db.DB, s *store.Store, desk *purchase.Desk, hooks transaction.Hooks,
	userPasswordHash string, progress io.Writer) error {
	l := &loader{db: d, store: s, desk: desk, hooks: hooks, now: d.Now(), shopList: shops, offers: offers}
	if err := d.Write(ctx, l.open); err != nil {
		return fmt.Errorf("demonstration levels and campaigns: %w", err)
	}
	if err := l.reportProgram(progress); err != nil {
		return err
	}
	everybody := people(l.now, userPasswordHash)
	for group := range slices.Chunk(everybody, registeredAtOnce) {
		if err := l.register(ctx, group); err != nil {
			return fmt.Errorf("demonstration customers: %w", err)
		}
	}
	if err := l.report(progress, "%d customers", len(l.members)); err != nil {
		return err
	}
	receipts, err := l.ring(ctx, everybody)
	if err != nil {
		return fmt.Errorf("demonstration receipts: %w", err)
	}
	if err := l.report(progress, "%d receipts", receipts); err != nil {
		return err
	}
	if err := l.reckon(ctx); err != nil {
		return fmt.Errorf("demonstration segments: %w", err)
	}
	bought, used, err := l.shop(ctx)
	if err != nil {
		return fmt.Errorf("demonstration purchases: %w", err)
	}
	return l.report(progress, "%d purchases, %d of them used", bought, used)
}

// loader is one Load with what it has stored so far.
type loader struct {
	db    *db.DB
	store *store.Store
	desk  *purchase.Desk
	hooks transaction.Hooks
	now   time.Time

	shopList []pos.Details
	offers   []offer

	levels     []string                        // ids, lowest level first
	segments   []string                        // ids
	shops      []string                        // ids
	categories map[*campaign.RewardType]string // ids
	campaigns  []string                        // ids, in the order of offers
	members    []member
}

// member is a registered person.
type member struct {
	id      string
	balance points.Amount
}

func (l *loader) reportProgram(progress io.Writer) error {
	return l.report(progress, "%d levels, %d segments, %d points of sale, %d campaigns", len(l.levels),
		len(l.segments), len(l.shops), len(l.campaigns))
}

func (l *loader) report(progress io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintf(progress, "demonstration data: "+format+"\n", args...)
	return err
}

// open adds what must exist before the first customer registers.
func (l *loader) open(tx *db.Tx) error {
	l.levels, l.campaigns = nil, nil
	for _, tier := range tiers {
		added, err := level.Create(tx, l.store, tier.level())
		if err != nil {
			return err
		}
		l.levels = append(l.levels, added.ID)
	}
	if err := l.furnish(tx); err != nil {
		return err
	}
	for i, o := range l.offers {
		draft := o.draft(draws(streamCodes+uint64(i)), l.levels, l.now, l.store.Zone)
		draft.Definition.Categories = []string{l.categories[o.reward]}
		if o.regulars {
			draft.Definition.Target, draft.Definition.Levels, draft.Definition.Segments = "segment", nil, l.segments[:1]
			draft.Definition.Everybody = false
		}
		id, err := campaign.Create(tx, l.store, draft)
		if err != nil {
			return err
		}
		l.campaigns = append(l.campaigns, id)
	}
	return l.promise(tx)
}

// register adds a group of people with their points.
func (l *loader) register(ctx context.Context, group []person) error {
	members := make([]member, len(group))
	err := l.db.Write(ctx, func(tx *db.Tx) (err error) {
		for i := range group {
			if members[i], err = l.welcome(tx, &group[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.members = append(l.members, members...)
	return nil
}

func (l *loader) welcome(tx *db.Tx, p *person) (member, error) {
	in := p.Registration
	if p.tier > 0 {
		in.LevelID = l.levels[p.tier]
	}
	added, err := customer.Register(tx, l.store, in)
	if err != nil {
		return member{}, err
	}
	if p.activates {
		if err := customer.Activate(tx, l.store, added.ID); err != nil {
			return member{}, err
		}
	}
	m := member{id: added.ID}
	if len(p.grants) > 0 {
		if m.balance, err = l.reward(tx, added.ID, p); err != nil {
			return member{}, err
		}
	}
	if p.isBlocked {
		err = customer.Deactivate(tx, l.store, added.ID)
	}
	return m, err
}

// reward grants a person's points, spends some at the point of sale, and returns the rest.
func (l *loader) reward(tx *db.Tx, customerID string, p *person) (points.Amount, error) {
	members, of, err := membership.LockOne(tx, l.store, customerID)
	if err != nil {
		return 0, err
	}
	for _, grant := range p.grants {
		if l.store.Settings.PointsDaysExpiryAfter != store.ExpiryNever {
			grant.CreatedAt = l.now // an old grant might be over already
		}
		members.Pay(of, grant)
	}
	if value := of.Wallet.Points / 1000 * 100 * points.Amount(p.spentTenths); value > 0 {
		err := members.Change(of, func(w *points.Wallet) (spent event.Entry, err error) {
			_, spent, err = w.Spend(value, "Exchanged at the till", points.BySeller)
			return spent, err
		})
		if err != nil {
			return 0, err
		}
	}
	return of.Wallet.Points, members.Save()
}
