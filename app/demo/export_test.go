package demo

import (
	"time"

	"punchcard/platform/db"
)

// WithPeople makes the history one of fewer people.
func (h *History) WithPeople(people int) *History {
	h.people = people
	return h
}

// BeginSmallHistory is BeginHistory with fewer people.
func BeginSmallHistory(tx *db.Tx, until time.Time, people int) error {
	return beginHistory(tx, until, people)
}
