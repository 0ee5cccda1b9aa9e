package verification

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/password"
)

// Secrets make the secrets of messages when they are sent, by event.
var Secrets = map[string]message.Secrets{
	template.CustomerActivation:    activationSecrets,
	template.TemporaryPassword:     temporarySecrets,
	template.CustomerPasswordReset: resetSecrets,
	template.SellerPasswordReset:   resetSecrets,
	template.AdminPasswordReset:    resetSecrets,
	template.AdminInvitation:       invitationSecrets,
	template.ContactChange:         contactSecrets,
}

// recipient finds whom a message is for, if they still have the address that it goes to.
func recipient(tx *db.Tx, s *store.Store, m *message.Message) (u *user, found bool, err error) {
	u, found, err = findUser(tx, m.Role, s.Key, m.RecipientID)
	return u, found && u.has(addressOf(m)), err
}

func resetSecrets(tx *db.Tx, s *store.Store, m *message.Message) (values map[string]string, ok bool, err error) {
	u, found, err := recipient(tx, s, m)
	if err != nil || !found || !u.mayReset {
		return nil, false, err
	}
	plain, err := issueToken(tx, u, reset, addressOf(m))
	return map[string]string{"token": plain, "link": u.page(s, "reset", plain)}, true, err
}

func activationSecrets(tx *db.Tx, s *store.Store, m *message.Message) (values map[string]string, ok bool, err error) {
	u, found, err := recipient(tx, s, m)
	if err != nil || !found || !u.isNew {
		return nil, false, err
	}
	return linkAndCode(tx, s, u, activation, "activate", addressOf(m))
}

// linkAndCode issues both, because the templates of a store decide which of them a message shows.
func linkAndCode(
	tx *db.Tx, s *store.Store, u *user, purpose, page, sentTo string,
) (values map[string]string, ok bool, err error) {
	plain, err := issueToken(tx, u, purpose, sentTo)
	if err != nil {
		return nil, false, err
	}
	code, err := issueCode(tx, u, purpose, sentTo)
	return map[string]string{"token": plain, "link": u.page(s, page, plain), "code": code}, true, err
}

// temporarySecrets generates a password for a customer who has none of their own. Every attempt replaces the former
// one, so the last message counts.
func temporarySecrets(tx *db.Tx, s *store.Store, m *message.Message) (values map[string]string, ok bool, err error) {
	u, found, err := recipient(tx, s, m)
	if err != nil || !found {
		return nil, false, err
	}
	plain := password.Generate()
	ok, err = customer.SetTemporaryPassword(tx, s.Key, u.id, password.HashGenerated(plain))
	return map[string]string{"password": plain}, ok, err
}

// contactSecrets sends to the new contact, which is not the customer's yet.
func contactSecrets(tx *db.Tx, s *store.Store, m *message.Message) (values map[string]string, ok bool, err error) {
	u, found, err := findUser(tx, m.Role, s.Key, m.RecipientID)
	if err != nil || !found {
		return nil, false, err
	}
	waiting, err := changesOf(tx, s.Key, u.id)
	if err != nil {
		return nil, false, err
	}
	for i := range waiting {
		if waiting[i].Value == addressOf(m) {
			return linkAndCode(tx, s, u, contact, "confirm", waiting[i].Value)
		}
	}
	return nil, false, nil
}
