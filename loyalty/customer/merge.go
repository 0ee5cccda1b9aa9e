package customer

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer/device"
	"punchcard/loyalty/level"
	"punchcard/loyalty/rollup"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

// ErrMerged is the error of a call that names a customer who was merged into another one.
var ErrMerged = fault.New(fault.Conflict, "customer_merged", "This customer was merged into the customer %s.")

// Gone returns why there is no such customer any more, or nil.
func (c *Customer) Gone() error { return gone(c.Status, c.MergedInto) }

func gone(status, mergedInto string) error {
	switch {
	case status != Deleted:
		return nil
	case mergedInto != "":
		return ErrMerged.With(mergedInto)
	}
	return fault.ErrNotFound
}

// MergedInto returns the ids of the customers who were merged into a customer.
func MergedInto(tx *db.Tx, storeKey int64, id string) ([]string, error) {
	return db.AllValues[string](tx, `SELECT customer_id FROM customers
		WHERE store_id = ? AND merged_into = ? AND merged_into <> '' ORDER BY customer_id`, storeKey, id)
}

// follow returns the customer into whom c was merged, or c.
func (c *Customer) follow(tx *db.Tx) (*Customer, error) {
	if c.MergedInto == "" {
		return c, nil
	}
	target, _, err := findBy(tx, c.StoreKey, "customer_id", c.MergedInto)
	return target, err
}

// Former holds both customers of a merge as they were before, without their passwords.
type Former struct{ Target, Merged Customer }

// Absorbs returns the changes that a merge makes to the target customer: blank members get the values of the merged
// one, and of each agreement the stricter answer stays.
func (c *Customer) Absorbs(merged *Customer) Change {
	change := Change{Registration: c.registration(), Sent: map[string]bool{}}
	for _, part := range []struct {
		name     string
		to       *string
		is, from string
	}{
		{"email", &change.Email, c.Email, merged.Email}, {"phone", &change.Phone, c.Phone, merged.Phone},
		{"loyaltyCardNumber", &change.LoyaltyCard, c.LoyaltyCard, merged.LoyaltyCard},
		{"firstName", &change.FirstName, c.FirstName, merged.FirstName},
		{"lastName", &change.LastName, c.LastName, merged.LastName},
		{"birthDate", &change.BirthDate, c.BirthDate, merged.BirthDate},
		{"locale", &change.Locale, c.Locale, merged.Locale},
	} {
		if part.is == "" && part.from != "" {
			*part.to, change.Sent[part.name] = part.from, true
		}
	}
	if c.Gender == undisclosed && merged.Gender != undisclosed {
		change.Gender, change.Sent["gender"] = merged.Gender, true
	}
	if c.Address == (Address{}) && merged.Address != (Address{}) {
		change.Address, change.Sent["address"] = merged.Address, true
	}
	if c.Company == (Company{}) && merged.Company != (Company{}) {
		change.Company, change.Sent["company"] = merged.Company, true
	}
	for i, name := range Agreements {
		if c.Agreements[i] && !merged.Agreements[i] {
			change.Agreements[i], change.Sent[name] = false, true
		}
	}
	change.Unverified = change.Sent["email"] && !merged.EmailVerified || change.Sent["phone"] && !merged.PhoneVerified
	return change
}

// registration returns the members of a customer that Absorbs may change.
func (c *Customer) registration() Registration {
	return Registration{
		Email: c.Email, Phone: c.Phone, LoyaltyCard: c.LoyaltyCard, FirstName: c.FirstName, LastName: c.LastName,
		Gender: c.Gender, BirthDate: c.BirthDate, Locale: c.Locale, Agreements: c.Agreements, Address: c.Address,
		Company: c.Company,
	}
}

// Merge merges a locked customer into another locked one. Their points and their purchases are those of the caller. The
// merged customer is in no list and no count any more. What the target customer does not get of the e-mail address, the
// phone and the loyalty card finds them: a Lead, of contacts; the card stays with the row.
func Merge(tx *db.Tx, s *store.Store, target, merged *Customer) (*Former, error) {
	change := target.Absorbs(merged)
	former := &Former{*target, *merged}
	former.Target.PasswordHash, former.Merged.PasswordHash = "", ""
	contacts := merged.contacts()
	merged.countIn(rollup.Adding(tx, s).Minus())
	level.Count(tx, s.Key, merged.LevelID, -1)
	merged.Status, merged.MergedInto, merged.InactiveSince = Deleted, target.ID, tx.Now()
	merged.Email, merged.Phone, merged.PhoneKey, merged.LevelID, merged.ManualLevelID = "", "", "", "", ""
	if change.Sent["loyaltyCardNumber"] {
		merged.LoyaltyCard = ""
	}
	if err := Save(tx, merged); err != nil {
		return nil, err
	}
	if err := device.Remove(tx, s.Key, merged.ID); err != nil {
		return nil, err
	}
	if err := search.Remove(tx, s.Key, SearchKind, merged.ID); err != nil {
		return nil, err
	}
	if len(change.Sent) > 0 {
		if err := Update(tx, s, target, change); err != nil {
			return nil, err
		}
	}
	return former, leave(tx, target, contacts)
}

// Unmerge restores two locked customers, who have not changed since Merge, as they were before. It returns a *Taken
// error if somebody has the contacts of the merged one by now.
func Unmerge(tx *db.Tx, s *store.Store, target, merged *Customer, former Former) error {
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return err
	}
	after := *target
	target.restore(former.Target, levels)
	merged.restore(former.Merged, levels)
	if err := FreeLeads(tx, s.Key, merged.ID); err != nil {
		return err
	}
	if err := Save(tx, target); err != nil { // who may have contacts of the other one
		return err
	}
	taken, err := merged.conflicts(tx)
	if err == nil && *taken != (Taken{}) {
		err = taken
	}
	if err == nil {
		err = Save(tx, merged)
	}
	if err != nil {
		return err
	}
	merged.countIn(rollup.Adding(tx, s))
	level.Count(tx, s.Key, merged.LevelID, 1)
	entries := []event.Entry{WasMerged(tx, s, target.ID, merged.ID, true), detailsUpdated(s, &after, target, tx.Now())}
	if after.LevelID != target.LevelID {
		level.Count(tx, s.Key, after.LevelID, -1)
		level.Count(tx, s.Key, target.LevelID, 1)
		move := Move{To: target.LevelID, byHand: target.ManualLevelID != ""}
		entries = append(entries, movedToLevel(s, target.ID, after.LevelID, move, tx.Now()))
	}
	if err := event.Append(tx, s.Key, entries...); err != nil {
		return err
	}
	return search.Put(tx, s.Key, SearchKind, target.document(), merged.document())
}

// restore makes the customer what they were, but for log-ins since. A level that was deleted since is the starting one.
func (c *Customer) restore(former Customer, levels []level.Level) {
	former.PasswordHash, former.PasswordTemporary = c.PasswordHash, c.PasswordTemporary
	former.LastLoginAt, former.Version = c.LastLoginAt, c.Version
	for _, id := range []*string{&former.LevelID, &former.ManualLevelID} {
		if *id != "" && level.Find(levels, *id) == nil {
			former.LevelID, former.ManualLevelID = "", ""
		}
	}
	if start := level.Candidate(levels, 0); former.LevelID == "" && start != nil {
		former.LevelID = start.ID
	}
	*c = former
}

// releaseContacts frees the loyalty cards, e-mail addresses and phones of the customers who were merged into one who is
// deleted.
func releaseContacts(tx *db.Tx, storeKey int64, id string) error {
	merged, err := MergedInto(tx, storeKey, id)
	if err != nil || len(merged) == 0 {
		return err
	}
	if err := FreeLeads(tx, storeKey, merged...); err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE customers SET loyalty_card = '', loyalty_card_key = '', version = version + 1
		WHERE store_id = ? AND merged_into = ? AND merged_into <> ''`, storeKey, id)
	return err
}

type customerWasMerged struct {
	Customer  Ref    `json:"customerId"` // who was merged
	Target    Ref    `json:"mergedInto"`
	UpdatedAt string `json:"updateAt"`
}

type customerMergeWasUndone struct {
	Customer  Ref    `json:"customerId"`
	Target    Ref    `json:"mergedInto"`
	UpdatedAt string `json:"updateAt"`
}

func (customerWasMerged) EventType() string { return userPrefix + "CustomerWasMerged" }

func (customerMergeWasUndone) EventType() string { return userPrefix + "CustomerMergeWasUndone" }

// MergeFacts are the events of merges, and of what they change in the target customer.
var MergeFacts = struct{ Merged, Undone, Updated, Address, Company, Card, Level event.Fact }{
	customerWasMerged{}, customerMergeWasUndone{}, customerDetailsWereUpdated{}, customerAddressWasUpdated{},
	customerCompanyDetailsWereUpdated{}, customerLoyaltyCardNumberWasUpdated{}, customerWasMovedToLevel{},
}

// WasMerged returns the event of a merge, or of its undoing, which is about the target customer.
func WasMerged(tx *db.Tx, s *store.Store, targetID, mergedID string, undone bool) event.Entry {
	who, target, at := Ref{mergedID}, Ref{targetID}, eventTime(s, tx.Now())
	if undone {
		return event.Entry{AggregateID: targetID, Fact: customerMergeWasUndone{who, target, at}}
	}
	return event.Entry{AggregateID: targetID, Fact: customerWasMerged{who, target, at}}
}
