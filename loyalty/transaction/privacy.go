package transaction

import (
	"encoding/json"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// forgottenAtOnce is the number of documents that one database transaction of Forget clears.
const forgottenAtOnce = 100

// Forget clears the personal data of a customer's documents and their events, some at a time. It continues after the
// document after, and returns the last one that it cleared, or an empty string if none is left.
func Forget(tx *db.Tx, s *store.Store, customerID, after string) (last string, err error) {
	if after == "" {
		if err := forgetDisowned(tx, s.Key, customerID); err != nil {
			return "", err
		}
	}
	ids, err := IDsOf(tx, s.Key, customerID, after, forgottenAtOnce)
	if err != nil {
		return "", err
	}
	if len(ids) == forgottenAtOnce {
		last = ids[forgottenAtOnce-1]
	}
	return last, forget(tx, s.Key, ids)
}

// ForgetUnclaimed clears documents without a customer that have the customer's e-mail address, phone or card, some at
// a time. next is empty if none is left.
func ForgetUnclaimed(tx *db.Tx, s *store.Store, known *feature.Identifiers, _ string) (next string, err error) {
	for column, texts := range map[string][]string{
		"email_key": known.Emails, "phone_key": known.Phones, "loyalty_card_key": known.Cards,
	} {
		compared := filterKey
		if column == "phone_key" {
			compared = func(text string) string { return phoneFilterKey(s, text) }
		}
		for _, text := range texts {
			ids, err := db.AllValues[string](tx, `SELECT transaction_id FROM transactions
				WHERE store_id = ? AND customer_id = '' AND `+column+` <> ' ' AND `+column+` = ? LIMIT ?`,
				s.Key, compared(text), forgottenAtOnce)
			if err != nil {
				return "", err
			}
			if err := forget(tx, s.Key, ids); err != nil {
				return "", err
			}
			if len(ids) == forgottenAtOnce {
				next = "more"
			}
		}
	}
	return next, nil
}

// forgetDisowned clears the documents that belonged to a customer until the deletion. Only events still name them.
func forgetDisowned(tx *db.Tx, storeKey int64, customerID string) error {
	var last int64
	for n := forgottenAtOnce; n == forgottenAtOnce; {
		entries, err := event.About(tx, storeKey, last, forgottenAtOnce, customerID)
		if err != nil {
			return err
		}
		var ids []string
		for i := range entries {
			last = entries[i].ID
			if entries[i].Type != (assignedTransactionToCustomer{}).EventType() {
				continue
			}
			var fact assignedTransactionToCustomer
			if err := json.Unmarshal(entries[i].Payload, &fact); err != nil {
				return err
			}
			ids = append(ids, fact.Transaction.ID)
		}
		if ids, err = unowned(tx, storeKey, ids); err != nil {
			return err
		}
		if err := forget(tx, storeKey, ids); err != nil {
			return err
		}
		n = len(entries)
	}
	return nil
}

// unowned returns those of the documents that have no customer.
func unowned(tx *db.Tx, storeKey int64, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return db.AllValues[string](tx, `SELECT t.transaction_id FROM ? AS v (store, id)
		CROSS JOIN transactions t WHERE t.store_id = v.store AND t.transaction_id = v.id
			AND t.customer_id = ''`, tx.Among(storeKey, ids...))
}

// IDsOf returns at most limit ids of a customer's documents after an id, in order of registration.
func IDsOf(tx *db.Tx, storeKey int64, customerID, after string, limit int) ([]string, error) {
	return db.AllValues[string](tx, `SELECT transaction_id FROM transactions
		WHERE store_id = ? AND customer_id = ? AND customer_id <> '' AND transaction_id > ?
		ORDER BY transaction_id LIMIT ?`, storeKey, customerID, after, limit)
}

// forget clears documents and their events.
func forget(tx *db.Tx, storeKey int64, ids []string) error {
	rows := make([]*Transaction, len(ids))
	for i, id := range ids {
		rows[i] = &Transaction{StoreKey: storeKey, ID: id, phoneKey: filterKey("")}
	}
	if err := table.Update(tx, "customer_data, name_key, email_key, phone_key, loyalty_card_key", rows...); err != nil {
		return err
	}
	return event.Rewrite(tx, storeKey, PersonalEvents, ids...)
}

// PersonalEvents are the events with personal data of the buyer.
var PersonalEvents = map[string]event.Edit{
	transactionWasRegistered{}.EventType(): event.Editing(func(t *transactionWasRegistered) {
		t.CustomerData = CustomerData{}
	}),
	customerWasAssignedToTransaction{}.EventType(): event.Editing(func(t *customerWasAssignedToTransaction) {
		t.Email, t.Phone = "", ""
	}),
}

// Export returns a page of a customer's documents in order of registration. next is empty on the last page.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	found, err := table.All(tx, `SELECT * FROM transactions
		WHERE store_id = ? AND customer_id = ? AND customer_id <> '' AND transaction_id > ?
		ORDER BY transaction_id LIMIT ?`, s.Key, customerID, after, forgottenAtOnce)
	if err != nil {
		return nil, "", err
	}
	views, err := viewsOf(tx, s, found)
	for _, v := range views {
		items = append(items, v)
	}
	if len(found) == forgottenAtOnce {
		next = found[forgottenAtOnce-1].ID
	}
	return items, next, err
}
