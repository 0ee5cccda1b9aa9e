package privacy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/store"
	"punchcard/loyalty/customer/privacy"
	"punchcard/loyalty/dataimport"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/search"
)

// secret is all personal data of Zdzisława in this test. No other text contains any of it.
var secret = []string{
	"Zdzis", "Brzezicka", "zdz.brz@example.org", "zdz.old@example.org", "+48777123001", "+48777123002", "ZB-4711-X",
	"ZB-4711-Y", "Wiatrakowa", "17bis", "PL98-765", "Pcimowo", "Zaborze", "1971-03-04", "Brzezicka Huta", "PL7773211188",
	"upodobanie", "kanarki", "zdz-selfie.png", "zdz-device-1", "zdz-browser-1",
	"zdz.next@example.org", "+48777123003", "+48777123004",
}

// hidden is a customer with personal data in every feature.
type hidden struct {
	*testing.T
	admin, own *client
	database   app.Database
	ida, ole   string
	stopped    string // an import of a file with the customer
}

// After an anonymization, no personal data of the customer is in any table, and every sum, list and count is unchanged.
func TestNothingIsKeptOfAnAnonymousCustomer(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		database := servertest.Database(t, engine)
		base := servertest.Run(t, servertest.PlainConfig(database))
		h := &hidden{T: t, admin: servertest.LogInAdmin(t, base), database: database}
		h.live(base)
		d := openBeside(t, database)
		stored := readTexts(t, d)
		if missing := slices.DeleteFunc(slices.Clone(secret), func(s string) bool {
			return len(stored.holding(s)) > 0
		}); len(missing) > 0 {
			t.Fatalf("the story does not tell %q", missing)
		}
		if !slices.Contains(stored.holding("Brzezicka"), "audit_entries.data") {
			t.Fatal("the audit log does not tell the story")
		}
		sums, events := sumsOf(t, d), h.events()
		for range 2 { // the second time changes nothing
			h.admin.Send("POST", "/api/DEFAULT/admin/customer/"+h.ida+"/anonymize", "", "").Must(t)
		}
		h.expectForgotten(d)
		expectOverwritten(t, d)
		r := h.admin.Send("POST", "/api/DEFAULT/admin/import/"+h.stopped+"/resume", "", "")
		if r.Status != 400 || !strings.Contains(string(r.Body), "The file of this import was deleted.") {
			t.Errorf("an import of the customer is resumed: %d %s", r.Status, r.Body)
		}
		now := h.events()
		if len(now) != len(events)+1 || !strings.HasSuffix(now[len(now)-1], "CustomerWasAnonymized") {
			t.Fatalf("events %v, then %v", events, now)
		}
		if !slices.Equal(now[:len(events)], events) {
			t.Errorf("events were %v, and are %v", events, now)
		}
		for what, sum := range sumsOf(t, d) {
			if sum != sums[what] && !mayChange(what) {
				t.Errorf("%s was %d and is %d", what, sums[what], sum)
			}
		}
		if r = h.own.Send("GET", "/api/DEFAULT/customer/"+h.ida, "", ""); r.Status != 401 {
			t.Errorf("the customer's token: %d %s", r.Status, r.Body)
		}
		servertest.ExpectClean(t, database)
	})
}

// A deleted customer has left more: receipts that are no longer linked, and events. The anonymization erases all of it,
// and the customer stays deleted.
func TestDeletedCustomerIsForgotten(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		database := servertest.Database(t, engine)
		base := servertest.Run(t, servertest.PlainConfig(database))
		h := &hidden{T: t, admin: servertest.LogInAdmin(t, base), database: database}
		h.live(base)
		h.admin.Send("DELETE", "/api/DEFAULT/customer/"+h.ida, "", "").Must(t)
		d := openBeside(t, database)
		if len(readTexts(t, d).holding(secret[0])) == 0 {
			t.Fatal("nothing is left to be cleared")
		}
		h.admin.Send("POST", "/api/DEFAULT/admin/customer/"+h.ida+"/anonymize", "", "").Must(t)
		h.expectForgotten(d)
		if r := h.admin.Send("GET", "/api/DEFAULT/customer/"+h.ida, "", ""); r.Status != 404 {
			t.Errorf("the customer is still there: %d %s", r.Status, r.Body)
		}
		servertest.ExpectClean(t, database)
	})
}

// A customer who was merged into another one is erased with them, and after an undoing by themselves.
func TestMergedCustomerIsForgotten(t *testing.T) {
	for _, undone := range []bool{false, true} {
		dbtest.EachEngine(t, func(t *testing.T, engine string) {
			database := servertest.Database(t, engine)
			base := servertest.Run(t, servertest.PlainConfig(database))
			h := &hidden{T: t, admin: servertest.LogInAdmin(t, base), database: database}
			h.live(base)
			merges := "/api/DEFAULT/admin/customer/" + h.ole + "/merge"
			made := h.admin.JSON("POST", merges, object{"merge": object{"customerId": h.ida}})
			d := openBeside(t, database)
			for _, place := range []string{"customer_merges.record", "customers.address"} {
				if !slices.Contains(readTexts(t, d).holding("Wiatrakowa"), place) {
					t.Errorf("the address is not in %s", place)
				}
			}
			erased := h.ole
			if undone {
				h.admin.JSON("POST", merges+"/"+made["mergeId"].(string)+"/undo", object{}, 204)
				erased = h.ida
			}
			h.admin.Send("POST", "/api/DEFAULT/admin/customer/"+erased+"/anonymize", "", "").Must(t)
			h.expectForgotten(d)
			expectOverwritten(t, d)
			if list := h.admin.Get(merges); list["total"] != 1.0 && !undone {
				t.Errorf("merges: %v", list)
			}
			servertest.ExpectClean(t, database)
		})
	}
}

// A customer's own deletion is carried out after some days, if they do not sign in before. A job clears, a minute
// later, what a call did not: because it was interrupted, or because something about the customer was written
// meanwhile.
func TestJobClearsTheRest(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		database := servertest.Database(t, engine)
		base := servertest.Run(t, servertest.PlainConfig(database))
		h := &hidden{T: t, admin: servertest.LogInAdmin(t, base), database: database}
		h.live(base)
		at := servertest.StartOfTests
		d := dbtest.Open(t, db.Config{URL: database.Database, File: database.Data + "/punchcard.db"},
			func() time.Time { return at })
		related := app.Privacy()
		job := store.Everywhere(d, related.ClearAnonymized)
		expect := func(want int64) {
			t.Helper()
			if done, err := job(t.Context()); done != want || err != nil {
				t.Errorf("the job cleared %d, want %d: %v", done, want, err)
			}
		}
		h.leave(base, d, &at)
		at = at.Add(2 * time.Minute)
		expect(1)
		expect(0)
		err := d.Write(t.Context(), func(tx *db.Tx) error { // as if nothing but the record had been cleared
			for _, change := range []string{
				`UPDATE customers SET anonymized_at = NULL WHERE customer_id = $1`,
				`UPDATE purchases SET customer_name = 'Brzezicka' WHERE customer_id = $1`,
				`UPDATE transactions SET customer_data = '{"name":"Brzezicka"}', name_key = ' brzezicka'
						WHERE customer_id = $1`,
				`UPDATE cashbacks SET message = 'For Brzezicka' WHERE customer_id = $1`,
				`UPDATE transfers SET comment = 'Brzezicka' WHERE customer_id = $1 AND issuer = 'admin'`,
				`UPDATE events SET payload = REPLACE(payload, '"firstName":""', '"firstName":"Brzezicka"')
						WHERE aggregate_id = $1`,
			} {
				if n, err := tx.Exec(change, h.ida); err != nil || n == 0 {
					return fmt.Errorf("%s: %d rows, %w", change, n, err)
				}
			}
			s, _, err := store.ByCode(tx, "DEFAULT")
			if err != nil {
				return err
			}
			return privacy.Anonymize(tx, s, h.ida)
		})
		if err != nil {
			t.Fatal(err)
		}
		expect(0) // not yet
		at = at.Add(2 * time.Minute)
		expect(1)
		expect(0)
		h.expectForgotten(d)
	})
}

// leave deletes the customer's own account, comes back, and leaves for good.
func (h *hidden) leave(base string, d *db.DB, at *time.Time) {
	h.Helper()
	job := store.Everywhere(d, app.Privacy().EraseLeft)
	expect := func(want int64) {
		h.Helper()
		if done, err := job(h.Context()); done != want || err != nil {
			h.Errorf("%d deleted accounts were erased, want %d: %v", done, want, err)
		}
	}
	path := "/api/DEFAULT/customer/customer/" + h.ida + "/delete"
	h.own.Form(path, "currentPassword=Correct-Horse-7").Must(h.T)
	h.own = servertest.LogIn(h.T, base, "/api/DEFAULT/customer/login_check", "zdz.brz@example.org", "Correct-Horse-7")
	*at = at.Add(privacy.ReturnDays * 24 * time.Hour)
	expect(0)
	h.own.Form(path, "currentPassword=Correct-Horse-7").Must(h.T)
	*at = at.Add(-time.Second)
	expect(0) // not yet
	*at = at.Add(time.Second)
	expect(1)
	expect(0)
	h.expectForgotten(d)
}

func (h *hidden) expectForgotten(d *db.DB) {
	h.Helper()
	stored := readTexts(h.T, d)
	for _, s := range secret {
		if found := stored.holding(s); len(found) > 0 {
			h.Errorf("%q is still in %v", s, found)
		}
	}
}

// expectOverwritten expects that the pages of a SQLite database hold no personal data in the space of removed rows. A
// backup copies pages as they are.
func expectOverwritten(t *testing.T, d *db.DB) {
	t.Helper()
	if d.Engine() != "sqlite" {
		return // dead rows are overwritten after a vacuum: docs/operations.md
	}
	file := filepath.Join(t.TempDir(), "copy.db")
	if err := d.Backup(t.Context(), file, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	pages, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range secret {
		for _, text := range []string{s, strings.ToLower(s), strings.ToUpper(s)} {
			if at := bytes.Index(pages, []byte(text)); at >= 0 {
				t.Errorf("%q is still in page %d: %.80q", text, at/4096+1, pages[max(0, at-40):at+40])
			}
		}
	}
}

// mayChange reports whether the anonymization may change a sum: it is about the record itself, counts what is erased,
// or is about notifications, which a job can add at any moment, or messages.
func mayChange(what string) bool {
	table, column, _ := strings.Cut(what, ".")
	return slices.Contains([]string{"anonymizations", "sessions", "refresh_tokens", "search_documents", "events",
		"event_cursors", "idempotency_keys", "jobs", "search_words", "segment_members", "segment_figures", "inboxes",
		"notifications", "messages", "announced", "announcements", "customer_arrivals", "ending_notices", "photos",
		"customer_push_tokens", "push_subscriptions", "customer_notes", "audit_entries", "import_parts", "contact_changes",
		"access_changes", "verification_tokens", "rank_changes"}, table) ||
		table == "customers" && slices.Contains([]string{"version", "updated_at", "anonymized_at",
			"inactive_since"}, column)
}

// subscribe subscribes a browser of the customer to push messages. The store does not send any to it.
func (h *hidden) subscribe() {
	h.Helper()
	const settings = "/api/DEFAULT/admin/message/settings"
	const on = "messageSettings[email][active]=1&messageSettings[sms][active]=1&messageSettings[push][active]=1"
	h.admin.Send("PUT", settings, servertest.FormType, on+"&messageSettings[push][browsers]=1").Must(h.T)
	h.own.Form("/api/DEFAULT/customer/push-subscription",
		"subscription[endpoint]=https://push.example.org/zdz-browser-1&subscription[keys][auth]=BTBZMqHH6r4Tts7J_aSIgg&"+
			"subscription[keys][p256dh]="+
			"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4").Must(h.T)
	h.admin.Send("PUT", settings, servertest.FormType, on).Must(h.T)
	export := h.own.Send("GET", "/api/DEFAULT/customer/customer/"+h.ida+"/export", "", "").Must(h.T)
	_, browsers, _ := strings.Cut(export, `"pushSubscriptions":[`)
	if !strings.Contains(browsers, `"endpoint":"https://push.example.org/zdz-browser-1"`) {
		h.Errorf("the export lacks the browser: %s", browsers)
	}
}

// live registers the customer and makes them change data, buy, transfer points and get notifications.
func (h *hidden) live(base string) {
	h.Helper()
	const store = "/api/DEFAULT/"
	level := h.admin.Form(store+"level/create", "level[translations][en][name]=Bronze&level[active]=1&"+
		"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=5&level[reward][code]=B").ID(h.T)
	receipt := func(number, more string) {
		h.Helper()
		h.admin.Send("POST", store+"transaction", servertest.JSONType, `{"transaction":{"transactionData":{
			"documentNumber":"`+number+`"`+more+`,"items":[{"sku":{"code":"TEA"},"name":"Tea","quantity":1,
			"grossValue":60,"category":"drinks"}],"customerData":{"name":"Zdzisława Brzezicka",
			"email":"zdz.old@example.org","phone":"+48777123001","loyaltyCardNumber":"ZB-4711-X",
			"nip":"PL7773211188","address":{"street":"Wiatrakowa","city":"Pcimowo"}}}}`).Must(h.T)
	}
	const profile = "customer[firstName]=Zdzis%C5%82awa&customer[lastName]=Brzezicka&customer[birthDate]=1971-03-04&" +
		"customer[address][street]=Wiatrakowa&customer[address][address1]=17bis&customer[address][postal]=PL98-765&" +
		"customer[address][city]=Pcimowo&customer[address][province]=Zaborze&customer[company][name]=Brzezicka+Huta&" +
		"customer[company][nip]=PL7773211188&customer[agreement1]=1&"
	keyed := func(path, key, body string) string { // its response is stored, and names the customer
		h.Helper()
		request := newForm(h.T, base+path, body)
		request.Header.Set("Idempotency-Key", key)
		return servertest.Send(h.T, request).Must(h.T)
	}
	h.ole = h.admin.Form(store+"customer/self_register", "customer[firstName]=Ole&customer[lastName]=Vik&"+
		"customer[email]=ole@example.com&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-8").ID(h.T)
	h.admin.Form(store+"admin/customer/"+h.ole+"/activate", "").Must(h.T)
	ole := servertest.LogIn(h.T, base, store+"customer/login_check", "ole@example.com", "Correct-Horse-8")
	ole.Form(store+"invitation/invite", "invitation[recipientEmail]=zdz.old@example.org").Must(h.T)
	h.ida = servertest.FirstID(keyed(store+"customer/self_register", "first", profile+
		"customer[email]=zdz.old@example.org&customer[phone]=%2B48777123001&customer[loyaltyCardNumber]=ZB-4711-X&"+
		"customer[plainPassword]=Correct-Horse-7"))
	receipt("EARLY-1", "}") // nobody's, because the customer is not active yet
	h.admin.Form(store+"admin/customer/"+h.ida+"/activate", "").Must(h.T)
	h.admin.Send("PUT", store+"customer/"+h.ida, servertest.FormType, "customer[labels]=upodobanie:kanarki").Must(h.T)
	h.own = servertest.LogIn(h.T, base, store+"customer/login_check", "zdz.old@example.org", "Correct-Horse-7")
	kind, avatar := servertest.PictureForm(h.T, "avatar[file]")
	h.own.Send("POST", store+"customer/"+h.ida+"/avatar", kind,
		strings.Replace(avatar, "pixel.png", "zdz-selfie.png", 1)).Must(h.T)
	h.own.Form(store+"customer/"+h.ida+"/pushy-token", "customer[pushyToken]=zdz-device-1").Must(h.T)
	h.subscribe()
	h.own.Form(store+"invitation/invite", "invitation[recipientEmail]=friend@example.com").Must(h.T)
	h.importStopped()
	receipt("R-1", "}")
	receipt("R-2", `,"documentType":"return"},"revisedDocument":"R-1"`)
	h.admin.Form(store+"segment", "segment[name]=Named&segment[active]=1&"+
		"segment[parts][0][criteria][0][type]=customer_list&"+
		"segment[parts][0][criteria][0][customers][]=zdz.old@example.org").Must(h.T)
	h.own.Send("PUT", store+"customer/"+h.ida, servertest.FormType, "customer[email]=zdz.brz@example.org&"+
		"customer[phone]=%2B48777123002&customer[loyaltyCardNumber]=ZB-4711-Y").Must(h.T)
	h.admin.Send("PUT", store+"customer/"+h.ida, servertest.FormType, "customer[phone]=%2B48777123004").Must(h.T)
	h.collect(level)
	h.admin.Form(store+"settings", "settings[confirmContactChange]=1&settings[returns]=1&"+
		"settings[allTimeNotLocked]=1&settings[allowCustomersProfileEdits]=1").Must(h.T)
	h.own.Send("PUT", store+"customer/"+h.ida, servertest.FormType, // the new contacts wait for confirmation
		"customer[email]=zdz.next@example.org&customer[phone]=%2B48777123003").Must(h.T)
	export := h.own.Send("GET", store+"customer/customer/"+h.ida+"/export", "", "").Must(h.T)
	_, waiting, _ := strings.Cut(export, `"contactChanges":[`)
	for _, contact := range []string{`"field":"email","value":"zdz.next@example.org"`, `"value":"+48777123003"`} {
		if !strings.Contains(waiting, contact) {
			h.Errorf("the export lacks %s: %s", contact, waiting)
		}
	}
	stored := readTexts(h.T, openBeside(h.T, h.database))
	if !slices.Contains(stored.holding("zdz.next@example.org"), "contact_changes.value") {
		h.Error("no new contact waits")
	}
	if !slices.Contains(stored.holding("+48777123002"), "access_changes.former") {
		h.Error("no former contact is kept")
	}
}

// importStopped sends a file with the customer whose last line is not valid. It is too large to be read at once, so
// that it is stored until it is resumed.
func (h *hidden) importStopped() {
	h.Helper()
	request, err := http.NewRequestWithContext(h.Context(), http.MethodPost,
		h.admin.Base+"/api/DEFAULT/admin/customer/import", strings.NewReader("--part\r\n"+
			`Content-Disposition: form-data; name="file[file]"; filename="zdz.old@example.org Brzezicka.csv"`+
			"\r\nContent-Type: text/csv\r\n\r\nemail,firstName,lastName,gender,address.city\n"+
			"zdz.old@example.org,Zdzisława,Brzezicka,female,Pcimowo\n"+
			strings.Repeat("x\n", dataimport.RecordLimit)+"x,x,x,x,x,x\n\r\n--part--\r\n"))
	if err != nil {
		h.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+h.admin.Token)
	request.Header.Set("Content-Type", "multipart/form-data; boundary=part")
	request.Header.Set("Prefer", "respond-async")
	accepted := servertest.Send(h.T, request)
	if accepted.Status != http.StatusAccepted {
		h.Fatal(accepted.Status, string(accepted.Body))
	}
	h.stopped = servertest.FirstID(string(accepted.Body))
	request = h.admin.Request("GET", "/api/DEFAULT/admin/import/"+h.stopped, "", "")
	request.Header.Set("Prefer", "wait=20")
	if progress := servertest.Send(h.T, request).Must(h.T); !strings.Contains(progress, `"state":"failed"`) {
		h.Fatal(progress)
	}
}

// move sends a form about points or campaigns and returns the id in the response.
func (h *hidden) move(path, form string) string {
	h.Helper()
	return h.admin.Form("/api/DEFAULT/"+path, form).ID(h.T)
}

// collect lets the customer get, spend and give points, and buy with them.
func (h *hidden) collect(level string) {
	h.Helper()
	const store = "/api/DEFAULT/"
	h.move("points/transfer/add", "transfer[points]=500&transfer[comment]=For+Brzezicka&transfer[customer]="+h.ida)
	h.move("points/transfer/add", "transfer[points]=50&transfer[customer]="+h.ole)
	h.move("points/transfer/spend", "transfer[points]=5&transfer[comment]=Of+Brzezicka&transfer[customer]="+h.ida)
	blocked := h.move("points/transfer/block", "transfer[points]=5&transfer[comment]=Brzezicka&transfer[customer]="+h.ida)
	h.admin.Form(store+"points/transfer/"+blocked+"/cancel", "").Must(h.T)
	h.move("admin/p2p-points-transfer", "transfer[points]=20&transfer[sender]="+h.ida+
		"&transfer[receiver]="+h.ole)
	h.move("admin/p2p-points-transfer", "transfer[points]=10&transfer[sender]="+h.ole+
		"&transfer[receiver]="+h.ida)

	const campaign = "campaign[active]=1&campaign[pushNotificationText]=Come&campaign[target]=level&" +
		"campaign[campaignVisibility][allTimeVisible]=1&campaign[campaignActivity][allTimeActive]=1&campaign[levels][]="
	cake := h.move("campaign", campaign+level+"&campaign[reward]=gift_code&campaign[translations][en][name]=Cake&"+
		"campaign[translations][pl][name]=Ciasto&campaign[costInPoints]=5&campaign[unlimited]=1&campaign[singleCoupon]=1&"+
		"campaign[coupons][]=CAKE&campaign[daysInactive]=0&campaign[daysValid]=30")
	h.move("campaign", campaign+level+"&campaign[reward]=cashback&campaign[translations][en][name]=Cash&"+
		"campaign[translations][pl][name]=Kasa&campaign[pointValue]=1&campaign[cashbackProvider]=payprovider")
	coupon := h.own.Form(store+"customer/campaign/"+cake+"/buy", "quantity=2").ID(h.T)
	h.own.Form(store+"customer/campaign/coupons/mark_as_used", "coupons[0][campaignId]="+cake+
		"&coupons[0][couponId]="+coupon+"&coupons[0][code]=CAKE&coupons[0][used]=1").Must(h.T)
	h.own.Form(store+"customer/campaign/cashback/redeem", "pointsAmount=20").Must(h.T)
	var bought struct {
		BoughtCampaigns []struct {
			CampaignType string
			Coupon       struct{ ID string }
		}
	}
	list := h.admin.Send("GET", store+"campaign/bought?sort=campaignType", "", "").Must(h.T)
	if err := json.Unmarshal([]byte(list), &bought); err != nil || bought.BoughtCampaigns[0].CampaignType != "cashback" {
		h.Fatal(list, err)
	}
	said := newForm(h.T, h.admin.Base+store+"campaign/cashback/callback/payprovider", "")
	said.Header.Set("Authorization", "Bearer "+h.admin.Token)
	said.Header.Set("Content", `{"orderId":"`+h.ida+"_"+bought.BoughtCampaigns[0].Coupon.ID+
		`","status":"PENDING","statusMessage":"Paying Brzezicka"}`)
	servertest.Send(h.T, said).Must(h.T)
}

// newForm returns a request that sends a form.
func newForm(t *testing.T, url, body string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", servertest.FormType)
	return request
}

// openBeside opens the database of a running server.
func openBeside(t *testing.T, database app.Database) *db.DB {
	t.Helper()
	d, err := dbopen.Open(t.Context(), db.Config{
		URL: database.Database, File: filepath.Join(database.Data, "punchcard.db"), ReadOnly: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// events returns the ids, subjects and types of all events.
func (h *hidden) events() (all []string) {
	h.Helper()
	var page struct {
		Events []struct {
			ID         int64
			UUID, Type string
		}
	}
	list := h.admin.Send("GET", "/api/event?perPage=100", "", "").Must(h.T)
	if err := json.Unmarshal([]byte(list), &page); err != nil {
		h.Fatal(err)
	}
	for _, e := range page.Events {
		all = append(all, fmt.Sprintf("%d %s %s", e.ID, e.UUID, e.Type))
	}
	return all
}

// storedTexts are the texts of the columns of all tables, in lower case, by table.column.
type storedTexts map[string]string

// readTexts reads all tables.
func readTexts(t *testing.T, d *db.DB) storedTexts {
	t.Helper()
	found, bytesIn := storedTexts{}, columnsOfBytes(t, d)
	for table, columns := range servertest.Tables(t, d) {
		texts := make([]strings.Builder, len(columns))
		selected := make([]string, len(columns))
		for i, column := range columns {
			selected[i] = `COALESCE(` + asText(d, column, bytesIn[table+"."+column]) + `, '')`
		}
		err := d.Read(t.Context(), func(tx *db.Tx) error {
			row, into := make([]string, len(columns)), make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			return db.Each(tx, func(*struct{}) []any { return into }, func(struct{}) {
				for i, value := range row {
					texts[i].WriteString(strings.ToLower(value) + "\n")
				}
			}, "SELECT "+strings.Join(selected, ", ")+" FROM "+table)
		})
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		for i, column := range columns {
			found[table+"."+column] = texts[i].String()
		}
	}
	return found
}

// holding lists the columns that contain a text, as it is or as a search term.
func (c storedTexts) holding(text string) (found []string) {
	for _, column := range slices.Sorted(maps.Keys(c)) {
		if strings.Contains(c[column], strings.ToLower(text)) ||
			strings.Contains(c[column], strings.ToLower(search.Fold(text))) {
			found = append(found, column)
		}
	}
	return found
}

// columnsOfBytes returns the columns of PostgreSQL that hold bytes, which it does not print as text.
func columnsOfBytes(t *testing.T, d *db.DB) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	if d.Engine() != "postgres" {
		return found
	}
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		return db.Each(tx, func(name *string) []any { return []any{name} }, func(name string) { found[name] = true },
			`SELECT CAST(table_name || '.' || column_name AS TEXT) FROM information_schema.columns
			WHERE table_schema = 'public' AND data_type = 'bytea'`)
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// asText returns the expression of a column as text.
func asText(d *db.DB, column string, bytes bool) string {
	if bytes {
		return `ENCODE("` + column + `", 'escape')`
	}
	return `CAST("` + column + `" AS TEXT)`
}

// sumsOf counts the rows of every table and adds up every column of numbers.
func sumsOf(t *testing.T, d *db.DB) map[string]int64 {
	t.Helper()
	sums := map[string]int64{}
	for table, columns := range servertest.Tables(t, d) {
		err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
			sums[table+".*"], err = db.Value[int64](tx, `SELECT COUNT(*) FROM `+table)
			for _, column := range columns {
				if err != nil {
					return err
				}
				isNumber := `typeof("` + column + `") = 'integer'`
				if d.Engine() == "postgres" {
					isNumber = `pg_typeof("` + column + `") = 'bigint'::regtype`
				}
				sums[table+"."+column], err = db.Value[int64](tx, fmt.Sprintf(`SELECT COALESCE(SUM(CAST(CAST("%[1]s" AS TEXT)
					AS BIGINT) %% 1000000007), 0) FROM %[2]s WHERE %[3]s`, column, table, isNumber))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return sums
}
