package customer

import (
	"slices"

	"punchcard/core/store"
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
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return nil, nil, err
	}
	added, refused = make([]*Customer, len(all)), make([]*Taken, len(all))
	for i := range all {
		added[i] = all[i].customer(tx, s)
	}
	known, err := findExisting(tx, s.Key, added)
	if err != nil {
		return nil, nil, err
	}
	var rows [][]any
	for i, c := range added {
		taken := known.conflicts(c)
		all[i].enterLevel(c, levels, taken)
		if *taken != (Taken{}) {
			added[i], refused[i] = nil, taken
			continue
		}
		known.take(c)
		rows = append(rows, c.row())
	}
	if err := tx.Insert("customers", columns, "ON CONFLICT DO NOTHING", rows...); err != nil {
		return nil, nil, err
	}
	entered := slices.DeleteFunc(slices.Clone(added), func(c *Customer) bool { return c == nil })
	if err := lost(tx, s.Key, entered); err != nil {
		return nil, nil, err
	}
	return added, refused, enter(tx, s, entered)
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
	return recordNewcomers(tx, s.Key, ids...)
}

// existing holds the values of new customers that others have already, and the rows that they refer to. The keys of
// texts are in the form in which they are compared.
type existing struct {
	emails, phones, cards      map[string]bool
	sellers, points, languages map[string]bool
}

// findExisting looks up the unique fields of new customers, and what they refer to.
func findExisting(tx *db.Tx, storeKey int64, added []*Customer) (*existing, error) {
	k := &existing{sellers: map[string]bool{}, points: map[string]bool{}, languages: map[string]bool{}}
	values := func(of func(c *Customer) string) []string {
		var found []string
		for _, c := range added {
			if value := of(c); value != "" {
				found = append(found, value)
			}
		}
		return db.Distinct(found)
	}
	var err error
	k.emails, err = takenValues(tx, storeKey, "email", values(func(c *Customer) string { return c.Email }))
	if err != nil {
		return nil, err
	}
	k.phones, err = takenValues(tx, storeKey, "phone_key", values(func(c *Customer) string { return c.PhoneKey }))
	if err != nil {
		return nil, err
	}
	k.cards, err = takenValues(tx, storeKey, "loyalty_card_key",
		values(func(c *Customer) string { return matchKey(c.LoyaltyCard) }))
	if err != nil {
		return nil, err
	}
	for _, id := range values(func(c *Customer) string { return c.POSID }) {
		if _, k.points[id], err = pos.Find(tx, storeKey, id); err != nil {
			return nil, err
		}
	}
	for _, id := range values(func(c *Customer) string { return c.SellerID }) {
		if _, k.sellers[id], err = seller.FindByID(tx, storeKey, id); err != nil {
			return nil, err
		}
	}
	for _, code := range values(func(c *Customer) string { return c.Locale }) {
		if _, k.languages[code], err = store.FindLanguage(tx, code); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// takenValues returns which of the values of a unique column customers of the store have.
func takenValues(tx *db.Tx, storeKey int64, column string, values []string) (map[string]bool, error) {
	found := map[string]bool{}
	return found, db.EachOf(tx, values, func(value *string) []any { return []any{value} },
		func(value string) { found[value] = true },
		`SELECT `+column+` FROM customers WHERE store_id = ? AND `+column+` = $key`+present(column), storeKey)
}

func (k *existing) conflicts(c *Customer) *Taken {
	return &Taken{
		Email: k.emails[c.Email], Phone: k.phones[c.PhoneKey], LoyaltyCard: k.cards[matchKey(c.LoyaltyCard)],
		POSUnknown: c.POSID != "" && !k.points[c.POSID], SellerUnknown: c.SellerID != "" && !k.sellers[c.SellerID],
		LocaleUnknown: c.Locale != "" && !k.languages[c.Locale],
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
