// Package customer holds the members of a store's program: who they are, their status and their level.
package customer

import (
	"strings"
	"time"

	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// The statuses of a customer (program-api 4.14).
const (
	New     = "new"
	Active  = "active"
	Blocked = "blocked"
	Deleted = "deleted"
)

// undisclosed is the gender of a customer who does not tell it.
const undisclosed = "not_disclosed"

// Genders are the values of a customer's gender.
var Genders = []string{"male", "female", undisclosed}

// agreements are the names of the agreements on the wire.
var agreements = [...]string{"agreement1", "agreement2", "agreement3"}

// Customer is a member of a store's program.
type Customer struct {
	StoreKey            int64
	ID                  string
	Status              string
	Email               string // lower case; empty when none
	Phone               string
	EmailVerified       bool // somebody made sure that it is the customer's, as PhoneVerified
	PhoneVerified       bool
	LoyaltyCard         string
	FirstName, LastName string
	Gender              string
	BirthDate           string // YYYY-MM-DD, empty when unknown
	Agreements          [3]bool
	LevelID             string
	ManualLevelID       string // the level was set by hand: the value may lift above it, never take below
	LevelAchievedAt     time.Time
	LevelRecalculatedAt time.Time
	POSID, SellerID     string
	Purchases           Purchases
	PasswordHash        string
	PasswordTemporary   bool // made by the system and not changed yet
	LastLoginAt         time.Time
	CreatedAt           time.Time
	UpdatedAt           time.Time
	Version             int64
	Address             Address
	Company             Company
	Labels              []Label
	AnonymizedAt        time.Time // zero while it is known who he is
	InactiveSince       time.Time // when the status became blocked or deleted; zero for others
}

// Purchases sums up what a customer bought in the shops (program-api 4.2).
type Purchases struct {
	Count                 int64
	Amount                decimal.Hundredths
	AmountWithoutDelivery decimal.Hundredths
	ExcludedForLevel      decimal.Hundredths
	ExcludedDelivery      decimal.Hundredths // the part of ExcludedForLevel that is delivery too
	LastAt                time.Time
	PointsTakenBack       decimal.Hundredths // by returns: these points count for no level
}

// Average is the amount per purchase, 0 when there is none.
func (p Purchases) Average() decimal.Hundredths {
	if p.Count == 0 {
		return 0
	}
	return p.Amount.MulDiv(1, p.Count)
}

// Address is where a customer lives; all parts may be missing.
type Address struct {
	Street   string `json:"street,omitempty"`
	Address1 string `json:"address1,omitempty"`
	Address2 string `json:"address2,omitempty"`
	Postal   string `json:"postal,omitempty"`
	City     string `json:"city,omitempty"`
	Province string `json:"province,omitempty"`
	Country  string `json:"country,omitempty"`
}

// Company is the firm a customer buys for: both parts or none.
type Company struct {
	Name string `json:"name,omitempty"`
	NIP  string `json:"nip,omitempty"` // tax number
}

// Label is a key and value put on a customer.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// matchKey is how phones and card numbers are compared: trimmed, without regard to case.
func matchKey(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// ParseLabels reads the text form of labels, `key:value;key1:value1`: the value begins after the first
// colon, empty entries and those without a colon are passed over.
func ParseLabels(text string) []Label {
	var labels []Label
	for entry := range strings.SplitSeq(text, ";") {
		if key, value, found := strings.Cut(entry, ":"); found && strings.TrimSpace(key) != "" {
			labels = append(labels, Label{strings.TrimSpace(key), strings.TrimSpace(value)})
		}
	}
	return labels
}

var (
	phoneRule = form.Matches("This value is not a valid phone number.", isPhone)
	emailRule = form.Matches("This value is not a valid email address.", isEmail)
)

// isPhone accepts digits with an optional leading plus.
func isPhone(text string) bool {
	digits := strings.TrimPrefix(text, "+")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// isEmail accepts one name and one domain with a dot; whether it exists only a message can tell.
func isEmail(text string) bool {
	name, domain, found := strings.Cut(text, "@")
	return found && name != "" && strings.Contains(strings.Trim(domain, "."), ".") &&
		!strings.ContainsAny(text, " \t\r\n<>,;") && !strings.Contains(domain, "@")
}

// IsActive tells whether the customer may log in, earn and buy.
func (c *Customer) IsActive() bool { return c.Status == Active }
