package message

import (
	"slices"

	"punchcard/core/store"
	"punchcard/platform/db"
)

// forgottenAtOnce is how many messages one step of Forget deletes.
const forgottenAtOnce = 500

// Forget deletes a page of the messages to a customer, and what is known about their addresses. It is a
// feature.Trace.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	found, err := Of(tx, s.Key, customerID, "", forgottenAtOnce)
	if err != nil || len(found) == 0 {
		return "", err
	}
	addresses := []string{customerID}
	for i := range found {
		addresses = append(addresses, found[i].Address)
	}
	if err := forgetAddresses(tx, s, db.Distinct(addresses)); err != nil {
		return "", err
	}
	n, err := tx.DeleteSome("messages", "store_id, queue, message_id",
		db.NewSQL("store_id = ? AND recipient_id = ? ORDER BY message_id DESC", s.Key, customerID), forgottenAtOnce)
	if n == forgottenAtOnce {
		next = customerID
	}
	return next, err
}

// ForgetStrangers deletes the messages to addresses of people without an account, such as invitations, and what is
// known about the addresses.
func ForgetStrangers(tx *db.Tx, s *store.Store, addresses ...string) error {
	if len(addresses) == 0 {
		return nil
	}
	q := db.NewSQL(`DELETE FROM messages WHERE store_id = ? AND recipient_id = ''`, s.Key)
	q.And(`address IN ?`, db.List(addresses))
	if _, err := tx.Exec(q.Text(), q.Args()...); err != nil {
		return err
	}
	return forgetAddresses(tx, s, addresses)
}

// forgetAddresses deletes what is known about addresses.
func forgetAddresses(tx *db.Tx, s *store.Store, addresses []string) error {
	if err := deliverable(tx, s.Key, addresses...); err != nil {
		return err
	}
	counted := slices.Clone(addresses)
	for _, address := range addresses {
		counted = append(counted, dayOf+address)
	}
	q := db.NewSQL(`DELETE FROM message_hours WHERE store_id = ?`, s.Key).And(`address IN ?`, db.List(counted))
	_, err := tx.Exec(q.Text(), q.Args()...)
	return err
}
