package trade_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// branch is a store with a small program, the same in each.
type branch struct {
	*testing.T
	admin, own     *client
	code, customer string
	soon, coupon   string // campaigns: one that opens on 8 May, one that is open
}

func openBranch(t *testing.T, admin *client, code, sandbox string) *branch {
	t.Helper()
	b := &branch{T: t, admin: admin, code: code}
	admin.Form("/api/store", "store[name]=B&store[currency]=EUR&store[active]=1&store[code]="+code+
		"&store[sandbox]="+sandbox).Must(t)
	b.post("settings", "settings[timezone]=UTC&settings[programName]=B&settings[programPointsSingular]=p&"+
		"settings[programPointsPlural]=ps&settings[returns]=1&settings[pointsDaysExpiryAfter]=after_x_days&"+
		"settings[pointsDaysActiveCount]=30&settings[allTimeNotLocked]=0&settings[pointsDaysLocked]=7&"+
		"settings[tierAssignType]=transactions")
	level := servertest.FirstID(b.post("level/create",
		"level[translations][en][name]=L&level[active]=1&level[conditionValue]=0&"+
			"level[reward][name]=L&level[reward][value]=5&level[reward][code]=L"))
	b.customer = servertest.FirstID(b.post("customer/self_register", "customer[firstName]=Ida&customer[lastName]=Berg&"+
		"customer[email]=ida@example.com&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7"))
	b.own = servertest.LogIn(t, admin.Base, "/api/"+code+"/customer/login_check", "ida@example.com", "Correct-Horse-7")
	b.post("segment", "segment[name]=Regulars&segment[active]=1&segment[parts][0][criteria][0][days]=10&"+
		"segment[parts][0][criteria][0][type]=last_purchase_n_days_before")
	admin.Send("POST", "/api/"+code+"/transaction", servertest.JSONType, `{"transaction":{"transactionData":
		{"documentNumber":"R-1"},"items":[{"sku":{"code":"TEA"},"name":"Tea","quantity":1,"grossValue":9,"category":"d"}],
		"customerData":{"name":"Ida","email":"ida@example.com"}}}`).Must(t)
	campaign := "campaign[active]=1&campaign[pushNotificationText]=Come&campaign[target]=level&" +
		"campaign[reward]=gift_code&" +
		"campaign[translations][en][name]=C&campaign[translations][pl][name]=C&campaign[unlimited]=1&" +
		"campaign[singleCoupon]=1&campaign[coupons][]=C&campaign[daysInactive]=3&campaign[daysValid]=5&" +
		"campaign[costInPoints]=0&campaign[levels][]=" + level
	b.coupon = servertest.FirstID(b.post("campaign", campaign+"&campaign[campaignVisibility][allTimeVisible]=1&"+
		"campaign[campaignActivity][allTimeActive]=1"))
	const may = "[%sFrom]=2031-05-08 00:00&campaign[campaign%s][%sTo]=2031-05-15 00:00&campaign[campaign%s][allTime%s]=0"
	window := func(of, word, all string) string {
		return "&campaign[campaign" + of + "]" + fmt.Sprintf(may, word, of, word, of, all)
	}
	b.soon = servertest.FirstID(b.post("campaign", campaign+window("Visibility", "visible", "Visible")+
		window("Activity", "active", "Active")))
	b.post("points/transfer/add", "transfer[points]=100&transfer[customer]="+b.customer)
	return b
}

func (b *branch) post(path, form string) string {
	b.Helper()
	return b.admin.Form("/api/"+b.code+"/"+path, form).Must(b.T)
}

// state lists everything that changes with time: points that can be spent, are locked and have expired, the status of
// each coupon, whether the campaign is open, how many regulars there are, and whether the customer is shown as one.
func (b *branch) state() string {
	b.Helper()
	get := func(who *client, path string, answer any) {
		b.Helper()
		if err := json.Unmarshal([]byte(who.Send("GET", "/api/"+b.code+"/"+path, "", "").Must(b.T)), answer); err != nil {
			b.Fatal(err)
		}
	}
	var points struct{ Points, LockedPoints, ExpiredPoints int64 }
	get(b.admin, "admin/customer/"+b.customer+"/status", &points)
	var coupons struct{ Campaigns []struct{ Status string } }
	get(b.own, "customer/campaign/bought", &coupons)
	var open struct{ Campaigns []struct{ CampaignID string } }
	get(b.own, "customer/campaign/available", &open)
	var segments struct {
		Segments []struct{ CustomersCount int }
	}
	get(b.admin, "segment", &segments)
	statuses := make([]string, len(coupons.Campaigns))
	for i, c := range coupons.Campaigns {
		statuses[i] = c.Status
	}
	isOpen := strings.Contains(fmt.Sprint(open.Campaigns), b.soon)
	return fmt.Sprint(points.Points, points.LockedPoints, points.ExpiredPoints, " ", statuses, isOpen,
		segments.Segments[0].CustomersCount)
}

// A sandbox and an ordinary store share a database. Time passes in the sandbox only.
func TestTimePassesInTheSandboxOnly(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		database := servertest.Database(t, engine)
		admin := servertest.LogInAdmin(t, servertest.Run(t, servertest.PlainConfig(database)))
		try, shop := openBranch(t, admin, "TRY", "1"), openBranch(t, admin, "SHOP", "0")
		buyAtOnce := func() {
			var both sync.WaitGroup
			for _, b := range []*branch{try, shop, try, shop} {
				both.Go(func() { b.own.Form("/api/"+b.code+"/customer/campaign/"+b.coupon+"/buy", "") })
			}
			both.Wait()
		}
		expect := func(inSandbox, inShop string) {
			t.Helper()
			for b, want := range map[*branch]string{try: inSandbox, shop: inShop} {
				if got := b.state(); got != want {
					t.Errorf("%s: %s, want %s", b.code, got, want)
				}
			}
		}
		buyAtOnce()
		const still = "0 100 0 [inactive inactive] false 1"
		expect(still, still)
		try.post("admin/clock", "clock[to]=2031-05-08 12:00")
		expect("100 0 0 [active active] true 1", still)
		buyAtOnce() // in one batch or several: each store's coupons begin by its own clock
		const twice = "0 100 0 [inactive inactive inactive inactive] false 1"
		expect("100 0 0 [active active inactive inactive] true 1", twice)
		try.post("admin/clock", "clock[forward]=P4D")
		expect("100 0 0 [expired expired active active] true 0", twice)
		try.post("admin/clock", "clock[forward]=P1M")
		expect("0 0 100 [expired expired expired expired] false 0", twice)
		servertest.ExpectClean(t, database)
	})
}

// A report without a store in its path uses the clock of the customer's store: a rule that begins later in the month
// applies in the sandbox, and not in the ordinary store.
func TestReportWithoutStoreUsesTheStoreClock(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin := servertest.LogInAdmin(t, servertest.Run(t, servertest.PlainConfig(servertest.Database(t, engine))))
		try, shop := openBranch(t, admin, "TRY", "1"), openBranch(t, admin, "SHOP", "0")
		for _, b := range []*branch{try, shop} {
			b.post("earningRule", "earningRule[type]=custom_event&earningRule[eventName]=visit&earningRule[name]=V&"+
				"earningRule[description]=V&earningRule[active]=1&earningRule[startAt]=2031-05-08 00:00&"+
				"earningRule[endAt]=2031-05-15 00:00&earningRule[pointsAmount]=5&earningRule[target]=level&"+
				"earningRule[levels][]="+admin.Send("GET", "/api/"+b.code+"/level", "", "").ID(t))
		}
		try.post("admin/clock", "clock[to]=2031-05-08 12:00")
		for b, want := range map[*branch]int{try: 200, shop: 400} {
			if got := admin.Form("/api/v1/earnRule/visit/customer/"+b.customer, ""); got.Status != want {
				t.Errorf("%s: %d %s, want %d", b.code, got.Status, got.Body, want)
			}
		}
	})
}
