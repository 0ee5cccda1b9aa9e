package customer

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/phone"
)

// Lock locks the customer's account and then the customer, the order that all operations use, and returns
// both.
func Lock(tx *db.Tx, s *store.Store, id string) (*Customer, points.Account, error) {
	owner := points.Owner{Store: s, CustomerID: id}
	wallets, err := points.Lock(tx, owner)
	if err != nil {
		return nil, points.Account{}, err
	}
	c, err := LockRow(tx, s.Key, id)
	wallet := wallets.Of(owner)
	if err == nil && (wallet == nil || c.Status == Deleted) {
		err = fault.ErrNotFound
	}
	if err != nil {
		return nil, points.Account{}, err
	}
	return c, wallet.Account, nil
}

// Find reads a customer who is not deleted. The error for one who was merged is ErrMerged.
func Find(tx *db.Tx, storeKey int64, id string) (*Customer, error) {
	return FindByPath(tx, storeKey, id, true)
}

// FindByPath reads the customer that a path names: by id or, if the text is not a UUID, by loyalty card. The card of a
// merged customer finds the target; the id of a merged customer is ErrMerged.
func FindByPath(tx *db.Tx, storeKey int64, text string, isUUID bool) (*Customer, error) {
	c, err := findByPath(tx, storeKey, text, isUUID)
	if err == nil {
		err = c.Gone()
	}
	return c, err
}

func findByPath(tx *db.Tx, storeKey int64, text string, isUUID bool) (*Customer, error) {
	column, key := "customer_id", strings.ToLower(text)
	if !isUUID {
		column, key = "loyalty_card_key", matchKey(text)
	}
	c, found, err := findBy(tx, storeKey, column, key)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err == nil && !isUUID {
		return c.follow(tx)
	}
	return c, err
}

// Of reads the customer that the path names. A customer can reach only themselves.
func Of(c *api.Call, tx *db.Tx) (*Customer, error) {
	found, err := OfMerged(c, tx)
	if err == nil {
		err = found.Gone()
	}
	return found, err
}

// OfMerged is Of for the few calls that show merged customers too.
func OfMerged(c *api.Call, tx *db.Tx) (*Customer, error) {
	named := c.PathValue("customer")
	if c.Caller.Role == access.Customer && !strings.EqualFold(named, c.Caller.ID) {
		return nil, fault.ErrForbidden
	}
	found, err := findByPath(tx, c.Store.Key, named, form.IsUUID(named))
	if err == nil && found.Status == Deleted && found.MergedInto == "" {
		err = fault.ErrNotFound
	}
	return found, err
}

// FindAll reads customers of a store, deleted ones included. The ids must be distinct; unknown ones are
// missing from the result.
func FindAll(tx *db.Tx, storeKey int64, ids ...string) (map[string]*Customer, error) {
	byID := make(map[string]*Customer, len(ids))
	return byID, table.Each(tx, func(c Customer) { byID[c.ID] = &c },
		`SELECT c.* FROM ? AS v (store, id)
			CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id`,
		tx.Among(storeKey, ids...))
}

// FindNamed finds customers by their ids or loyalty card numbers, and returns them by these names. A card of a merged
// customer leads to the customer who is left. Unknown names are missing; the caller checks whether a customer is Gone.
func FindNamed(tx *db.Tx, storeKey int64, names ...string) (map[string]*Customer, error) {
	var ids, cards []string
	for _, name := range names {
		if form.IsUUID(name) {
			ids = append(ids, strings.ToLower(name))
		} else {
			cards = append(cards, matchKey(name))
		}
	}
	byCard := make(map[string]*Customer, len(cards))
	err := tx.Run(identified.SelectEach(tx, db.Distinct(cards), func(i identifiedBy) { byCard[i.value] = &i.Customer },
		`SELECT $key AS found_by, * FROM customers WHERE store_id = ? AND loyalty_card_key = $key`+
			present("loyalty_card_key"), storeKey)...)
	if err != nil {
		return nil, err
	}
	for _, c := range byCard {
		if c.MergedInto != "" {
			ids = append(ids, c.MergedInto)
		}
	}
	byID := map[string]*Customer{}
	if len(ids) > 0 {
		if byID, err = FindAll(tx, storeKey, db.Distinct(ids)...); err != nil {
			return nil, err
		}
	}
	found := make(map[string]*Customer, len(names))
	for _, name := range names {
		c := byID[strings.ToLower(name)]
		if !form.IsUUID(name) {
			if c = byCard[matchKey(name)]; c != nil && c.MergedInto != "" {
				c = byID[c.MergedInto]
			}
		}
		if c != nil {
			found[name] = c
		}
	}
	return found, nil
}

// FindByContact finds a customer who is not deleted by id, e-mail address or phone. A contact of somebody who was
// merged leads to the target, unless it is that of an active customer by now.
func FindByContact(tx *db.Tx, storeKey int64, name string) (who *Customer, found bool, err error) {
	if form.IsUUID(name) {
		who, found, err = findBy(tx, storeKey, "customer_id", matchKey(name))
		return who, found && who.Status != Deleted, err
	}
	for _, field := range []string{store.ByEmail, store.ByPhone} {
		value, err := keyIn(tx, storeKey, identifying[field], name)
		if err != nil {
			return nil, false, err
		}
		c, exists, err := findBy(tx, storeKey, identifying[field], value)
		if err != nil || exists && c.IsActive() {
			return c, exists, err
		}
		led, leads, err := findLed(tx, storeKey, field, value, false)
		switch {
		case err != nil || leads:
			return led, leads, err
		case exists && !found:
			who, found = c, true
		}
	}
	return who, found, nil
}

// FindByContacts is FindByContact for several names, in two round trips at most. Somebody unknown is nil. A customer
// whom the id names may be deleted.
func FindByContacts(tx *db.Tx, s *store.Store, names ...string) (map[string]*Customer, error) {
	type contact struct{ field, value string }
	own, led := map[contact]*Customer{}, map[contact]*Customer{}
	fields := []string{store.ByEmail, store.ByPhone}
	keyOf := func(field, name string) contact {
		if field == store.ByPhone {
			return contact{field, phoneKeyOf(name, s.Settings.Country)}
		}
		return contact{field, matchKey(name)}
	}
	var ids []string
	values := map[string][]string{}
	for _, name := range names {
		if form.IsUUID(name) {
			ids = append(ids, matchKey(name))
			continue
		}
		for _, field := range fields {
			if value := keyOf(field, name).value; value != "" {
				values[field] = append(values[field], value)
			}
		}
	}
	var queries []db.Query
	for _, field := range fields {
		queries = append(queries, selectByContact(tx, s.Key, field, false, db.Distinct(values[field]),
			func(value string, c *Customer, leads bool) {
				if leads {
					led[contact{field, value}] = c
				} else {
					own[contact{field, value}] = c
				}
			})...)
	}
	if err := tx.Run(queries...); err != nil {
		return nil, err
	}
	byID := map[string]*Customer{}
	if len(ids) > 0 {
		var err error
		if byID, err = FindAll(tx, s.Key, db.Distinct(ids)...); err != nil {
			return nil, err
		}
	}
	found := make(map[string]*Customer, len(names))
	for _, name := range names {
		if found[name] = byID[matchKey(name)]; form.IsUUID(name) {
			continue
		}
		for _, field := range fields {
			key := keyOf(field, name)
			if c := own[key]; c != nil && c.IsActive() {
				found[name] = c
				break
			}
			if led[key] != nil {
				found[name] = led[key]
				break
			}
			if found[name] == nil {
				found[name] = own[key]
			}
		}
	}
	return found, nil
}

// FindByPhone finds a customer who is not deleted.
func FindByPhone(tx *db.Tx, storeKey int64, number string) (*Customer, bool, error) {
	key, err := phoneKeyIn(tx, storeKey, number)
	if err != nil {
		return nil, false, err
	}
	return findBy(tx, storeKey, "phone_key", key)
}

// keyIn returns a text in the form in which a column of the store's customers compares it.
func keyIn(tx *db.Tx, storeKey int64, column, text string) (string, error) {
	if column == "phone_key" {
		return phoneKeyIn(tx, storeKey, text)
	}
	return matchKey(text), nil
}

// phoneKeyIn returns the key of a phone in a store. It reads the store's country only if the text is a number without
// the code of a country.
func phoneKeyIn(tx *db.Tx, storeKey int64, text string) (string, error) {
	key := phone.Key(text, "")
	if strings.HasPrefix(key, "+") || !phone.IsNumber(text) {
		return key, nil
	}
	s, found, err := store.ByKey(tx, storeKey)
	if err != nil || !found {
		return key, err
	}
	return phone.Key(text, s.Settings.Country), nil
}

// phoneKeyOf is phoneKeyIn for a store in a country.
func phoneKeyOf(text, country string) string {
	key := phone.Key(text, "")
	if strings.HasPrefix(key, "+") || !phone.IsNumber(text) {
		return key
	}
	return phone.Key(text, country)
}
