package privacy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/loyalty/eventlog"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// reader is an integration that may view some resources.
type reader struct{ base, key string }

func (r *reader) open(t *testing.T, path string) *http.Response {
	t.Helper()
	return open(t, r.base+path, "X-Auth-Token", r.key)
}

// open sends a GET request with a header, and leaves the response open.
func open(t *testing.T, url, header, value string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit()) // longer than anything takes that does not hang
	t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set(header, value)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// events reads all events from the list.
func (r *reader) events(t *testing.T) (all []json.RawMessage) {
	t.Helper()
	for {
		var page struct{ Events []json.RawMessage }
		response := r.open(t, fmt.Sprintf("/api/event?perPage=100&fromId=%d", len(all)+1))
		if err := json.NewDecoder(response.Body).Decode(&page); err != nil || response.StatusCode != 200 {
			t.Fatal(response.StatusCode, err)
		}
		if len(page.Events) == 0 {
			return all
		}
		all = append(all, page.Events...)
	}
}

// streamed reads the first n events of the stream.
func (r *reader) streamed(t *testing.T, n int) (all []json.RawMessage) {
	t.Helper()
	response := r.open(t, "/api/event/stream?fromId=1")
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for len(all) < n && lines.Scan() {
		if data, found := strings.CutPrefix(lines.Text(), "data: "); found {
			all = append(all, json.RawMessage(data))
		}
	}
	if len(all) < n {
		t.Fatalf("%d events come of %d: %v", len(all), n, lines.Err())
	}
	_ = response.Body.Close()
	return all
}

// texts adds every text of a JSON value to a set.
func texts(t *testing.T, raw json.RawMessage, to map[string]bool) {
	t.Helper()
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, inner := range value {
				walk(inner)
			}
		case []any:
			for _, inner := range value {
				walk(inner)
			}
		case string:
			to[value] = true
		}
	}
	walk(value)
}

// Only callers who may view customers see personal data in events: in the list, in a single event and in the stream.
func TestEventsNameNobodyToThoseWhoMayNotViewCustomers(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		base := servertest.Run(t, servertest.PlainConfig(servertest.DemoDatabase(t, engine)))
		admin := servertest.LogInAdmin(t, base)
		readers := map[string]*reader{}
		for name, resources := range map[string][]string{
			"events": {access.Events}, "events and customers": {access.Events, access.Customers},
			"customers": {access.Customers},
		} {
			permissions := map[string][]string{}
			for _, resource := range resources {
				permissions[resource] = []string{access.View}
			}
			r := &reader{base, strings.ReplaceAll("key-of-a-reader-of "+name, " ", "-")}
			servertest.AddIntegration(t, admin, servertest.AddRole(t, admin, name, permissions), r.key)
			readers[name] = r
		}
		for _, path := range []string{"/api/event", "/api/event/1", "/api/event/stream"} {
			if got := readers["customers"].open(t, path).StatusCode; got != http.StatusForbidden {
				t.Errorf("%s without EVENT VIEW: %d", path, got)
			}
		}
		anonymous, named := readers["events"].events(t), readers["events and customers"].events(t)
		if len(anonymous) != len(named) || len(named) < 1000 {
			t.Fatalf("%d events without and %d with names", len(anonymous), len(named))
		}
		people, shown, hidden := peopleOf(t, admin), map[string]bool{}, map[string]bool{}
		streamed := readers["events"].streamed(t, len(anonymous))
		for i := range named {
			texts(t, named[i], shown)
			texts(t, anonymous[i], hidden)
			if string(streamed[i]) != string(anonymous[i]) {
				t.Fatalf("the stream sends %s, the list %s", streamed[i], anonymous[i])
			}
		}
		if len(people) < 100 {
			t.Fatalf("the people of the demonstration have only %d names and numbers", len(people))
		}
		for text := range people {
			if hidden[text] {
				t.Errorf("%q is shown without CUSTOMER VIEW", text)
			}
			if !shown[text] {
				t.Errorf("%q is not shown with CUSTOMER VIEW", text)
			}
		}
		expectAlikeButForPeople(t, named, anonymous)
		for i := 0; i < len(named); i += 97 {
			var one json.RawMessage
			response := readers["events"].open(t, fmt.Sprintf("/api/event/%d", i+1))
			if err := json.NewDecoder(response.Body).Decode(&one); err != nil || string(one) != string(anonymous[i]) {
				t.Errorf("a single event is %s, in the list %s (%v)", one, anonymous[i], err)
			}
		}
	})
}

// peopleOf returns the names, addresses and numbers of the customers.
func peopleOf(t *testing.T, admin *client) map[string]bool {
	t.Helper()
	var list struct {
		Customers []struct {
			FirstName, LastName, Email, Phone, BirthDate, LoyaltyCardNumber string
			Address                                                         struct{ Street, Postal string }
		}
	}
	body := admin.Send("GET", "/api/DEFAULT/customer?perPage=1000", "", "").Must(t)
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatal(err)
	}
	people := map[string]bool{}
	for _, c := range list.Customers {
		for _, text := range []string{c.FirstName, c.LastName, c.Email, c.Phone, c.LoyaltyCardNumber, c.Address.Street} {
			people[text] = true
		}
	}
	delete(people, "")
	return people
}

// expectAlikeButForPeople checks that only the personal members of payloads are missing.
func expectAlikeButForPeople(t *testing.T, named, anonymous []json.RawMessage) {
	t.Helper()
	missing := map[string]int{}
	for i := range named {
		var with, without map[string]any
		for raw, to := range map[*json.RawMessage]*map[string]any{&named[i]: &with, &anonymous[i]: &without} {
			if err := json.Unmarshal(*raw, to); err != nil {
				t.Fatal(err)
			}
		}
		kind, _ := with["type"].(string)
		payload, _ := with["payload"].(map[string]any)
		for _, path := range eventlog.PersonalMembers()[kind] {
			if drop(payload, strings.Split(path, ".")) {
				missing[kind]++
			}
		}
		if !reflect.DeepEqual(with, without) {
			t.Fatalf("%s becomes %s", named[i], anonymous[i])
		}
	}
	if len(missing) < 4 {
		t.Errorf("personal members are missing only from %v", missing)
	}
}

// drop removes a member, and reports whether there was one.
func drop(object map[string]any, path []string) bool {
	if inner, is := object[path[0]].(map[string]any); is && len(path) > 1 {
		return drop(inner, path[1:])
	}
	_, present := object[path[0]]
	delete(object, path[0])
	return present && len(path) == 1
}

// impersonal lists the text members of payloads that do not identify a person.
var impersonal = strings.Fields(`
	accountId campaignId campaigns coupons customerId invitationId levelId posId
	pointsTransferId reservationId sellerId storeId transactionId couponId
	purchaseId id createdAt updateAt activatedAt deactivatedAt date purchaseDate usageDate activeSince activeTo
	lockedUntil expiresAt campaignName reward status type code issuer provider documentNumber documentType revisedDocument
	purchasePlace avatarPath avatarMime name category maker key value excludedDeliverySKUs excludedLevelSKUs
	excludedLevelCategories`)

// Each text member of a payload is either personal, so that anonymization clears it, or listed as impersonal.
func TestEveryTextOfAnEventIsPersonalOrNot(t *testing.T) {
	personal, used := eventlog.PersonalMembers(), map[string]bool{}
	for _, e := range app.Emissions() {
		for _, fact := range e.Facts {
			for _, path := range textMembers(reflect.TypeOf(fact), "") {
				name := path[strings.LastIndex(path, ".")+1:]
				isPersonal := slices.ContainsFunc(personal[fact.EventType()], func(member string) bool {
					return path == member || strings.HasPrefix(path, member+".")
				})
				if !isPersonal && !slices.Contains(impersonal, name) {
					t.Errorf("%s of %s is neither personal nor impersonal", path, fact.EventType())
				}
				used[name] = used[name] || !isPersonal
			}
		}
	}
	for _, name := range impersonal {
		if !used[name] {
			t.Errorf("no payload holds the impersonal %s", name)
		}
	}
	if kinds := slices.Sorted(maps.Keys(personal)); len(kinds) < 10 {
		t.Errorf("only %v say who a person is", kinds)
	}
}

// textMembers returns the paths of the texts that encoding/json writes for a struct.
func textMembers(t reflect.Type, prefix string) (paths []string) {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		inner := field.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		switch {
		case field.Anonymous && name == "":
			paths = append(paths, textMembers(inner, prefix)...)
		case name == "" || !field.IsExported():
		case inner.Kind() == reflect.Struct:
			paths = append(paths, textMembers(inner, prefix+name+".")...)
		case inner.Kind() == reflect.String:
			paths = append(paths, prefix+name)
		}
	}
	return paths
}

// A stream shows what its caller may see at that moment, and ends when the caller may no longer read events.
func TestStreamFollowsThePermissionsOfItsCaller(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		base := servertest.Run(t, servertest.PlainConfig(servertest.DemoDatabase(t, engine)))
		admin := servertest.LogInAdmin(t, base)
		view := []string{access.View}
		r := &reader{base, "key-of-a-reader-in-the-tests"}
		role := servertest.AddRole(t, admin, "Reader", map[string][]string{access.Events: view, access.Customers: view})
		id := servertest.AddIntegration(t, admin, role, r.key)
		response := r.open(t, fmt.Sprint("/api/event/stream?fromId=", admin.EventCount()+1))
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		registered := func(name string) string {
			t.Helper()
			admin.Form("/api/DEFAULT/customer/register",
				"customer[firstName]="+name+"&customer[lastName]=B&customer[agreement1]=1&customer[email]="+name+
					"@example.com").Must(t)
			for lines.Scan() {
				data, found := strings.CutPrefix(lines.Text(), "data: ")
				if found && strings.Contains(data, "CustomerWasRegistered") {
					return data
				}
			}
			t.Fatal("the stream ended: ", lines.Err())
			return ""
		}
		if data := registered("Quentin"); !strings.Contains(data, "Quentin") {
			t.Errorf("with CUSTOMER VIEW: %s", data)
		}
		admin.Form("/api/admin/acl/role/"+role+"?_method=PUT", "role[name]=Reader&"+
			"role[permissions][0][resource]=EVENT&role[permissions][0][access]=VIEW").Must(t)
		if data := registered("Rosalind"); strings.Contains(data, "Rosalind") {
			t.Errorf("after CUSTOMER VIEW was withdrawn: %s", data)
		}
		admin.Form("/api/admin/data/"+id+"?_method=PUT", "admin[external]=1&admin[isActive]=0&"+
			"admin[email]="+id+"@example.com&admin[roles][]="+role).Must(t)
		for lines.Scan() {
			continue // until the stream ends
		}
		if err := lines.Err(); err != nil {
			t.Error(err)
		}
		if got := r.open(t, "/api/event/stream").StatusCode; got != http.StatusForbidden {
			t.Errorf("after it was switched off: %d", got)
		}
	})
}

// A stream ends when the session, the permission or the key of its reader does.
func TestStreamsEndWithTheRightOfTheirReader(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		base := servertest.Run(t, servertest.PlainConfig(servertest.Database(t, engine)))
		admin, view := servertest.LogInAdmin(t, base), map[string][]string{access.Events: {access.View}}
		role := servertest.AddRole(t, admin, "Reader", view)
		admin.Form("/api/admin/data", "admin[email]=reader@example.com&admin[isActive]=1&"+
			"admin[plainPassword]=Correct-Horse-7&admin[roles][]="+servertest.AddRole(t, admin, "Person", view)).Must(t)
		person := servertest.LogIn(t, base, "/api/admin/login_check", "reader@example.com", "Correct-Horse-7")
		program := &reader{base, "key-of-a-program-in-the-tests"}
		servertest.AddIntegration(t, admin, role, program.key)
		key := func(name string) (id, secret string) {
			made := admin.JSON("POST", "/api/admin/key", map[string]any{"key": map[string]any{"name": name,
				"permissions": []map[string]any{{"resource": access.Events, "access": access.View}}}})
			return made["keyId"].(string), made["secret"].(string)
		}
		deleted, secret := key("Everything")
		deletedOfStore, secretOfStore := key("One store")
		for what, c := range map[string]struct {
			path, header, value string
			end                 func() servertest.Reply
		}{
			"the session was revoked": {"/api/event/stream", "Authorization", "Bearer " + person.Token,
				func() servertest.Reply { return person.Form("/api/token/revoke", "everywhere=1") }},
			"the role lost the permission": {"/api/DEFAULT/event/stream", "X-Auth-Token", program.key,
				func() servertest.Reply {
					return admin.Form("/api/admin/acl/role/"+role+"?_method=PUT", "role[name]=Reader&"+
						"role[permissions][0][resource]=LEVEL&role[permissions][0][access]=VIEW")
				}},
			"the key was deleted": {"/api/event/stream", "Authorization", "Bearer " + secret,
				func() servertest.Reply { return admin.Send("DELETE", "/api/admin/key/"+deleted, "", "") }},
			"the key was deleted, of a store": {"/api/DEFAULT/event/stream", "Authorization", "Bearer " + secretOfStore,
				func() servertest.Reply { return admin.Send("DELETE", "/api/admin/key/"+deletedOfStore, "", "") }},
		} {
			response := open(t, base+c.path, c.header, c.value)
			lines := bufio.NewScanner(response.Body)
			if !lines.Scan() || lines.Text() != "retry: 2000" || response.StatusCode != http.StatusOK {
				t.Fatalf("before %s: %d %q", what, response.StatusCode, lines.Text())
			}
			c.end().Must(t)
			for lines.Scan() {
				continue // until the stream ends
			}
			if err := lines.Err(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}
