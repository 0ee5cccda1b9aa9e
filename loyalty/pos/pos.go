// Package pos stores the points of sale: the shops and checkouts where a store's customers buy.
package pos

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// ErrTaken is returned when another point of sale of the store has the identifier.
var ErrTaken = fault.New(fault.Refused, "point_of_sale_identifier_taken", "This value is already used.")

// POS is one point of sale. It is never deleted, because transactions refer to it.
type POS struct {
	StoreKey int64
	ID       string
	Details
	Amount    decimal.Money // sales minus their returns
	Count     int64         // sales that are not completely returned
	CreatedAt time.Time
}

// Details are the fields that administrators edit.
type Details struct {
	Name        string
	Identifier  string // unique in the store, case-sensitive
	Description string
	Location    Location
}

// Location is the address of a point of sale.
type Location struct {
	Street   string    `json:"street"`
	Address1 string    `json:"address1"`
	Address2 string    `json:"address2,omitempty"`
	Postal   string    `json:"postal"`
	City     string    `json:"city"`
	Province string    `json:"province"`
	Country  string    `json:"country"`
	GeoPoint *GeoPoint `json:"geoPoint,omitempty"`
}

// GeoPoint is a position in degrees, as the client sent it.
type GeoPoint struct {
	Lat  string `json:"lat"`
	Long string `json:"long"`
}

// Create adds a point of sale to a store. It returns ErrTaken if the store already uses the identifier.
func Create(tx *db.Tx, storeKey int64, details Details) (*POS, error) {
	if err := claim(tx, storeKey, "", details.Identifier); err != nil {
		return nil, err
	}
	p := &POS{StoreKey: storeKey, ID: tx.NewID(), Details: details, CreatedAt: tx.Now()}
	return p, table.Insert(tx, p)
}

// Change replaces the details of a point of sale. It returns fault.ErrNotFound for an unknown id, and ErrTaken
// if another point of sale of the store has the identifier.
func Change(tx *db.Tx, storeKey int64, id string, details Details) error {
	if err := claim(tx, storeKey, id, details.Identifier); err != nil {
		return err
	}
	return updatePOS(tx, storeKey, id, details)
}

// claim returns ErrTaken if a point of sale other than id has the identifier. It locks the store, so the answer
// holds until the operation ends.
func claim(tx *db.Tx, storeKey int64, id, identifier string) error {
	if _, err := store.Lock(tx, storeKey); err != nil {
		return err
	}
	other, found, err := FindByIdentifier(tx, storeKey, identifier)
	if err == nil && found && other.ID != id {
		err = ErrTaken
	}
	return err
}
