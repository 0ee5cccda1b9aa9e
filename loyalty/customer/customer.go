// Package customer holds the members of a store's program: who they are, their status and their level.
package customer

import (
	"cmp"
	"strings"
	"time"

	"punchcard/platform/decimal"
	"punchcard/platform/keytext"
	"punchcard/platform/search"
)

// The statuses of a customer.
const (
	New     = "new"
	Active  = "active"
	Blocked = "blocked"
	Deleted = "deleted"
)

// undisclosed is the gender of a customer who does not state one.
const undisclosed = "not_disclosed"

// The maximum lengths of a customer's phone and of most other texts, in characters.
const (
	PhoneLimit = 64
	TextLimit  = 255
)

// Genders are the values of a customer's gender.
var Genders = []string{"male", "female", undisclosed}

// Agreements are the JSON names of the agreements.
var Agreements = [...]string{"agreement1", "agreement2", "agreement3"}

// Customer is a member of a store's program.
type Customer struct {
	StoreKey            int64
	ID                  string
	Status              string
	Email               string // lower case; empty when none
	Phone               string // as it was sent
	PhoneKey            string // in which phones are compared, see phone.Key
	EmailVerified       bool   // confirmed to belong to the customer, like PhoneVerified
	PhoneVerified       bool
	LoyaltyCard         string
	FirstName, LastName string
	Gender              string
	BirthDate           string // YYYY-MM-DD, empty when unknown
	Agreements          [3]bool
	LevelID             string
	ManualLevelID       string // level set by hand: the customer may rise above it but never drops below it
	LevelAchievedAt     time.Time
	LevelRecalculatedAt time.Time
	POSID, SellerID     string
	Purchases           Purchases
	PasswordHash        string
	PasswordTemporary   bool // generated and not changed yet
	LastLoginAt         time.Time
	CreatedAt           time.Time
	UpdatedAt           time.Time
	Version             int64
	Address             Address
	Company             Company
	Labels              []Label
	AnonymizedAt        time.Time // zero unless anonymized
	InactiveSince       time.Time // when the customer was blocked or deleted; otherwise zero
	Locale              string    // the language of messages; empty for the default
	InvitationID        string    // the invitation by which the customer registered; empty for none
	MergedInto          string    // the customer into whom this one was merged, who is Deleted then; empty for none
}

// Purchases sums up the transactions of a customer, with returns subtracted.
type Purchases struct {
	Count                 int64
	Amount                decimal.Money
	AmountWithoutDelivery decimal.Money
	ExcludedForLevel      decimal.Money
	ExcludedDelivery      decimal.Money // the part of ExcludedForLevel that is delivery costs
	LastAt                time.Time
	PointsTakenBack       decimal.Hundredths // by returns; does not count towards levels
}

// Average is the amount per purchase, or 0 without purchases, with the digits after the point of the currency.
func (p Purchases) Average(digits int) decimal.Money {
	if p.Count == 0 {
		return 0
	}
	return p.Amount.MulDiv(1, p.Count, digits)
}

// Address is the postal address of a customer. Any part may be empty.
type Address struct {
	Street   string `json:"street,omitempty"`
	Address1 string `json:"address1,omitempty"`
	Address2 string `json:"address2,omitempty"`
	Postal   string `json:"postal,omitempty"`
	City     string `json:"city,omitempty"`
	Province string `json:"province,omitempty"`
	Country  string `json:"country,omitempty"`
}

// Over returns the address with the fields of another one where it has none.
func (a Address) Over(other Address) Address {
	return Address{
		Street: cmp.Or(a.Street, other.Street), Address1: cmp.Or(a.Address1, other.Address1),
		Address2: cmp.Or(a.Address2, other.Address2), Postal: cmp.Or(a.Postal, other.Postal),
		City: cmp.Or(a.City, other.City), Province: cmp.Or(a.Province, other.Province),
		Country: cmp.Or(a.Country, other.Country),
	}
}

// Over returns the company with the fields of another one where it has none.
func (c Company) Over(other Company) Company {
	return Company{Name: cmp.Or(c.Name, other.Name), NIP: cmp.Or(c.NIP, other.NIP)}
}

// Company is the company a customer buys for. Either both fields are set or none.
type Company struct {
	Name string `json:"name,omitempty"`
	NIP  string `json:"nip,omitempty"` // tax number
}

// Label is a key with a value that is attached to a customer.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// matchKey returns the form in which e-mail addresses, loyalty cards and names are compared.
func matchKey(text string) string { return keytext.Fold(text) }

// orderOf returns the form of a name by which lists are sorted: without case and accents, so that Łukasik stands
// with L and Åberg with A.
func orderOf(name string) string { return search.Fold(matchKey(name)) }

// ParseLabels reads labels from text such as "key:value;key1:value1". The value begins after the first colon.
// Entries without a colon or without a key are skipped.
func ParseLabels(text string) []Label {
	var labels []Label
	for entry := range strings.SplitSeq(text, ";") {
		if key, value, found := strings.Cut(entry, ":"); found && keytext.Clean(key) != "" {
			labels = append(labels, Label{keytext.Clean(key), keytext.Clean(value)})
		}
	}
	return labels
}

// LabelsOfFile parses labels in a cell of a table like ParseLabels. One without a value may have no colon.
func LabelsOfFile(text string) []Label {
	entries := strings.Split(text, ";")
	for i, entry := range entries {
		if !strings.Contains(entry, ":") {
			entries[i] += ":"
		}
	}
	return ParseLabels(strings.Join(entries, ";"))
}

// FullName is the first and the last name.
func (c *Customer) FullName() string { return strings.TrimSpace(c.FirstName + " " + c.LastName) }

// MessageValues returns the values of the placeholders in messages that are about the customer.
func (c *Customer) MessageValues() map[string]string {
	return map[string]string{"first_name": c.FirstName, "last_name": c.LastName}
}

// AgreedToMarketing reports whether the customer may get marketing messages.
func (c *Customer) AgreedToMarketing() bool { return c.Agreements[1] }

// IsActive reports whether the customer may log in, earn and buy.
func (c *Customer) IsActive() bool { return c.Status == Active }
