// Package note keeps notes of administrators about customers, for each other: docs/behaviour/customers.md#notes.
package note

import (
	"cmp"
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

const (
	// Limit is the number of notes about a customer.
	Limit = 200
	// TextLimit is the length of a note, in characters.
	TextLimit = 5_000
)

// ErrTooMany is the error of a note about a customer who has Limit of them.
var ErrTooMany = fault.New(fault.Conflict, "too_many_notes",
	"There are 200 notes about this customer. Delete one of them.")

// Note is a text of an administrator about a customer.
type Note struct {
	storeKey   int64
	customerID string
	ID         string
	Text       string
	CreatedBy  string
	CreatedAt  time.Time
}

var table = db.NewTable("customer_notes", "store_id, customer_id, note_id", func(n *Note) db.Row {
	return db.Row{
		"store_id", &n.storeKey, "customer_id", &n.customerID, "note_id", &n.ID, "text", &n.Text,
		"created_by", &n.CreatedBy, "created_at", db.Time(&n.CreatedAt),
	}
})

// allNotes returns the notes about a customer, the newest first. There are Limit at most.
func allNotes(tx *db.Tx, storeKey int64, customerID string) ([]Note, error) {
	return table.All(tx, `SELECT * FROM customer_notes
		WHERE store_id = ? AND customer_id = ? ORDER BY note_id DESC`, storeKey, customerID)
}

// Feature returns notes.
func Feature() feature.Feature {
	const all = "/api/{storeCode}/admin/customer/{customer}/note"
	view := access.AdministratorWith(access.Customers, access.View)
	modify := access.AdministratorWith(access.Customers, access.Modify)
	return feature.Feature{
		Section: feature.Section{Name: "Customers"},
		Endpoints: []api.Endpoint{
			{Method: "GET", Path: all, Access: view, Do: api.Show(listNotes), Summary: "List the notes about a customer"},
			{Method: "POST", Path: all, Access: modify, Factor: api.Everyday,
				Do: api.WriteTo(customerOf, body, addNote), Summary: "Add a note about a customer",
				Audit: api.Audited("AddCustomerNote", "customer")},
			{Method: "DELETE", Path: all + "/{note}", Access: modify, Factor: api.Everyday, Do: api.Act(deleteNote),
				Summary: "Delete a note about a customer", Audit: api.Audited("DeleteCustomerNote", "customer")},
		},
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "notes", Rank: 15, Read: Export}},
			Forget:        []feature.Trace{Forget},
			ForgetDeleted: []feature.Trace{Forget},
			HandOver:      []feature.HandOver{feature.HandsOver("Notes", "", handOver, moveNotes)},
		},
		Rules: []check.Rule{check.Refers("customer.of_note", check.Table{Name: "customer_notes", ID: "note_id"},
			"customer_id", customer.Customers)},
		Limits: []feature.Limit{
			{Name: "customerNotes", Value: Limit, Unit: "notes"},
			{Name: "customerNoteText", Value: TextLimit, Unit: "characters"},
		},
	}
}

type identity struct {
	NoteID string `json:"noteId"`
}

type noteList struct {
	Notes []noteView `json:"notes"`
	Total int        `json:"total"`
}

type noteView struct {
	NoteID    string `json:"noteId"`
	Text      string `json:"text"`
	CreatedBy string `json:"createdBy"`
	CreatedAt string `json:"createdAt"`
}

func newView(n *Note, zone *time.Location) noteView {
	return noteView{n.ID, n.Text, n.CreatedBy, api.Timestamp(n.CreatedAt, zone)}
}

var body = api.Body("note", readText)

func readText(g *form.Group) string { return g.Text("text", form.NotBlank, form.MaxLength(TextLimit)) }

func listNotes(r *api.Reading) (noteList, error) {
	list := noteList{Notes: []noteView{}}
	who, err := customer.Of(r.Call, r.Tx)
	if err != nil {
		return list, err
	}
	found, err := allNotes(r.Tx, r.Store.Key, who.ID)
	for i := range found {
		list.Notes = append(list.Notes, newView(&found[i], r.Store.Zone))
	}
	list.Total = len(list.Notes)
	return list, err
}

func customerOf(w *api.Writing) (*customer.Customer, error) { return customer.Of(w.Call, w.Tx) }

func addNote(w *api.Writing, who *customer.Customer, text string) (identity, error) {
	who, _, err := customer.Lock(w.Tx, w.Store, who.ID) // so that no note outlives anonymization
	if err != nil {
		return identity{}, err
	}
	if !who.AnonymizedAt.IsZero() {
		return identity{}, customer.ErrAnonymized
	}
	w.Entry().SetEntity(who.ID)
	if full, err := IsFull(w.Tx, w.Store.Key, who.ID); err != nil || full {
		return identity{}, cmp.Or(err, error(ErrTooMany))
	}
	id, err := add(w.Tx, w.Store.Key, who.ID, text, w.Caller.Username)
	return identity{id}, err
}

// IsFull reports whether a customer has as many notes as there can be.
func IsFull(tx *db.Tx, storeKey int64, customerID string) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM customer_notes WHERE store_id = ? AND customer_id = ?`,
		storeKey, customerID)
	return n >= Limit, err
}

func add(tx *db.Tx, storeKey int64, customerID, text, by string) (id string, err error) {
	id = tx.NewID()
	return id, table.Insert(tx, &Note{storeKey, customerID, id, text, by, tx.Now()})
}

// AddOnce adds a note about a locked customer, unless there is one with the same text.
func AddOnce(tx *db.Tx, storeKey int64, customerID, text, by string) error {
	found, err := allNotes(tx, storeKey, customerID)
	if err != nil || slices.ContainsFunc(found, func(n Note) bool { return n.Text == text }) {
		return err
	}
	_, err = add(tx, storeKey, customerID, text, by)
	return err
}

func deleteNote(w *api.Writing) (api.NoContent, error) {
	id := w.PathID("note")
	if !form.IsUUID(id) {
		return api.NoContent{}, fault.ErrNotFound
	}
	who, err := customer.Of(w.Call, w.Tx)
	if err != nil {
		return api.NoContent{}, err
	}
	w.Entry().SetEntity(who.ID)
	n, err := w.Tx.Exec(`DELETE FROM customer_notes WHERE store_id = ? AND customer_id = ? AND note_id = ?`,
		w.Store.Key, who.ID, id)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return api.NoContent{}, err
}

// Export lists the notes about a customer for the export of their data.
func Export(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	found, err := allNotes(tx, s.Key, customerID)
	for i := range found {
		items = append(items, newView(&found[i], s.Zone))
	}
	return items, "", err
}

// Forget deletes the notes about a customer. It needs only one step.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	_, err = tx.Exec(`DELETE FROM customer_notes WHERE store_id = ? AND customer_id = ?`, s.Key, customerID)
	return "", err
}

// handOver makes the notes about a customer notes about another one, in a merge, and returns their ids.
func handOver(tx *db.Tx, s *store.Store, from, to string, _ int) ([]string, int, error) {
	ids, err := db.AllValues[string](tx, `SELECT note_id FROM customer_notes
		WHERE store_id = ? AND customer_id = ?`, s.Key, from)
	if err != nil {
		return nil, 0, err
	}
	return ids, len(ids), moveNotes(tx, s, from, to, ids)
}

// moveNotes makes some notes about a customer notes about another one.
func moveNotes(tx *db.Tx, s *store.Store, from, to string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(`UPDATE customer_notes SET customer_id = ?
		WHERE store_id = ? AND customer_id = ? AND note_id IN ?`, to, s.Key, from, db.List(ids))
	return err
}
