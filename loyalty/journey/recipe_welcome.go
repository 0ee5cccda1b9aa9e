package journey

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// welcome is for customers who registered, as soon as they are active. Imported customers are no newcomers.
var welcome = &recipe{name: "welcome", sample: nothing, applies: always}

// Joined lets a customer enter who became active for the first time, in the transaction of that.
func Joined(tx *db.Tx, s *store.Store, customerID string) error {
	journeys, err := active(tx, s.Key, welcome.name)
	for i := 0; i < len(journeys) && err == nil; i++ {
		j := &journeys[i]
		err = enter(tx, j, j.findings(tx, s, "joined", customerID)...)
	}
	return err
}
