package merge

import (
	"slices"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// viewsOf returns the merges of a customer, the newest first.
func viewsOf(tx *db.Tx, s *store.Store, customerID string) ([]mergeView, error) {
	found, err := mergesOf(tx, s.Key, customerID)
	if err != nil || len(found) == 0 {
		return []mergeView{}, err
	}
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].MergedID
	}
	customers, err := customer.FindAll(tx, s.Key, db.Distinct(ids)...)
	if err != nil {
		return nil, err
	}
	leads, err := customer.LeadsOf(tx, s.Key, db.Distinct(ids)...)
	if err != nil {
		return nil, err
	}
	views := make([]mergeView, len(found))
	for i := range found {
		m := &found[i]
		views[i] = mergeView{
			MergeID: m.ID, CustomerID: m.TargetID, MergedCustomerID: m.MergedID, Points: m.Points, Coupons: m.Coupons,
			Receipts: m.Receipts, MergedAt: api.Timestamp(m.MergedAt, s.Zone), MergedBy: m.MergedBy,
			UndoneAt: api.OptionalTimestamp(m.UndoneAt, s.Zone), UndoneBy: m.UndoneBy, CanBeUndone: m.undoable() == nil,
		}
		if who := customers[m.MergedID]; who != nil {
			views[i].FirstName, views[i].LastName = who.FirstName, who.LastName
		}
		for _, l := range leads {
			if l.CustomerID == m.MergedID && m.UndoneAt.IsZero() {
				views[i].addContact(l)
			}
		}
	}
	return views, nil
}

func (v *mergeView) addContact(l customer.Lead) {
	if v.Contacts == nil {
		v.Contacts = &contacts{}
	}
	if l.Field == store.ByEmail {
		v.Contacts.Email = l.Contact
	} else {
		v.Contacts.Phone = l.Contact
	}
}

// preview is the JSON of what a merge would do.
type preview struct {
	Target side     `json:"customer"`
	Merged side     `json:"mergedCustomer"`
	Filled []string `json:"filled"` // members that the target customer gets
	// Conflicts are members that differ: those of the target customer stay.
	Conflicts  []string        `json:"conflicts"`
	Agreements map[string]bool `json:"agreements"` // after the merge
}

// side is one of the two customers.
type side struct {
	CustomerID    string        `json:"customerId"`
	FirstName     string        `json:"firstName"`
	LastName      string        `json:"lastName"`
	Email         string        `json:"email,omitempty"`
	Phone         string        `json:"phone,omitempty"`
	LoyaltyCard   string        `json:"loyaltyCardNumber,omitempty"`
	BirthDate     string        `json:"birthDate,omitempty"`
	CreatedAt     string        `json:"createdAt"`
	Points        points.Amount `json:"points"`
	LockedPoints  points.Amount `json:"lockedPoints"`
	BlockedPoints points.Amount `json:"blockedPoints"`
	Coupons       int64         `json:"coupons"`  // without cashbacks
	Receipts      int64         `json:"receipts"` // sales that are not completely returned
}

// preview returns what a merge would do, or why it is not possible.
func (svc *Service) preview(r *api.Reading, sent api.Unchecked[string]) (shown preview, err error) {
	who, err := customer.Of(r.Call, r.Tx)
	if err != nil {
		return shown, err
	}
	if err := sent.Form.Err(); err != nil { // an unknown customer is reported before an invalid query
		return shown, err
	}
	merged, err := findOther(r.Call, r.Tx, sent.In)
	if err != nil {
		return shown, err
	}
	if who.ID == merged.ID {
		return shown, ErrSame
	}
	if err := refuse(r.Tx, r.Store, who, merged); err != nil {
		return shown, err
	}
	shown = compared(who, merged)
	if shown.Target, err = svc.side(r.Tx, r.Store, who); err != nil {
		return shown, err
	}
	if shown.Merged, err = svc.side(r.Tx, r.Store, merged); err != nil {
		return shown, err
	}
	if shown.Merged.BlockedPoints > 0 {
		return shown, points.ErrBlockedPoints
	}
	return shown, nil
}

// compared returns what a merge changes in the target customer.
func compared(target, merged *customer.Customer) preview {
	p := preview{Filled: []string{}, Conflicts: []string{}, Agreements: map[string]bool{}}
	for name := range target.Absorbs(merged).Sent {
		if !slices.Contains(customer.Agreements[:], name) {
			p.Filled = append(p.Filled, name)
		}
	}
	slices.Sort(p.Filled)
	for _, member := range []struct{ name, target, merged string }{
		{"firstName", target.FirstName, merged.FirstName}, {"lastName", target.LastName, merged.LastName},
		{"email", target.Email, merged.Email}, {"phone", target.PhoneKey, merged.PhoneKey},
		{"loyaltyCardNumber", target.LoyaltyCard, merged.LoyaltyCard},
		{"birthDate", target.BirthDate, merged.BirthDate},
	} {
		if member.target != "" && member.merged != "" && member.target != member.merged {
			p.Conflicts = append(p.Conflicts, member.name)
		}
	}
	for i, name := range customer.Agreements {
		p.Agreements[name] = target.Agreements[i] && merged.Agreements[i]
	}
	return p
}

func (svc *Service) side(tx *db.Tx, s *store.Store, c *customer.Customer) (side, error) {
	account, err := points.Balance(tx, s, c.ID)
	if err != nil {
		return side{}, err
	}
	coupons, err := svc.desk.StandingOf(tx, s.Key, c.ID)
	return side{
		CustomerID: c.ID, FirstName: c.FirstName, LastName: c.LastName, Email: c.Email, Phone: c.Phone,
		LoyaltyCard: c.LoyaltyCard, BirthDate: c.BirthDate, CreatedAt: api.Timestamp(c.CreatedAt, s.Zone),
		Points: account.Points, LockedPoints: account.Locked, BlockedPoints: account.Blocked, Coupons: coupons.Coupons,
		Receipts: c.Purchases.Count,
	}, err
}

// Export lists the merges of a customer for the export of their data.
func Export(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	views, err := viewsOf(tx, s, customerID)
	for i := range views {
		items = append(items, views[i])
	}
	return items, "", err
}

// Forget makes the merges of a customer final, because an undoing would bring personal data back. After an undoing it
// clears the events of the other customer, who had data of this one for a while. It needs only one step.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	if err := forgetRecords(tx, s.Key, customerID); err != nil {
		return "", err
	}
	merges, err := mergesOf(tx, s.Key, customerID)
	if err != nil {
		return "", err
	}
	var others []string
	for i := range merges {
		if m := &merges[i]; !m.UndoneAt.IsZero() && m.MergedID == customerID {
			others = append(others, m.TargetID)
		}
	}
	return "", event.Rewrite(tx, s.Key, customer.PersonalEvents, db.Distinct(others)...)
}
