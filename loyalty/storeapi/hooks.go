package storeapi

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Hooks are the functions of later features that the endpoints of stores call.
type Hooks struct {
	// ReservedCodes lists words that no store may have as its code, because paths of the API begin with them.
	ReservedCodes func() []string
	// LanguageRemoved removes all translations into a language, in the transaction of its removal.
	LanguageRemoved func(tx *db.Tx, code string) error
	// SettingsSaved runs before the transaction of a call that saves the settings of a store, and returns what runs in it.
	SettingsSaved func(c *api.Call) (func(tx *db.Tx, s *store.Store) error, error)
	// HasReceipts returns whether a store has receipts, or had some. Its currency is fixed then.
	HasReceipts func(tx *db.Tx, storeKey int64) (bool, error)
	// HasReservations returns whether baskets are reserved, whose prices are in the currency.
	HasReservations func(tx *db.Tx, storeKey int64) (bool, error)
	Guard           api.Guard // of the addresses of links in messages
	// ClockMoved is the work that can be due after the clock of a sandbox store moves. It runs after the commit,
	// in this order.
	ClockMoved func() []store.Job
}
