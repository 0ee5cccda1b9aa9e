package customerapi

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// formerCustomer holds the fields of a customer that an import can change, as they were before.
type formerCustomer struct {
	Email, Phone, LoyaltyCard string
	Unverified                bool
	FirstName, LastName       string
	Gender, BirthDate         string
	Locale, POSID, SellerID   string
	Status, LevelID           string
	Agreements                [3]bool
	Address                   customer.Address
	Company                   customer.Company
	Labels                    []customer.Label
	CreatedAt                 time.Time
}

func formerOf(c *customer.Customer) *formerCustomer {
	return &formerCustomer{
		Email: c.Email, Phone: c.Phone, LoyaltyCard: c.LoyaltyCard, Unverified: !c.EmailVerified || !c.PhoneVerified,
		FirstName: c.FirstName, LastName: c.LastName, Gender: c.Gender, BirthDate: c.BirthDate, Locale: c.Locale,
		POSID: c.POSID, SellerID: c.SellerID, Status: c.Status, LevelID: c.LevelID, Agreements: c.Agreements,
		Address: c.Address, Company: c.Company, Labels: c.Labels, CreatedAt: c.CreatedAt,
	}
}

// change returns the change that brings the former values back.
func (f *formerCustomer) change(now *customer.Customer) customer.Change {
	sent := map[string]bool{
		"address": f.Address != now.Address, "company": f.Company != now.Company,
		"labels": !slices.Equal(f.Labels, now.Labels), "createdAt": !f.CreatedAt.Equal(now.CreatedAt),
		"email": f.Email != now.Email, "phone": f.Phone != now.Phone, "loyaltyCardNumber": f.LoyaltyCard != now.LoyaltyCard,
		"firstName": f.FirstName != now.FirstName, "lastName": f.LastName != now.LastName, "gender": f.Gender != now.Gender,
		"birthDate": f.BirthDate != now.BirthDate, "locale": f.Locale != now.Locale, "posId": f.POSID != now.POSID,
		"sellerId": f.SellerID != now.SellerID,
	}
	for i, name := range customer.Agreements {
		sent[name] = f.Agreements[i] != now.Agreements[i]
	}
	change := customer.Change{Sent: sent, Registration: customer.Registration{
		Email: f.Email, Phone: f.Phone, LoyaltyCard: f.LoyaltyCard, Unverified: f.Unverified, FirstName: f.FirstName,
		LastName: f.LastName, Gender: f.Gender, BirthDate: f.BirthDate, Locale: f.Locale, POSID: f.POSID,
		SellerID: f.SellerID, Agreements: f.Agreements, Address: f.Address, Company: f.Company, Labels: f.Labels,
		CreatedAt: f.CreatedAt,
	}}
	if f.LevelID != now.LevelID {
		change.LevelID, sent["levelId"] = f.LevelID, true
	}
	return change
}

// undo deletes a customer whom an import has added, or gives one their former values back, unless they changed since.
func undo(tx *db.Tx, s *store.Store, e dataimport.Effect) (outcome string, err error) {
	who, account, err := customer.Lock(tx, s, e.ObjectID)
	switch {
	case errors.Is(err, fault.ErrNotFound):
		return dataimport.OutcomeGone, nil
	case err != nil:
		return "", err
	case !who.AnonymizedAt.IsZero():
		return dataimport.OutcomeGone, nil
	}
	if who.Version != e.Version {
		return dataimport.OutcomeChanged, nil
	}
	if e.Former == nil {
		return undoRegistration(tx, s, who, account)
	}
	var former formerCustomer
	if err := json.Unmarshal(e.Former, &former); err != nil {
		return "", err
	}
	before := *who
	err = updateCustomer(tx, s, who, former.change(who), false)
	var taken *customer.Taken
	if errors.As(err, &taken) {
		return dataimport.OutcomeTaken, nil
	}
	if err != nil {
		return "", err
	}
	if wasActive := former.Status == customer.Active; wasActive != who.IsActive() {
		if err := setStatus(tx, s, who, wasActive); err != nil {
			return "", err
		}
	}
	return dataimport.OutcomeUndone, feature.React(tx, s, customer.Changed{Before: &before, After: who})
}

// undoRegistration deletes a customer who has done nothing yet.
func undoRegistration(tx *db.Tx, s *store.Store, who *customer.Customer, account points.Account) (
	outcome string, err error) {
	if who.Purchases.Count > 0 || account.Used > 0 || !who.LastLoginAt.IsZero() {
		return dataimport.OutcomeUsed, nil
	}
	bought, err := Coupons(tx, s, who.ID)
	if err != nil {
		return "", err
	}
	if len(bought[who.ID]) > 0 {
		return dataimport.OutcomeUsed, nil
	}
	before := *who
	if err := customer.Delete(tx, s, who); err != nil {
		return "", err
	}
	return dataimport.OutcomeUndone, feature.React(tx, s, customer.Changed{Before: &before, After: who})
}
