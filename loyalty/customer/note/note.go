// Package note keeps notes of administrators about customers, for each other: docs/behaviour/customers.md#notes.
package note

import (
	"strings"
	"time"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/feature"
	"punchcard/loyalty/store"
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

var errTooMany = fault.New(fault.Conflict, "too_many_notes",
	"There are 200 notes about this customer. Delete one of them.")

// Note is a text of an administrator about a customer.
type Note struct {
	ID        string
	Text      string
	CreatedBy string
	CreatedAt time.Time
}

func (n *Note) row() []any { return []any{&n.ID, &n.Text, &n.CreatedBy, db.Time(&n.CreatedAt)} }

// allNotes returns the notes about a customer, the newest first. There are Limit at most.
func allNotes(tx *db.Tx, storeKey int64, customerID string) ([]Note, error) {
	return db.All(tx, (*Note).row, `SELECT note_id, text, created_by, created_at FROM customer_notes
		WHERE store_id = $1 AND customer_id = $2 ORDER BY note_id DESC`, storeKey, customerID)
}

// Feature returns notes.
func Feature() feature.Feature {
	const all = "/api/{storeCode}/admin/customer/{customer}/note"
	view := access.AdministratorWith(access.Customers, access.View)
	modify := access.AdministratorWith(access.Customers, access.Modify)
	return feature.Feature{
		Section: feature.Section{Name: "Customers"},
		Endpoints: []api.Endpoint{
			{Method: "GET", Path: all, Access: view, Handle: listNotes, Summary: "List the notes about a customer",
				Response: noteList{}},
			{Method: "POST", Path: all, Access: modify, Factor: api.Everyday,
				Handle: addNote, Summary: "Add a note about a customer",
				Form: func(g *form.Group) { readText(g.Group("note")) }, Response: identity{},
				Audit: api.Audited("AddCustomerNote", "customer")},
			{Method: "DELETE", Path: all + "/{note}", Access: modify, Factor: api.Everyday, Handle: deleteNote,
				Summary: "Delete a note about a customer", Response: api.NoContent{},
				Audit: api.Audited("DeleteCustomerNote", "customer")},
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

func readText(g *form.Group) string { return g.Text("text", form.NotBlank, form.MaxLength(TextLimit)) }

func listNotes(c *api.Call) error {
	response := noteList{Notes: []noteView{}}
	err := c.Read(func(tx *db.Tx) error {
		who, err := customer.Of(c, tx)
		if err != nil {
			return err
		}
		found, err := allNotes(tx, c.Store.Key, who.ID)
		for i := range found {
			response.Notes = append(response.Notes, newView(&found[i], c.Store.Zone))
		}
		return err
	})
	if err != nil {
		return err
	}
	response.Total = len(response.Notes)
	return c.OK(response)
}

func addNote(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "note")
	text := readText(g)
	var id string
	return c.Write(func(tx *db.Tx) error {
		who, err := customer.Of(c, tx)
		if err != nil {
			return err
		}
		if err := g.Err(); err != nil {
			return err
		}
		if who, _, err = customer.Lock(tx, c.Store, who.ID); err != nil { // so that no note outlives anonymization
			return err
		}
		if !who.AnonymizedAt.IsZero() {
			return customer.ErrAnonymized
		}
		audit.Of(tx).SetEntity(who.ID)
		n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM customer_notes WHERE store_id = $1 AND customer_id = $2`,
			c.Store.Key, who.ID)
		if err != nil {
			return err
		}
		if n >= Limit {
			return errTooMany
		}
		id = tx.NewID()
		return tx.Insert("customer_notes", "store_id, customer_id, note_id, text, created_by, created_at", "",
			[]any{c.Store.Key, who.ID, id, text, c.Caller.Username, tx.Now().UnixMicro()})
	}, func() error { return c.OK(identity{id}) })
}

func deleteNote(c *api.Call) error {
	id := strings.ToLower(c.PathValue("note"))
	if !form.IsUUID(id) {
		return fault.ErrNotFound
	}
	return c.Write(func(tx *db.Tx) error {
		who, err := customer.Of(c, tx)
		if err != nil {
			return err
		}
		audit.Of(tx).SetEntity(who.ID)
		n, err := tx.Exec(`DELETE FROM customer_notes WHERE store_id = $1 AND customer_id = $2 AND note_id = $3`,
			c.Store.Key, who.ID, id)
		if err == nil && n == 0 {
			err = fault.ErrNotFound
		}
		return err
	}, c.NoContent)
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
	_, err = tx.Exec(`DELETE FROM customer_notes WHERE store_id = $1 AND customer_id = $2`, s.Key, customerID)
	return "", err
}

// HandOver makes the notes about a customer notes about another one, in a merge, and returns their ids.
func HandOver(tx *db.Tx, storeKey int64, from, to string) ([]string, error) {
	ids, err := db.All(tx, func(id *string) []any { return []any{id} }, `SELECT note_id FROM customer_notes
		WHERE store_id = $1 AND customer_id = $2`, storeKey, from)
	if err != nil {
		return nil, err
	}
	return ids, Move(tx, storeKey, from, to, ids)
}

// Move makes some notes about a customer notes about another one.
func Move(tx *db.Tx, storeKey int64, from, to string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(`UPDATE customer_notes SET customer_id = ?
		WHERE store_id = ? AND customer_id = ? AND note_id IN ?`, to, storeKey, from, db.List(ids))
	return err
}
