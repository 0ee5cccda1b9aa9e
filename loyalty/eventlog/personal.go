package eventlog

import (
	"encoding/json"
	"maps"

	"punchcard/core/access"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/platform/event"
)

// personal holds the edits of events with personal members, by type. The anonymization of a customer
// clears the same members.
var personal = func() map[string]event.Edit {
	all := map[string]event.Edit{}
	for _, edits := range []map[string]event.Edit{
		customer.PersonalEvents, points.PersonalEvents, transaction.PersonalEvents, cashback.PersonalEvents,
		invitation.PersonalEvents,
	} {
		maps.Copy(all, edits)
	}
	return all
}()

// PersonalMembers returns the paths of the personal members of payloads, by event type.
func PersonalMembers() map[string][]string {
	members := make(map[string][]string, len(personal))
	for kind, edit := range personal {
		members[kind] = edit.Members
	}
	return members
}

// viewFor returns an event as a caller may see it: personal members require the permission CUSTOMER
// VIEW.
func viewFor(caller *access.Caller, e *event.Event) (view, error) {
	v := newView(e)
	if ShowsPersonal(caller) {
		return v, nil
	}
	var err error
	v.Payload, err = WithoutPersonal(e)
	return v, err
}

// ShowsPersonal reports whether a caller may see the personal members of events.
func ShowsPersonal(caller *access.Caller) bool { return caller.Allowed(access.Customers, access.View) }

// WithoutPersonal returns the payload of an event without its personal members.
func WithoutPersonal(e *event.Event) (json.RawMessage, error) {
	return personal[e.Type].Without(e.Payload)
}
