package customer

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/phone"
)

// Registration is the input for a new customer.
type Registration struct {
	Email, Phone, LoyaltyCard string
	FirstName, LastName       string
	Gender, BirthDate         string
	Locale                    string // one of the languages; empty for the default
	Agreements                [3]bool
	Address                   Address
	Company                   Company
	Labels                    []Label
	IssueCard                 bool   // a new LoyaltyCard is made if there is none
	LevelID                   string // set by hand; empty for the starting level
	POSID, SellerID           string
	CreatedAt                 time.Time // zero for now
	PasswordHash              string
	PasswordTemporary         bool
	Active                    bool // skips the activation
	Unverified                bool // the e-mail address and phone come from the customer and are not confirmed
	InvitationID              string
}

// Taken is the error of a registration or a change whose fields conflict: a unique value that another
// customer of the store has, or the id of something the store does not have.
type Taken struct {
	Email, Phone, LoyaltyCard                             bool
	LevelUnknown, NoStartLevel, POSUnknown, SellerUnknown bool
	LocaleUnknown                                         bool
}

// Error returns a fixed text; customerapi.FieldErrors describes the fields.
func (t *Taken) Error() string { return "the registration is refused by a field" }

// Register adds a customer with an account, in the starting level. A *Taken error names the fields that
// conflict.
func Register(tx *db.Tx, s *store.Store, in Registration) (*Customer, error) {
	added, refused, err := RegisterAll(tx, s, []Registration{in})
	if err != nil {
		return nil, err
	}
	if refused[0] != nil {
		return nil, refused[0]
	}
	return added[0], nil
}

func (in *Registration) customer(tx *db.Tx, s *store.Store) *Customer {
	c := &Customer{
		StoreKey: s.Key, ID: tx.NewID(), Status: New, PasswordHash: in.PasswordHash,
		PasswordTemporary: in.PasswordTemporary, UpdatedAt: tx.Now(), Version: 1, InvitationID: in.InvitationID,
	}
	if in.CreatedAt.IsZero() {
		in.CreatedAt = tx.Now()
	}
	if in.IssueCard && in.LoyaltyCard == "" {
		in.LoyaltyCard = newCardNumber()
	}
	in.applyTo(c, s, func(string) bool { return true })
	if in.Active {
		c.Status = Active
	}
	return c
}

// applyTo copies the fields for which sent is true to the customer. sent receives JSON names.
func (in *Registration) applyTo(c *Customer, s *store.Store, sent func(field string) bool) {
	if sent("email") {
		c.EmailVerified = !in.Unverified || c.EmailVerified && matchKey(c.Email) == matchKey(in.Email)
	}
	if sent("phone") {
		key := phone.Key(in.Phone, s.Settings.Country)
		c.PhoneVerified = !in.Unverified || c.PhoneVerified && c.PhoneKey == key
		c.PhoneKey = key
	}
	for _, part := range []struct {
		name string
		to   *string
		text string
	}{
		{"email", &c.Email, matchKey(in.Email)}, {"phone", &c.Phone, in.Phone},
		{"loyaltyCardNumber", &c.LoyaltyCard, in.LoyaltyCard}, {"firstName", &c.FirstName, in.FirstName},
		{"lastName", &c.LastName, in.LastName}, {"gender", &c.Gender, in.Gender},
		{"birthDate", &c.BirthDate, in.BirthDate}, {"posId", &c.POSID, in.POSID},
		{"sellerId", &c.SellerID, in.SellerID}, {"locale", &c.Locale, in.Locale},
	} {
		if sent(part.name) {
			*part.to = part.text
		}
	}
	for i, name := range Agreements {
		if sent(name) {
			c.Agreements[i] = in.Agreements[i]
		}
	}
	if sent("address") {
		c.Address = in.Address
	}
	if sent("company") {
		c.Company = in.Company
	}
	if sent("labels") {
		c.Labels = in.Labels
	}
	if sent("createdAt") && !in.CreatedAt.IsZero() {
		c.CreatedAt = in.CreatedAt
	}
	if c.Gender == "" {
		c.Gender = undisclosed
	}
}

// enterLevel puts a new customer into the level set by hand, or into the starting level.
func (in *Registration) enterLevel(c *Customer, levels []level.Level, taken *Taken) {
	start := in.startLevel(levels, taken)
	if start == nil {
		return
	}
	c.LevelID, c.LevelAchievedAt = start.ID, c.CreatedAt
	if in.LevelID != "" {
		c.ManualLevelID = start.ID
	}
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

// isUnknown reports whether a locale is none of the languages.
func isUnknown(tx *db.Tx, locale string) (bool, error) {
	if locale == "" {
		return false, nil
	}
	languages, err := store.AllLanguages(tx)
	return !languages.Has(locale), err
}

// conflicts looks for other customers with the same unique fields, and for the point of sale and the seller
// that c names. It reads all unique fields in one statement, so that it sees a concurrent registration either
// whole or not at all.
func (c *Customer) conflicts(tx *db.Tx) (*Taken, error) {
	var taken Taken
	err := tx.Run(selectTakenFields(c, func(field string) {
		switch field {
		case "email":
			taken.Email = true
		case "phone":
			taken.Phone = true
		case "card":
			taken.LoyaltyCard = true
		}
	})...)
	if err == nil && c.POSID != "" {
		var known bool
		_, known, err = pos.Find(tx, c.StoreKey, c.POSID)
		taken.POSUnknown = !known
	}
	if err == nil && c.SellerID != "" {
		var known bool
		_, known, err = seller.FindByID(tx, c.StoreKey, c.SellerID)
		taken.SellerUnknown = !known
	}
	return &taken, err
}
