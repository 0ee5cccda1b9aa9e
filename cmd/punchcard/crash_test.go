package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// buyer is the customer of the demonstration program, who counts the purchases.
type buyer struct {
	*process
	token, campaign string
	coupons         map[string]bool // ids
}

// newBuyer logs in to a server with the demonstration program, where something is given away without a limit.
func newBuyer(p *process) *buyer {
	p.t.Helper()
	b := &buyer{process: p, coupons: map[string]bool{}}
	admin := p.token("/api/admin/login_check", "admin", "open")
	_, body := p.call("GET", "/api/DEFAULT/level", admin, nil)
	gift := url.Values{
		"campaign[reward]": {"discount_code"}, "campaign[translations][en][name]": {"Gift"},
		"campaign[translations][pl][name]": {"Prezent"}, "campaign[active]": {"1"}, "campaign[costInPoints]": {"0"},
		"campaign[pushNotificationText]": {"A gift"}, "campaign[target]": {"level"}, "campaign[coupons][]": {"GIFT"},
		"campaign[singleCoupon]": {"1"}, "campaign[unlimited]": {"1"}, "campaign[daysInactive]": {"0"},
		"campaign[daysValid]": {"0"}, "campaign[campaignVisibility][allTimeVisible]": {"1"},
		"campaign[campaignActivity][allTimeActive]": {"1"},
	}
	for _, level := range regexp.MustCompile(`"levelId":"([^"]+)"`).FindAllStringSubmatch(body, -1) {
		gift.Add("campaign[levels][]", level[1])
	}
	_, body = p.call("POST", "/api/DEFAULT/campaign", admin, gift)
	var made struct{ CampaignID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil || made.CampaignID == "" {
		p.t.Fatalf("campaign: %s", body)
	}
	b.campaign = made.CampaignID
	b.token = p.token("/api/customer/login_check", "user@example.com", "loyalty")
	b.owned(func(id string) { b.coupons[id] = true })
	return b
}

// ask answers like call, with the headers.
func (b *buyer) ask(method, path string) (status int, header http.Header, body string) {
	b.t.Helper()
	request, err := http.NewRequest(method, b.Base+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+b.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(text)
}

// buy returns whether the customer was sold a coupon. The only other answer is that of a server that cannot at present.
func (b *buyer) buy() bool {
	b.t.Helper()
	status, header, body := b.ask("POST", "/api/DEFAULT/customer/campaign/"+b.campaign+"/buy")
	var sold struct{ Coupons []struct{ ID string } }
	if status == 200 && json.Unmarshal([]byte(body), &sold) == nil && len(sold.Coupons) == 1 {
		b.coupons[sold.Coupons[0].ID] = true
		return true
	}
	b.checkUnavailable(status, header, body)
	return false
}

func (b *buyer) checkUnavailable(status int, header http.Header, body string) {
	b.t.Helper()
	const want = `{"error":{"code":503,"message":"Service Unavailable"}}`
	if status != 503 || body != want || header.Get("Retry-After") != "1" {
		b.t.Errorf("%d %s, Retry-After %q; log: %s", status, body, header.Get("Retry-After"), b.Log)
	}
}

// owned visits the ids of the customer's coupons.
func (b *buyer) owned(visit func(id string)) {
	b.t.Helper()
	_, _, body := b.ask("GET", "/api/DEFAULT/customer/campaign/bought?perPage=-1")
	var list struct {
		Campaigns []struct{ Coupon struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		b.t.Fatalf("%v: %s", err, body)
	}
	for _, c := range list.Campaigns {
		visit(c.Coupon.ID)
	}
}

// checkOwned compares what is stored with what the buyer was sold.
func (b *buyer) checkOwned() {
	b.t.Helper()
	stored := 0
	b.owned(func(id string) {
		if stored++; !b.coupons[id] {
			b.t.Errorf("coupon %s is stored, but no response names it", id)
		}
	})
	if stored != len(b.coupons) {
		b.t.Errorf("%d coupons are stored of %d that were sold", stored, len(b.coupons))
	}
}

func (b *buyer) isHealthy() bool {
	b.t.Helper()
	status, _, _ := b.ask("GET", "/api/healthcheck")
	return status == 204
}

// seeLog is the public error of a component that does not work.
const seeLog = "it does not work; the log says why"

// checkOnlyDatabaseFails waits until the health check knows of the database, and wants nothing said of the message
// queue. The search index is in the same database: it can be well only while the database can be read.
func (b *buyer) checkOnlyDatabaseFails(searchIndex string) {
	b.t.Helper()
	want := `[{"name":"database","status":"Problem","message":"` + seeLog + `"},` + searchIndex +
		`,{"name":"message queue","status":"OK"}]`
	var body string
	testwait.Until(b.t, "the health check knows of the database", func() bool {
		if b.buy() {
			return false
		}
		var status int
		status, _, body = b.ask("GET", "/api/healthcheck")
		return status == 503
	})
	if body != want {
		b.t.Errorf("health: %s\nwant: %s\nlog: %s", body, want, b.Log)
	}
}

// survive lets the buyer buy before, during and after a fault of what the server works with. The server is not
// restarted, and in the end has exactly what it said.
func (b *buyer) survive(strike, repair func()) {
	b.t.Helper()
	if !b.buy() {
		b.t.Fatal("nothing can be bought before the fault")
	}
	strike()
	testwait.Until(b.t, "a purchase fails", func() bool { return !b.buy() })
	testwait.Until(b.t, "the health check tells", func() bool { return !b.isHealthy() })
	repair()
	testwait.Until(b.t, "a purchase succeeds again", b.buy)
	testwait.Until(b.t, "the health check is well", b.isHealthy)
	b.checkOwned()
	if strings.Contains(b.Log.String(), "panic") {
		b.t.Errorf("log: %s", b.Log)
	}
}

// ownCluster is a PostgreSQL server that no other test uses.
func ownCluster(t *testing.T) *dbtest.Cluster {
	t.Helper()
	cluster, err := dbtest.StartCluster(dbtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := cluster.CreateDatabase("crash"); err != nil {
		t.Fatal(err)
	}
	return cluster
}

func TestDatabaseServerIsKilledAndComesBack(t *testing.T) {
	t.Parallel()
	cluster := ownCluster(t)
	b := newBuyer(start(t, "--data", t.TempDir(), "--database", cluster.URL("crash"), "--demo"))
	b.survive(func() {
		if err := cluster.Kill(); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/api/DEFAULT/customer/campaign/bought", "/api/DEFAULT/customer/campaign/available"} {
			status, header, body := b.ask("GET", path)
			b.checkUnavailable(status, header, body)
		}
		status, body := b.call("POST", "/api/customer/login_check", "",
			url.Values{"username": {"user@example.com"}, "password": {"loyalty"}})
		b.checkUnavailable(status, http.Header{"Retry-After": {"1"}}, body)
		b.checkOnlyDatabaseFails(`{"name":"search index","status":"Problem","message":"` + seeLog + `"}`)
	}, func() {
		if err := cluster.Restart(); err != nil {
			t.Fatal(err)
		}
	})
	if status := b.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}
