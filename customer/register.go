package customer

import (
	"strings"
	"time"

	"punchcard/level"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/search"
	"punchcard/points"
	"punchcard/store"
)

// Registration is what a new customer is made of.
type Registration struct {
	Email, Phone, LoyaltyCard string
	FirstName, LastName       string
	Gender, BirthDate         string
	Agreements                [3]bool
	Address                   Address
	Company                   Company
	Labels                    []Label
	LevelID                   string    // set by hand; empty for the start level
	CreatedAt                 time.Time // zero for now
	PasswordHash              string
	PasswordTemporary         bool
	Active                    bool // may log in at once
}

// Taken says which of a registration's unique fields another customer of the store has.
type Taken struct{ Email, Phone, LoyaltyCard, LevelUnknown, NoStartLevel bool }

// Error implements error.
func (t *Taken) Error() string { return "the registration is refused by a field" }

// Register adds a customer with his account, in the level he starts in. A *Taken error names the
// fields that are in the way.
func Register(tx *db.Tx, s *store.Store, in Registration) (*Customer, error) {
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return nil, err
	}
	c := in.customer(tx, s)
	taken, err := c.inTheWay(tx)
	if err != nil {
		return nil, err
	}
	start := in.startLevel(levels, taken)
	if *taken != (Taken{}) {
		return nil, taken
	}
	c.LevelID, c.LevelAchievedAt = start.ID, c.CreatedAt
	if in.LevelID != "" {
		c.ManualLevelID = start.ID
	}
	if inserted, err := tx.InsertNew("customers", columns, c.row()); err != nil {
		return nil, err
	} else if !inserted { // somebody registered with the same data a moment ago
		if taken, err = c.inTheWay(tx); err == nil && *taken != (Taken{}) {
			err = taken
		} else if err == nil { // he is gone again: the next try succeeds
			err = db.ErrBusy
		}
		return nil, err
	}
	if err := search.Put(tx, s.Key, SearchKind, c.document()); err != nil {
		return nil, err
	}
	accountID, err := points.Open(tx, s, c.ID)
	if err != nil {
		return nil, err
	}
	if err := event.Append(tx, s.Key, registered(s, c, accountID, tx.Now)...); err != nil {
		return nil, err
	}
	return c, level.Moved(tx, s.Key, "", c.LevelID)
}

func (in *Registration) customer(tx *db.Tx, s *store.Store) *Customer {
	c := &Customer{
		StoreKey: s.Key, ID: tx.NewID(), Status: New, Email: strings.ToLower(in.Email), Phone: in.Phone,
		LoyaltyCard: in.LoyaltyCard, FirstName: in.FirstName, LastName: in.LastName, Gender: in.Gender,
		BirthDate: in.BirthDate, Agreements: in.Agreements, Address: in.Address, Company: in.Company,
		Labels: in.Labels, PasswordHash: in.PasswordHash, PasswordTemporary: in.PasswordTemporary,
		CreatedAt: in.CreatedAt, UpdatedAt: tx.Now, Version: 1,
	}
	if c.CreatedAt.IsZero() {
		c.CreatedAt = tx.Now
	}
	if c.Gender == "" {
		c.Gender = "not_disclosed"
	}
	if in.Active {
		c.Status = Active
	}
	return c
}

func (in *Registration) startLevel(levels []level.Level, taken *Taken) *level.Level {
	if in.LevelID != "" {
		start := level.Find(levels, in.LevelID)
		taken.LevelUnknown = start == nil || !start.Active
		return start
	}
	start := level.Candidate(levels, 0)
	taken.NoStartLevel = start == nil
	return start
}

// inTheWay looks for customers with the same unique fields, in one statement, so that what somebody else
// registers meanwhile is seen as a whole or not at all.
func (c *Customer) inTheWay(tx *db.Tx) (*Taken, error) {
	fields, err := takenFields(tx, c)
	var taken Taken
	for _, field := range fields {
		switch field {
		case "email":
			taken.Email = true
		case "phone":
			taken.Phone = true
		case "card":
			taken.LoyaltyCard = true
		}
	}
	return &taken, err
}

// Activate lets a customer log in, earn and buy. Repeating it changes nothing.
func Activate(tx *db.Tx, s *store.Store, id string) error {
	return setStatus(tx, s, id, Active, []string{New, Blocked}, customerWasActivated{
		Customer: Ref{id}, ActivatedAt: eventTime(s, tx.Now),
	})
}

// Deactivate refuses the customer log-in, earning and buying; his points stay. Repeating it changes nothing.
func Deactivate(tx *db.Tx, s *store.Store, id string) error {
	return setStatus(tx, s, id, Blocked, []string{New, Active}, customerWasDeactivated{
		Customer: Ref{id}, DeactivatedAt: eventTime(s, tx.Now),
	})
}

func setStatus(tx *db.Tx, s *store.Store, id, to string, from []string, fact event.Fact) error {
	changed, err := updateStatus(tx, s.Key, id, to, from)
	if err != nil {
		return err
	}
	if !changed {
		_, err := Find(tx, s.Key, id)
		return err
	}
	return event.Append(tx, s.Key, event.Entry{AggregateID: id, Fact: fact})
}

// CheckLevel moves the customer to the level his value deserves. It runs after every change of that
// value, in the same transaction, with the account already locked.
func CheckLevel(tx *db.Tx, s *store.Store, account points.Account) error {
	c, err := lock(tx, s.Key, account.CustomerID)
	if err != nil {
		return err
	}
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return err
	}
	to := deserved(s, levels, c, levelValue(s, c, account))
	if to == nil || to.ID == c.LevelID {
		return nil
	}
	from := c.LevelID
	if err := moveToLevel(tx, c, to.ID, ""); err != nil {
		return err
	}
	if err := level.Moved(tx, s.Key, from, to.ID); err != nil {
		return err
	}
	return event.Append(tx, s.Key, movedToLevel(s, c.ID, from, to.ID, tx.Now, false))
}

// Find reads a customer who is not deleted.
func Find(tx *db.Tx, storeKey int64, id string) (*Customer, error) {
	c, found, err := findBy(tx, storeKey, "customer_id", id)
	if err == nil && (!found || c.Status == Deleted) {
		err = fault.ErrNotFound
	}
	return c, err
}

// FindByPath reads the customer that a path names: by id or, when the text is no UUID, by loyalty card.
func FindByPath(tx *db.Tx, storeKey int64, text string, isUUID bool) (*Customer, error) {
	if isUUID {
		return Find(tx, storeKey, strings.ToLower(text))
	}
	c, found, err := findBy(tx, storeKey, "loyalty_card_key", matchKey(text))
	if err == nil && (!found || c.Status == Deleted) {
		err = fault.ErrNotFound
	}
	return c, err
}
