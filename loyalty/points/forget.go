package points

import (
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// forgottenAtOnce is how many transfers one transaction of Forget looks at.
const forgottenAtOnce = 200

// byHand tells whether a person made the transfer, who may have written a comment.
func (t *Transfer) byHand() bool { return t.Issuer != BySystem }

// Forget clears what people wrote about a customer: the comments of transfers that were made by hand, and of their
// events. It works through his transfers from the newest to the oldest, some at a time: it goes on with the transfer
// next, the newest when it is empty, and returns where to go on, empty when nothing is left.
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
	var written [][]any
	for i := range found {
		if t := &found[i]; t.byHand() && t.Comment != "" {
			written = append(written, []any{s.Key, t.ID, ""})
		}
	}
	if err != nil {
		return "", err
	}
	return more, tx.Update("transfers", transferKeys, []db.Column{{Name: "comment", Type: "TEXT"}}, written...)
}

// PersonalEvents are the events that hold the comment of a transfer, in which people may write about people.
var PersonalEvents = func() map[string]event.Edit {
	edits := map[string]event.Edit{}
	for _, kind := range []string{typeAdded, typeSpent, typeBlocked, typeReturned} {
		edits[kind] = event.Editing(func(p *pointsMoved) { p.PointsTransfer.Comment = "" })
	}
	edits[typeTransferred] = event.Editing(func(p *pointsWereTransferred) { p.PointsTransfer.Comment = "" })
	return edits
}()
