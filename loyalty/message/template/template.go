// Package template holds the texts of messages: built-in ones in English and Polish, and those that stores
// write instead: docs/behaviour/messages.md#texts.
package template

import (
	"time"

	"github.com/google/uuid"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Text is the text of a message, with or without placeholders. The subject of a push message is its title; a
// message by SMS or in the inbox has none.
type Text struct {
	Subject, Content string
}

// Template is the text of an event on a channel in a language.
type Template struct {
	StoreKey int64
	Key
	Text      // of a row: empty if it only switches the built-in text on or off
	Enabled   bool
	ChangedAt time.Time // zero if the store changed nothing

	BuiltIn bool // the text is the built-in one; not stored
}

// Key identifies a template of a store.
type Key struct{ Event, Channel, Language string }

// ID returns the id of the store's template. It follows from the key, so that a built-in text has the same
// id before and after the store changes it.
func (k Key) ID(s *store.Store) string {
	return uuid.NewSHA1(uuid.MustParse(s.ID), []byte(k.Event+" "+k.Channel+" "+k.Language)).String()
}

// ErrTaken is returned when the store already has a text of its own.
var ErrTaken = fault.New(fault.Refused, "template_exists", "This value is already used.")

// errFixed is returned for a change of a text that only the server writes.
var errFixed = fault.New(fault.Refused, "template_fixed", "Messages to administrators have a fixed text.")

// Create stores a new text. It returns ErrTaken if the store already has one of its own.
func Create(tx *db.Tx, s *store.Store, t Template) error {
	_, err := create(tx, s, t)
	return err
}

// create is Create, and returns the text whose place the new one takes.
func create(tx *db.Tx, s *store.Store, t Template) (former Template, err error) {
	if _, err := store.Lock(tx, s.Key); err != nil {
		return former, err
	}
	set, err := Load(tx, s)
	if err != nil {
		return former, err
	}
	former, exists := set.find(t.Key)
	if exists && !former.BuiltIn {
		return former, ErrTaken
	}
	return former, save(tx, s, &former, t)
}

// Change replaces the text of a template, and switches it on or off.
func Change(tx *db.Tx, s *store.Store, id string, text Text, enabled bool) error {
	t, err := lockTemplate(tx, s, id)
	if err != nil {
		return err
	}
	former := t
	t.Text, t.Enabled = text, enabled
	return save(tx, s, &former, t)
}

// Switch switches a template on or off. A built-in text stays built in.
func Switch(tx *db.Tx, s *store.Store, id string, enabled bool) error {
	t, err := lockTemplate(tx, s, id)
	if err != nil {
		return err
	}
	former := t
	if t.BuiltIn && !Find(t.Event).Administrators {
		t.Text = Text{}
	}
	t.Enabled = enabled
	return save(tx, s, &former, t)
}

// Restore deletes what the store changed in a template. The built-in text takes its place, if there is one.
func Restore(tx *db.Tx, s *store.Store, id string) error {
	t, err := lockTemplate(tx, s, id)
	if err != nil {
		return err
	}
	return removeTemplate(tx, s.Key, t.Key)
}

// lockTemplate returns the template with the id, and prevents concurrent changes of the store's templates.
func lockTemplate(tx *db.Tx, s *store.Store, id string) (Template, error) {
	if _, err := store.Lock(tx, s.Key); err != nil {
		return Template{}, err
	}
	return byID(tx, s, id)
}

// byID returns the template with the id. It returns fault.ErrNotFound if there is none.
func byID(tx *db.Tx, s *store.Store, id string) (Template, error) {
	set, err := Load(tx, s)
	if err != nil {
		return Template{}, err
	}
	for _, t := range set.All() {
		if t.ID(s) == id {
			return t, nil
		}
	}
	return Template{}, fault.ErrNotFound
}

// save stores what became of a template. Nothing may become of a fixed text.
func save(tx *db.Tx, s *store.Store, former *Template, t Template) error {
	if Find(t.Event).Administrators {
		if t.Text == former.Text && t.Enabled == former.Enabled {
			return nil
		}
		return errFixed
	}
	t.StoreKey, t.ChangedAt = s.Key, tx.Now()
	return upsert(tx, &t)
}
