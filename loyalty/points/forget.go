package points

import (
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// forgottenAtOnce is the number of transfers that one transaction of Forget examines.
const forgottenAtOnce = 200

// byHand reports whether a person made the transfer. Only those can have personal data in their comment.
func (t *Transfer) byHand() bool { return t.Issuer != BySystem }

// Forget clears what people wrote about a customer: the comments of transfers that were made by hand, and those in
// their events. It goes from the newest transfer to the oldest, some at a time. It continues with the transfer next,
// or with the newest one if next is empty, and returns where to continue, or an empty string if none is left.
func Forget(tx *db.Tx, s *store.Store, customerID, next string) (more string, err error) {
	if next == "" {
		accounts, err := AccountIDs(tx, s.Key, customerID)
		if err != nil || accounts[customerID] == "" {
			return "", err
		}
		if err := event.Rewrite(tx, s.Key, PersonalEvents, accounts[customerID]); err != nil {
			return "", err
		}
	}
	found, more, err := Before(tx, s.Key, customerID, next, forgottenAtOnce)
	var written []*Transfer
	for i := range found {
		if t := &found[i]; t.byHand() && t.Comment != "" {
			t.Comment = ""
			written = append(written, t)
		}
	}
	if err != nil {
		return "", err
	}
	return more, transferTable.Update(tx, "comment", written...)
}

// PersonalEvents are the events with the comment of a transfer, which can contain personal data.
var PersonalEvents = func() map[string]event.Edit {
	edits := map[string]event.Edit{}
	for _, kind := range []string{typeAdded, typeSpent, typeBlocked, typeReturned} {
		edits[kind] = event.Editing(func(p *pointsMoved) { p.PointsTransfer.Comment = "" })
	}
	edits[typeTransferred] = event.Editing(func(p *pointsWereTransferred) { p.PointsTransfer.Comment = "" })
	edits[typeMoved] = event.Editing(func(p *pointsWereMoved) { p.PointsTransfer.Comment = "" })
	return edits
}()
