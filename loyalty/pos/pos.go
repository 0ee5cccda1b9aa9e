// Package pos holds the points of sale: the tills and shops where a store's customers buy.
package pos

import (
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// ErrTaken says that another point of sale of the store has the identifier.
var ErrTaken = fault.New(fault.Refused, "This value is already used.")

// POS is one point of sale. It is never deleted: what was sold there names it.
type POS struct {
	StoreKey int64
	ID       string
	Details
	Amount    decimal.Hundredths // of its sales less the returns of those sales
	Count     int64              // of its sales that are not completely returned
	CreatedAt time.Time
}

// Details are what an administrator says about a point of sale.
type Details struct {
	Name        string
	Identifier  string // unique in the store; case counts
	Description string
	Location    Location
}

// Location is where a point of sale stands.
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

// GeoPoint is a place on the Earth in degrees, as it was sent.
type GeoPoint struct {
	Lat  string `json:"lat"`
	Long string `json:"long"`
}

// Create adds a point of sale to a store. An identifier that another one of the store has is ErrTaken.
func Create(tx *db.Tx, storeKey int64, details Details) (*POS, error) {
	if err := claim(tx, storeKey, "", details.Identifier); err != nil {
		return nil, err
	}
	p := &POS{StoreKey: storeKey, ID: tx.NewID(), Details: details, CreatedAt: tx.Now}
	return p, insert(tx, p)
}

// Change replaces what is said about a point of sale; an unknown one is fault.ErrNotFound.
func Change(tx *db.Tx, storeKey int64, id string, details Details) error {
	if err := claim(tx, storeKey, id, details.Identifier); err != nil {
		return err
	}
	return update(tx, storeKey, id, details)
}

// claim makes sure that no other point of sale than id has the identifier, until the operation ends.
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
