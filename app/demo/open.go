package demo

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// Open adds what Load adds, without customers other than user@example.com, and what the history needs: more points of
// sale, sellers, campaigns and pictures. All of it is a year old. History adds the rest.
func Open(ctx context.Context, d *db.DB, s *store.Store, desk *purchase.Desk, until time.Time,
	userPasswordHash string, progress io.Writer) error {
	l := &loader{
		db: d, store: s, desk: desk, now: until,
		shopList: slices.Concat(shops, moreShops), offers: slices.Concat(offers, seasonOffers),
	}
	opening := firstDay(until, s.Zone).Add(7 * time.Hour)
	err := d.Write(ctx, func(tx *db.Tx) error {
		past, pastTx := clockAt(s, tx, opening)
		if err := l.openAt(pastTx, past); err != nil {
			return err
		}
		return l.illustrate(ctx, pastTx)
	})
	if err != nil {
		return fmt.Errorf("demonstration levels and campaigns: %w", err)
	}
	if err := l.reportProgram(progress); err != nil {
		return err
	}
	user := people(until, userPasswordHash)[0]
	user.CreatedAt = opening.Add(time.Hour).UTC()
	user.grants[0].CreatedAt = user.CreatedAt
	err = d.Write(ctx, func(tx *db.Tx) error { return l.welcomeUser(tx, &user) })
	if err != nil {
		return fmt.Errorf("demonstration customer: %w", err)
	}
	bought, used, err := l.shop(ctx)
	if err != nil {
		return fmt.Errorf("demonstration purchases: %w", err)
	}
	return l.report(progress, "%d purchases, %d of them used", bought, used)
}

// clockAt returns the store and the transaction with the clock at a moment.
func clockAt(s *store.Store, tx *db.Tx, moment time.Time) (*store.Store, *db.Tx) {
	past := *s
	past.Ahead = moment.Sub(tx.ServerNow())
	return &past, past.Tx(tx)
}

// openAt adds the program and the sellers by the clock of the store.
func (l *loader) openAt(tx *db.Tx, s *store.Store) error {
	present := l.store
	l.store = s
	defer func() { l.store = present }()
	if err := l.open(tx); err != nil {
		return err
	}
	for n, person := range staff {
		person.Active, person.AllowPointTransfer, person.POSID = true, true, l.shops[n]
		if _, err := seller.Create(tx, s.Key, person); err != nil {
			return err
		}
	}
	return nil
}

// welcomeUser registers the customer who logs in, and grants their points at the moments of the grants.
func (l *loader) welcomeUser(tx *db.Tx, p *person) error {
	s, past := clockAt(l.store, tx, p.CreatedAt)
	in := p.Registration
	in.LevelID = l.levels[p.tier]
	added, err := customer.Register(past, s, in)
	if err != nil {
		return err
	}
	m := member{id: added.ID}
	for _, grant := range p.grants {
		s, past := clockAt(l.store, tx, grant.CreatedAt)
		wallet, err := points.Change(past, points.Owner{Store: s, CustomerID: added.ID},
			func(w *points.Wallet) ([]event.Entry, error) {
				_, entry := w.Add(grant)
				return []event.Entry{entry}, nil
			})
		if err != nil {
			return err
		}
		m.balance = wallet.Points
	}
	l.members = []member{m}
	return nil
}
