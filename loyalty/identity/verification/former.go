package verification

import (
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/factor"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

const fieldPassword = "password"

// contactChanged tells the former e-mail address and phone of a customer that they were replaced. What staff entered
// rests: see Rest.
func contactChanged(tx *db.Tx, s *store.Store, e customer.ContactChanged) error {
	before, after, byStaff := e.Before, e.After, e.ByStaff
	for _, contact := range []struct{ field, former, present string }{
		{fieldEmail, before.Email, after.Email}, {fieldPhone, before.Phone, after.Phone},
	} {
		if contact.former == contact.present {
			continue
		}
		if byStaff {
			if err := putAccessChange(tx, s.Key, after.ID, contact.field, contact.former); err != nil {
				return err
			}
		}
		m := ofCustomer(after).messageTo(s, template.ContactChanged, contact.field, contact.former)
		if err := message.Queue(tx, s, m); err != nil {
			return err
		}
	}
	return nil
}

// messageTo returns a message to one contact, which may not be the user's any more.
func (u *user) messageTo(s *store.Store, event, field, contact string) message.Message {
	m := u.message(s, event)
	m.Email, m.Phone = "", ""
	if field == fieldPhone {
		m.Phone = contact
	} else {
		m.Email = contact
	}
	return m
}

// passwordReset records that a link set a customer's password, and tells the contacts that staff replaced.
func passwordReset(tx *db.Tx, s *store.Store, u *user) error {
	if err := putAccessChange(tx, s.Key, u.id, fieldPassword, ""); err != nil {
		return err
	}
	former, err := formerContacts(tx, s.Key, u.id)
	if err != nil {
		return err
	}
	all := make([]message.Message, 0, len(former))
	for _, f := range former {
		if !u.has(f.contact) {
			all = append(all, u.messageTo(s, template.PasswordChanged, f.field, f.contact))
		}
	}
	return message.Queue(tx, s, all...)
}

// RestsUntil returns until when a customer gives no points away, because staff changed a contact or a link set the
// password. The time is zero if nothing of this is new.
func RestsUntil(tx *db.Tx, storeKey int64, customerID string) (time.Time, error) {
	changed, err := lastAccessChange(tx, storeKey, customerID, fieldEmail, fieldPhone, fieldPassword)
	if err != nil || changed.IsZero() {
		return time.Time{}, err
	}
	return changed.Add(Rest), nil
}

// restContacts removes from a user the contacts that staff entered just now, unless the user has not chosen a password.
// It does the same work for everybody, and for nobody.
func restContacts(tx *db.Tx, u *user) error {
	mayRest := u.passwordHash != "" && !u.hasTemporary && u.storeKey != 0
	for field, contact := range map[string]*string{fieldEmail: &u.email, fieldPhone: &u.phone} {
		changed, err := lastAccessChange(tx, u.storeKey, u.id, field)
		if err != nil {
			return err
		}
		if mayRest && !changed.IsZero() {
			*contact = ""
		}
	}
	return nil
}

// leaving tells a customer that they deleted their account, and until when they can come back.
func leaving(tx *db.Tx, s *store.Store, e customer.Departure) error {
	m := ofCustomer(e.Customer).message(s, template.AccountDeleted)
	m.Values["end_date"] = e.At.In(s.Zone).Format(time.DateOnly)
	return message.Queue(tx, s, m)
}

// sellerChanged tells a seller, at the former e-mail address, that somebody changed it or the password.
func sellerChanged(tx *db.Tx, s *store.Store, e seller.Changed) error {
	before, after := e.Before, e.After
	if before.Email == after.Email && before.PasswordHash == after.PasswordHash {
		return nil
	}
	return message.Queue(tx, s, ofSeller(before).message(s, template.SellerAccessChanged))
}

// administratorChanged tells an administrator, at the former e-mail address, that somebody changed it or the password.
func administratorChanged(tx *db.Tx, _ *store.Store, e admin.Changed) error {
	before, after := e.Before, e.After
	if before.External || before.Email == after.Email && before.PasswordHash == after.PasswordHash {
		return nil
	}
	s, found, err := store.ByCode(tx, store.DefaultCode)
	if err != nil || !found {
		return err
	}
	return message.Queue(tx, s, ofAdministrator(before).message(s, template.AdminAccessChanged))
}

// factorsRemoved tells a person that somebody else removed their second factors.
func factorsRemoved(tx *db.Tx, _ *store.Store, e auth.FactorsRemoved) error {
	return tellOwner(tx, e.Account, map[access.Role]string{
		access.Customer: template.CustomerFactorsGone, access.Seller: template.SellerFactorsGone,
		access.Administrator: template.AdminFactorsGone,
	})
}

// codesLocked tells a person that wrong codes locked their authenticator app: somebody may know the password.
func codesLocked(tx *db.Tx, _ *store.Store, e auth.CodesLocked) error {
	return tellOwner(tx, e.Account, map[access.Role]string{
		access.Customer: template.CustomerCodesLocked, access.Seller: template.SellerCodesLocked,
		access.Administrator: template.AdminCodesLocked,
	})
}

// tellOwner sends the message of a role to the owner of factors. Administrators get that of the default store.
func tellOwner(tx *db.Tx, of factor.Account, events map[access.Role]string) error {
	u, found, err := findUser(tx, of.Role, of.StoreKey, of.ID)
	if err != nil || !found {
		return err
	}
	var s *store.Store
	if of.StoreKey != 0 {
		s, found, err = store.ByKey(tx, of.StoreKey)
	} else {
		s, found, err = store.ByCode(tx, store.DefaultCode)
	}
	if err != nil || !found {
		return err
	}
	return message.Queue(tx, s, u.message(s, events[of.Role]))
}
