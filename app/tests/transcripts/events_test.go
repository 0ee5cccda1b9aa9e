package transcripts_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/api"
	"punchcard/core/api/openapi"
	"punchcard/loyalty/eventlog"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

const eventsFile = "../../../docs/events.md"

// contractTypes are the event types of the contract, part 6, by their component.
var contractTypes = []struct{ component, names string }{
	{"User", "AssignedAccountToCustomer AssignedTransactionToCustomer CampaignCouponWasChanged " +
		"CampaignStatusWasChanged CampaignUsageWasChanged CampaignWasBoughtByCustomer CampaignWasReturned " +
		"CustomerAddressWasUpdated CustomerAvatarWasRemoved CustomerAvatarWasSet CustomerCompanyDetailsWereUpdated " +
		"CustomerDetailsWereUpdated CustomerInvitationTokenWasCreated CustomerLevelWasRecalculated " +
		"CustomerLoyaltyCardNumberWasUpdated CustomerWasActivated CustomerWasAnonymized CustomerWasAssignedToStore " +
		"CustomerWasAttachedToInvitation CustomerWasDeactivated CustomerWasDeleted CustomerWasMovedToLevel " +
		"CustomerWasRegistered InvitationWasCreated PosWasAssignedToCustomer SellerWasAssignedToCustomer"},
	{"Account", "AccountWasAssignedToStore AccountWasCreated PointsHasBeenReset PointsTransferHasBeenCanceled " +
		"PointsTransferHasBeenExpired PointsTransferHasBeenUnlocked PointsWereAdded PointsWereBlocked " +
		"PointsWereReturned PointsWereSpent PointsWereTransferred"},
	{"Campaign", "CampaignBoughtDeliveryStatusWasChanged CampaignBoughtCashbackStatusWasChanged CampaignUsageWasChanged"},
	{"Transaction", "TransactionWasRegistered CustomerWasAssignedToTransaction"},
}

// ownTypes are the event types that the contract does not have.
var ownTypes = []struct{ component, names string }{
	{"User", "CampaignCouponIsAboutToExpire CustomerLevelIsAboutToExpire CustomerMergeWasUndone " +
		"CustomerWasMerged RewardsOfSaleWereReturned"},
	{"Account", "PointsAreAboutToExpire PointsWereMoved"},
	{"Reservation", "BasketWasReserved ReservationWasCancelled ReservationWasConfirmed"},
}

// shortType returns a type without the prefix that all types share.
func shortType(full string) string {
	return strings.Replace(strings.TrimPrefix(full, "Platform.Domain."), ".Event.", ".", 1)
}

// unused are types of the contract that are never recorded, and what replaces them.
var unused = map[string]string{"Campaign.CampaignUsageWasChanged": "never: `User.CampaignUsageWasChanged` tells it"}

// planned are the payloads of types whose operations do not exist yet.
var planned = map[string]string{
	"User.CustomerAvatarWasSet":     "customerId{customerId}, path, originalName, mime",
	"User.CustomerAvatarWasRemoved": "customerId{customerId}",
}

// docs/events.md is generated from the emissions that features declare.
func TestEventsDocument(t *testing.T) {
	payload := map[string]event.Fact{}
	var order strings.Builder
	for _, e := range app.Emissions() {
		var types []string
		for _, fact := range e.Facts {
			name := shortType(fact.EventType())
			types, payload[name] = append(types, "`"+name+"`"), fact
		}
		again := ""
		if e.Again {
			again = "; then again"
		}
		fmt.Fprintf(&order, "| %s | %s%s |\n", callers(e.By), strings.Join(types, ", "), again)
	}
	var text strings.Builder
	text.WriteString("# Events\n\nEvery event type with the members of its payload, and what appends " +
		"which events, written by\n`go test ./app/tests/transcripts -run Events -update` from what the rooms " +
		"declare. A test compares it with what every call\nof the transcripts appends. Full names begin with " +
		"`Platform.Domain.` and have `.Event` after the component.\n\n## Types\n\nA member with a question " +
		"mark is left out when there is nothing to say.\n\n" +
		"| type | payload |\n|---|---|\n")
	for _, component := range slices.Concat(contractTypes, ownTypes) {
		for name := range strings.FieldsSeq(component.names) {
			name = component.component + "." + name
			reason := cmp.Or(unused[name], planned[name]+" (nothing appends it yet)")
			if payload[name] != nil {
				reason = strings.Join(members(reflect.TypeOf(payload[name])), ", ")
			}
			fmt.Fprintf(&text, "| `%s` | %s |\n", name, reason)
			delete(payload, name)
		}
	}
	for name := range payload {
		t.Errorf("%s is not listed above", name)
	}
	text.WriteString("\n## Order\n\nAny event of a list may be missing, and one may come several times in a row. What " +
		"became due of an account's points\n(`Account.PointsTransferHasBeenUnlocked`, " +
		"`Account.PointsTransferHasBeenExpired`) comes before all others of a call that\nchanges its points.\n\n" +
		"| call or job | events |\n|---|---|\n" + order.String())
	text.WriteString("\n## Personal members\n\nThey are left out of what callers without the permission " +
		"CUSTOMER VIEW read, and are emptied when the customer is\nanonymized.\n\n| type | personal members |\n|---|---|\n")
	for _, kind := range slices.Sorted(maps.Keys(eventlog.PersonalMembers())) {
		fmt.Fprintf(&text, "| `%s` | %s |\n", shortType(kind), strings.Join(eventlog.PersonalMembers()[kind], ", "))
	}
	if *servertest.Update {
		if err := os.WriteFile(eventsFile, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(eventsFile)
	if err != nil || string(written) != text.String() {
		t.Errorf("docs/events.md is stale (%v): run go test ./app/tests/transcripts -run Events -update", err)
	}
}

func callers(by []string) string { return "`" + strings.Join(by, "`<br>`") + "`" }

// members lists what encoding/json writes for a struct, with the members of inner structs in braces.
func members(t reflect.Type) []string {
	var all []string
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		inner := field.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		switch {
		case field.Anonymous && name == "":
			all = append(all, members(inner)...)
			continue
		case name == "" || !field.IsExported():
			continue
		case inner.Kind() == reflect.Struct:
			name += "{" + strings.Join(members(inner), ", ") + "}"
		}
		if strings.Contains(options, "omitempty") {
			name += "?"
		}
		all = append(all, name)
	}
	return all
}

// eventListener compares what calls record with what features declare.
type eventListener struct {
	declared  map[string]event.Emission // by endpoint or job
	endpoints []api.Endpoint

	mutex  sync.Mutex
	unseen map[string]bool // types of events of calls that no transcript has shown
	played int             // transcripts
}

func newEventListener(t *testing.T) *eventListener {
	l := &eventListener{declared: declaredBy(t), endpoints: app.EndpointTable(), unseen: map[string]bool{}}
	for by, e := range l.declared {
		for _, fact := range e.Facts {
			if !strings.HasPrefix(by, "job ") {
				l.unseen[fact.EventType()] = true
			}
		}
	}
	return l
}

// every wraps a function that sends requests: after each it compares the recorded events with the declared ones. The
// database is SQLite, which numbers events at once.
func (l *eventListener) every(d *db.DB,
	send func(testing.TB, *http.Request) reply) func(testing.TB, *http.Request) reply {
	l.mutex.Lock()
	l.played++
	l.mutex.Unlock()
	last := int64(0)
	return func(t testing.TB, request *http.Request) reply {
		t.Helper()
		answer := send(t, request)
		events, more, err := event.After(t.Context(), d, last, 500)
		if err != nil || more {
			t.Fatal(more, err)
		}
		if len(events) == 0 {
			return answer
		}
		last = events[len(events)-1].ID
		matched := openapi.Match(l.endpoints, request.Method, request.URL.Path)
		call := matched.Method + " " + matched.Path
		if strings.Contains(call, " /api/{storeCode}/admin/import/{import}") { // the job may have begun already
			call = "job imports"
		}
		if name, runs := strings.CutPrefix(request.URL.Path, "/api/admin/jobs/"); runs {
			call = "job " + strings.TrimSuffix(name, "/run")
		}
		if strings.Contains(call, "/admin/bulk-action") { // the job begins at once
			call = "job bulk actions"
		}
		if e, known := l.declared[call]; !known {
			t.Errorf("%s appends %s, which is not declared", call, shortTypes(events))
		} else if problem := compare(e, events); problem != "" {
			t.Errorf("%s: %s", call, problem)
		}
		l.mutex.Lock()
		defer l.mutex.Unlock()
		for _, e := range events {
			delete(l.unseen, e.Type)
		}
		return answer
	}
}

// checkAllSeen reports the declared events that no transcript has shown, if all of them were played.
func (l *eventListener) checkAllSeen(t *testing.T, transcripts int) {
	t.Helper()
	for name := range l.unseen {
		if l.played == transcripts {
			t.Errorf("no transcript shows %s", shortType(name))
		}
	}
}

// declaredBy returns the emission of each endpoint and job. None has two.
func declaredBy(t *testing.T) map[string]event.Emission {
	t.Helper()
	declared, endpoints := map[string]event.Emission{}, map[string]bool{}
	for _, e := range app.EndpointTable() {
		endpoints[e.Method+" "+e.Path] = true
	}
	for _, e := range app.Emissions() {
		for _, by := range e.By {
			if _, twice := declared[by]; twice {
				t.Errorf("%s is declared twice", by)
			}
			if !endpoints[by] && !strings.HasPrefix(by, "job ") {
				t.Errorf("%s is no endpoint", by)
			}
			declared[by] = e
		}
	}
	return declared
}

func shortTypes(events []event.Event) string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = shortType(e.Type)
	}
	return strings.Join(names, ", ")
}

// compare returns how events differ from the declared ones, or nothing if they do not.
func compare(e event.Emission, events []event.Event) string {
	place := 0
	for _, is := range events {
		same := func(f event.Fact) bool { return f.EventType() == is.Type }
		at := slices.IndexFunc(e.Facts[place:], same)
		if at >= 0 {
			at += place
		} else if e.Again {
			at = slices.IndexFunc(e.Facts, same)
		}
		if at < 0 {
			return fmt.Sprintf("%s is not declared, or not there, in %s", shortType(is.Type), shortTypes(events))
		}
		known := map[string]bool{}
		for _, member := range members(reflect.TypeOf(e.Facts[at])) {
			name, _, _ := strings.Cut(strings.TrimSuffix(member, "?"), "{")
			known[name] = true
		}
		var payload map[string]json.RawMessage
		if err := json.Unmarshal(is.Payload, &payload); err != nil {
			return err.Error()
		}
		for _, name := range slices.Sorted(maps.Keys(payload)) {
			if !known[name] {
				return fmt.Sprintf("%s has a member %s", shortType(is.Type), name)
			}
		}
		place = at
	}
	return ""
}
