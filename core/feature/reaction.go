package feature

import (
	"reflect"

	"punchcard/core/store"
	"punchcard/platform/db"
)

// Reaction is a function that a feature runs when something happens in an earlier one, in the same transaction.
type Reaction struct {
	to  reflect.Type
	run func(tx *db.Tx, s *store.Store, what any) error
}

// On returns a reaction to what a type describes, such as customer.Registered. s is nil for what belongs to no store.
// An error undoes the transaction and becomes the response, so a reaction may also refuse what happens.
func On[T any](run func(tx *db.Tx, s *store.Store, what T) error) Reaction {
	return Reaction{reflect.TypeFor[T](), func(tx *db.Tx, s *store.Store, what any) error {
		return run(tx, s, what.(T))
	}}
}

// reactions are those of a program, by the type of what they react to.
type reactions map[reflect.Type][]Reaction

// Connect makes the transactions of a database run reactions. Those to the same type run in the given order, which is
// that of the list of features.
func Connect(d *db.DB, all ...Reaction) {
	connected := reactions{}
	for _, r := range all {
		connected[r.to] = append(connected[r.to], r)
	}
	d.Attach(connected)
}

// React runs the reactions to what happens in a transaction. A question to later features is a pointer, whose members
// the reactions set.
func React[T any](tx *db.Tx, s *store.Store, what T) error {
	connected, _ := tx.Attached().(reactions)
	for _, r := range connected[reflect.TypeFor[T]()] {
		if err := r.run(tx, s, what); err != nil {
			return err
		}
	}
	return nil
}
