package storeapi

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Later features react to the following types.
type (
	// LanguageRemoved is the removal of all translations of a store into a language.
	LanguageRemoved struct{ Code string }
	// CurrencyUse asks what fixes the currency of a store. Reactions set a member.
	CurrencyUse struct {
		Receipts     bool // there are some, or were
		Reservations bool // of baskets, whose prices are in the currency
	}
)

// Parts hold what the endpoints of stores need of the program.
type Parts struct {
	// ReservedCodes lists words that no store may have as its code, because paths of the API begin with them.
	ReservedCodes func() []string
	// Save runs before the transaction of a call that saves the settings of a store, and returns what runs in it.
	Save  func(c *api.Call) (func(tx *db.Tx, s *store.Store) error, error)
	Guard api.Guard // of the addresses of links in messages
	// Due is the work that can be due after the clock of a sandbox store moves. It runs after the commit, in this order.
	Due func() []store.Job
}
