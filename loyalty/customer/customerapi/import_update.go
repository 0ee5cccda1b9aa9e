package customerapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/note"
	"punchcard/loyalty/dataimport"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// importKeys are the fields by which imported records are matched with customers.
var importKeys = []string{store.ByEmail, store.ByPhone, store.ByLoyaltyCard}

// contactFields are the names of the same fields in records.
var contactFields = []string{"email", "phone", "loyaltyCardNumber"}

// guarded are the fields of existing customers that an import changes only if it names them: what they agreed to, their
// status and their level.
var guarded = append([]string{"active", "levelId"}, customer.Agreements[:]...)

// match is a record whose customer exists.
type match struct {
	place int // in the batch
	id    string
	led   bool // by a contact of somebody who was merged into them
}

// changeExisting changes the customers that exist already, and returns the places of the other records.
func changeExisting(tx *db.Tx, s *store.Store, of *dataimport.Import, records []dataimport.Record,
	results []dataimport.Result) (newcomers []int, err error) {
	key := cmp.Or(of.Options.Key, store.ByEmail)
	byValue := map[string][]int{} // places
	for i, record := range records {
		value := customer.Compared(s, key, record.(*customerRecord).key(key))
		if value == "" {
			newcomers = append(newcomers, i)
			continue
		}
		byValue[value] = append(byValue[value], i)
	}
	var values []string
	for value := range byValue {
		values = append(values, value)
	}
	slices.Sort(values)
	var matches []match
	found := map[string]match{}
	err = tx.Run(customer.SelectByContact(tx, s, key, values, func(value string, c *customer.Customer, led bool) {
		if c.MergedInto != "" { // whom the card finds
			found[value] = match{id: c.MergedInto, led: true}
		} else if _, own := found[value]; !own || !led {
			found[value] = match{id: c.ID, led: led}
		}
	})...)
	if err != nil {
		return nil, err
	}
	for value, places := range byValue {
		if m, exists := found[value]; exists {
			for _, m.place = range places {
				matches = append(matches, m)
			}
			continue
		}
		newcomers = append(newcomers, places...)
	}
	slices.Sort(newcomers)
	// Accounts are locked in the order of their ids, like everywhere.
	slices.SortFunc(matches, func(a, b match) int { return cmp.Or(cmp.Compare(a.id, b.id), a.place-b.place) })
	for _, m := range matches {
		record := records[m.place].(*customerRecord)
		if results[m.place], err = changeOne(tx, s, of, key, m, record); err != nil {
			return nil, err
		}
	}
	return newcomers, nil
}

// key returns the field by which the record is matched.
func (r *customerRecord) key(field string) string {
	return map[string]string{
		store.ByEmail: r.Email, store.ByPhone: cmp.Or(r.Phone, r.AddressPhone), store.ByLoyaltyCard: r.Card,
	}[field]
}

// changeOne changes a customer by the fields of a record that are filled in. A record that leads to them changes no
// contacts: it would bring back those of the merged customer.
func changeOne(tx *db.Tx, s *store.Store, of *dataimport.Import, key string, m match,
	r *customerRecord) (dataimport.Result, error) {
	id := m.id
	fields, err := r.filledIn(key, of.Options.Replace)
	if err != nil {
		return dataimport.Result{}, err
	}
	if m.led {
		for _, contact := range contactFields {
			delete(fields, contact)
		}
	}
	g, err := dataimport.Form(fields)
	if err != nil {
		return dataimport.Refuse(err)
	}
	in := &reader{Group: g, node: g.Node(), now: tx.Now(), sent: map[string]bool{}, forChange: true, imported: true}
	change := in.readFields(s)
	in.readAssignments(&change.Registration)
	active, setsStatus := g.YesNo("active")
	text := readNote(g)
	if err := g.Err(); err != nil {
		return dataimport.Refuse(err)
	}
	who, _, err := customer.Lock(tx, s, id)
	if errors.Is(err, fault.ErrNotFound) { // deleted, or the target of a merge was
		g.AddError(key, form.Invalid("unknown_customer"))
		return dataimport.Refuse(g.Err())
	}
	if err != nil {
		return dataimport.Result{}, err
	}
	if text != "" {
		if full, err := note.IsFull(tx, s.Key, id); err != nil {
			return dataimport.Result{}, err
		} else if full {
			g.AddError("note", note.ErrTooMany)
			return dataimport.Refuse(g.Err())
		}
	}
	change.Address = change.Address.Over(who.Address)
	change.Company = change.Company.Over(who.Company)
	before := *who
	err = updateCustomer(tx, s, who, change, false)
	var taken *customer.Taken
	switch {
	case errors.As(err, &taken):
		return dataimport.Refuse(FieldErrors(taken, g))
	case errors.Is(err, customer.ErrAnonymized):
		return dataimport.Refuse(err)
	case err != nil:
		return dataimport.Result{}, err
	}
	if setsStatus && active != who.IsActive() {
		if err := setStatus(tx, s, who, active); err != nil {
			return dataimport.Result{}, err
		}
	}
	if text != "" {
		if err := note.AddOnce(tx, s.Key, id, text, of.CreatedBy.Name); err != nil {
			return dataimport.Result{}, err
		}
	}
	after, err := react(tx, s, &before, who)
	if err != nil {
		return dataimport.Result{}, err
	}
	return dataimport.Result{ID: id, Changed: true, Former: formerOf(&before), Version: after.Version}, nil
}

// react lets others react to a change, and returns the customer with what they have changed.
func react(tx *db.Tx, s *store.Store, before, who *customer.Customer) (*customer.Customer, error) {
	if err := feature.React(tx, s, customer.Changed{Before: before, After: who}); err != nil {
		return nil, err
	}
	return customer.Find(tx, s.Key, who.ID)
}

// setStatus activates or blocks a customer.
func setStatus(tx *db.Tx, s *store.Store, who *customer.Customer, active bool) error {
	change := customer.Deactivate
	if active {
		change = customer.Activate
	}
	if err := change(tx, s, who.ID); err != nil {
		return err
	}
	after, err := customer.Find(tx, s.Key, who.ID)
	if err != nil {
		return err
	}
	*who = *after
	return nil
}

// filledIn returns the form of a change: the fields that are filled in, without the key and the guarded fields that are
// not to be replaced.
func (r *customerRecord) filledIn(key string, replaced []string) (map[string]any, error) {
	sent := *r
	sent.prepare()
	text, err := json.Marshal(&sent)
	if err != nil {
		return nil, err
	}
	fields := map[string]any{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	withoutBlanks(fields)
	delete(fields, key)
	delete(fields, "sendActivationMail")
	for _, name := range guarded {
		if !slices.Contains(replaced, name) {
			delete(fields, name)
		}
	}
	return fields, nil
}

// withoutBlanks removes members without a text.
func withoutBlanks(fields map[string]any) {
	for name, value := range fields {
		switch value := value.(type) {
		case nil:
			delete(fields, name)
		case string:
			if strings.TrimSpace(value) == "" {
				delete(fields, name)
			}
		case map[string]any:
			if withoutBlanks(value); len(value) == 0 {
				delete(fields, name)
			}
		}
	}
}
