package journey

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

// welcome is for customers who registered, as soon as they are active. Imported customers are no newcomers.
var welcome = &recipe{name: "welcome", sample: nothing, applies: always}

func registered(tx *db.Tx, s *store.Store, e customer.Registered) error {
	var active []string
	for _, c := range e.Customers {
		if c.IsActive() {
			active = append(active, c.ID)
		}
	}
	return joined(tx, s, active...)
}

func changed(tx *db.Tx, s *store.Store, e customer.Changed) error {
	if e.Before.Status != customer.New || !e.After.IsActive() {
		return nil
	}
	return joined(tx, s, e.After.ID)
}

// joined lets customers enter who became active for the first time.
func joined(tx *db.Tx, s *store.Store, customerIDs ...string) error {
	if len(customerIDs) == 0 {
		return nil
	}
	journeys, err := active(tx, s.Key, welcome.name)
	if err != nil {
		return err
	}
	for i := range journeys {
		j := &journeys[i]
		if err := enter(tx, j, j.findings(tx, s, "joined", customerIDs...)...); err != nil {
			return err
		}
	}
	return nil
}
