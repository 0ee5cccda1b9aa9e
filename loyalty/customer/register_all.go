package customer

import (
	"errors"
	"slices"

	"punchcard/core/config"
	"punchcard/core/store"
	"punchcard/loyalty/customer/arrival"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/rollup"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/search"
)

// RegisterAll registers customers as Register does, with a number of statements that hardly depends on theirs. A
// registration that conflicts, also with an earlier one, is in refused and nil in added.
func RegisterAll(tx *db.Tx, s *store.Store, all []Registration) (added []*Customer, refused []*Taken, err error) {
	added, refused = make([]*Customer, len(all)), make([]*Taken, len(all))
	for i := range all {
		added[i] = all[i].customer(tx, s)
	}
	known, levels, err := findExisting(tx, s.Key, added)
	if err != nil {
		return nil, nil, err
	}
	for i, c := range added {
		taken := known.conflicts(c)
		all[i].enterLevel(c, levels, taken)
		if *taken != (Taken{}) {
			added[i], refused[i] = nil, taken
			continue
		}
		known.take(c)
	}
	entered := slices.DeleteFunc(slices.Clone(added), func(c *Customer) bool { return c == nil })
	if len(entered) == 1 && len(all) == 1 {
		inserted, err := table.InsertNew(tx, entered[0])
		if err == nil && !inserted { // a concurrent registration has the same data
			added[0], refused[0], err = nil, nil, entered[0].takenMeanwhile(tx)
			if taken, is := errors.AsType[*Taken](err); is {
				refused[0] = taken
				return added, refused, nil
			}
		}
		if err != nil {
			return nil, nil, err
		}
		return added, refused, enter(tx, s, entered)
	}
	if err := table.InsertOr(tx, "ON CONFLICT DO NOTHING", entered...); err != nil {
		return nil, nil, err
	}
	if err := lost(tx, s.Key, entered); err != nil {
		return nil, nil, err
	}
	return added, refused, enter(tx, s, entered)
}

// takenMeanwhile returns the fields that a concurrent registration has taken, or db.ErrBusy if that was rolled back or
// deleted: a retry succeeds.
func (c *Customer) takenMeanwhile(tx *db.Tx) error {
	taken, err := c.conflicts(tx)
	if err != nil {
		return err
	}
	if *taken == (Taken{}) {
		return db.ErrBusy
	}
	return taken
}

// enter does what follows the insertion of customers: it opens their accounts, counts them and records the events.
func enter(tx *db.Tx, s *store.Store, added []*Customer) error {
	documents, ids := make([]search.Document, len(added)), make([]string, len(added))
	for i, c := range added {
		c.countIn(rollup.Adding(tx, s))
		documents[i], ids[i] = c.document(), c.ID
		level.Count(tx, s.Key, c.LevelID, 1)
	}
	if err := search.Put(tx, s.Key, SearchKind, documents...); err != nil {
		return err
	}
	accounts, err := points.Open(tx, s, ids...)
	if err != nil {
		return err
	}
	if err := endLeads(tx, s, added...); err != nil {
		return err
	}
	var entries []event.Entry
	for i, c := range added {
		entries = append(entries, registrationEvents(s, c, accounts[i], tx.Now())...)
	}
	if err := event.Append(tx, s.Key, entries...); err != nil {
		return err
	}
	return arrival.RecordNewcomers(tx, s.Key, ids...)
}

// existing holds the values of new customers that others have already, and the rows that they refer to. The keys of
// texts are in the form in which they are compared.
type existing struct {
	emails, phones, cards map[string]bool
	sellers               map[string]bool
	points                map[string]*pos.POS
	languages             store.Languages
}

// findExisting looks up the unique fields of new customers, what they refer to, and the levels of the store. On
// PostgreSQL that is one round trip.
func findExisting(tx *db.Tx, storeKey int64, added []*Customer) (*existing, []level.Level, error) {
	k := &existing{
		emails: map[string]bool{}, phones: map[string]bool{}, cards: map[string]bool{}, sellers: map[string]bool{},
	}
	values := func(of func(c *Customer) string) []string {
		var found []string
		for _, c := range added {
			if value := of(c); value != "" {
				found = append(found, value)
			}
		}
		return db.Distinct(found)
	}
	queries := config.Versions(tx, storeKey)
	if len(added) == 1 {
		queries = append(queries, k.selectTaken(added[0])...)
	} else {
		emails := values(func(c *Customer) string { return c.Email })
		phones := values(func(c *Customer) string { return c.PhoneKey })
		cards := values(func(c *Customer) string { return matchKey(c.LoyaltyCard) })
		queries = append(queries, selectTakenValues(tx, storeKey, "email", emails, k.emails)...)
		queries = append(queries, selectTakenValues(tx, storeKey, "phone_key", phones, k.phones)...)
		queries = append(queries, selectTakenValues(tx, storeKey, "loyalty_card_key", cards, k.cards)...)
	}
	if places := values(func(c *Customer) string { return c.POSID }); len(places) > 0 {
		var selectPlaces db.Query
		k.points, selectPlaces = pos.SelectAll(tx, storeKey, places...)
		queries = append(queries, selectPlaces)
	}
	if err := tx.Run(queries...); err != nil {
		return nil, nil, err
	}
	levels, err := level.All(tx, storeKey)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range values(func(c *Customer) string { return c.SellerID }) {
		if _, k.sellers[id], err = seller.FindByID(tx, storeKey, id); err != nil {
			return nil, nil, err
		}
	}
	k.languages, err = store.AllLanguages(tx)
	return k, levels, err
}

// selectTakenValues returns the queries for the values of a unique column that customers of the store have.
func selectTakenValues(tx *db.Tx, storeKey int64, column string, values []string, taken map[string]bool) []db.Query {
	return db.SelectEach(tx, values, func(value *string) []any { return []any{value} },
		func(value string) { taken[value] = true },
		`SELECT `+column+` FROM customers WHERE store_id = ? AND `+column+` = $key`+present(column), storeKey)
}

// selectTaken is selectTakenValues for all fields of one customer. A single statement sees a concurrent registration
// either whole or not at all.
func (k *existing) selectTaken(c *Customer) []db.Query {
	return selectTakenFields(c, func(field string) {
		switch field {
		case "email":
			k.emails[c.Email] = true
		case "phone":
			k.phones[c.PhoneKey] = true
		case "card":
			k.cards[matchKey(c.LoyaltyCard)] = true
		}
	})
}

func (k *existing) conflicts(c *Customer) *Taken {
	return &Taken{
		Email: k.emails[c.Email], Phone: k.phones[c.PhoneKey], LoyaltyCard: k.cards[matchKey(c.LoyaltyCard)],
		POSUnknown: c.POSID != "" && k.points[c.POSID] == nil, SellerUnknown: c.SellerID != "" && !k.sellers[c.SellerID],
		LocaleUnknown: c.Locale != "" && !k.languages.Has(c.Locale),
	}
}

// take makes the unique fields of a customer taken for those that follow.
func (k *existing) take(c *Customer) {
	for _, field := range []struct {
		taken map[string]bool
		value string
	}{{k.emails, c.Email}, {k.phones, c.PhoneKey}, {k.cards, matchKey(c.LoyaltyCard)}} {
		if field.value != "" {
			field.taken[field.value] = true
		}
	}
}

// lost returns db.ErrBusy if a customer was not inserted, because a concurrent registration has the same data. A retry
// finds it. On SQLite there is none.
func lost(tx *db.Tx, storeKey int64, added []*Customer) error {
	if tx.Engine() != "postgres" || len(added) == 0 {
		return nil
	}
	ids := make([]string, len(added))
	for i, c := range added {
		ids[i] = c.ID
	}
	inserted, err := db.Value[int](tx, `SELECT COUNT(*) FROM ? AS v (store, id) CROSS JOIN customers c
		WHERE c.store_id = v.store AND c.customer_id = v.id`, tx.Among(storeKey, ids...))
	if err == nil && inserted < len(added) {
		err = db.ErrBusy
	}
	return err
}
