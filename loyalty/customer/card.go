package customer

import (
	"crypto/rand"
	"math/big"
	"strings"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// A card number that is issued has 16 digits: a 9, which no payment card begins with, 14 random ones, and a check digit
// by Luhn. Digits cannot be mistaken for letters, an even number of them is short as Code 128, and 16 are more than a
// phone number has, so that no number of a card is the phone of another customer.
const (
	cardPrefix       = "9"
	cardRandomDigits = 14
)

// errNoCards is the error of a store that does not issue card numbers.
var errNoCards = fault.New(fault.Refused, "cards_not_issued", "This store does not issue card numbers.")

// newCardNumber returns a random card number.
func newCardNumber() string {
	most := new(big.Int).Exp(big.NewInt(10), big.NewInt(cardRandomDigits), nil)
	n, _ := rand.Int(rand.Reader, most) // never returns an error
	digits := n.String()
	number := cardPrefix + strings.Repeat("0", cardRandomDigits-len(digits)) + digits
	return number + string(checkDigit(number))
}

// checkDigit returns the digit that makes the number valid by Luhn.
func checkDigit(number string) byte {
	sum := 0
	for i := range number {
		digit := int(number[len(number)-1-i] - '0')
		if i%2 == 0 { // every second digit, beginning with the last
			if digit *= 2; digit > 9 {
				digit -= 9
			}
		}
		sum += digit
	}
	return byte('0' + (10-sum%10)%10)
}

// IssueCard gives a locked customer a card number, unless they have one. It returns errNoCards if the store does not
// issue numbers.
func IssueCard(tx *db.Tx, s *store.Store, c *Customer) error {
	if !s.Settings.IssueLoyaltyCards {
		return errNoCards
	}
	if c.LoyaltyCard != "" {
		return nil
	}
	change := Change{Sent: map[string]bool{"loyaltyCardNumber": true}}
	change.LoyaltyCard = newCardNumber()
	return Update(tx, s, c, change)
}
