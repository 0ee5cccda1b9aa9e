package trade_test

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db/dbtest"
)

// docs/extending.md shows the file of the example as it is.
func TestExtendingShowsTheRewardType(t *testing.T) {
	page, err := os.ReadFile("../../../docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("example_reward_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```go\n"+string(code)+"```\n") {
		t.Error("docs/extending.md does not show example_reward_test.go")
	}
}

// A reward type that exists only here is created, listed, bought and used through the API. A program without it
// refuses the database.
func TestRewardTypeCanBeAdded(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.Kinds = app.Kinds{RewardTypes: campaign.Types{raffleTicket}}
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		admin := servertest.LogInAdmin(t, base)
		id, form := createRaffle(t, admin)
		if r := admin.Form("/api/DEFAULT/campaign", form); r.Status != 400 ||
			!strings.Contains(string(r.Body), `"prize":{"errors":["This value should not be blank."]}`) {
			t.Errorf("without its own field: %d %s", r.Status, r.Body)
		}
		ida := registerIda(t, admin)
		bought := ida.Form("/api/DEFAULT/customer/campaign/"+id+"/buy", "").Must(t)
		coupon := servertest.FirstID(bought)
		for _, c := range []struct {
			caller *client
			path   string
			want   []string
		}{
			{admin, "campaign/" + id, []string{`"reward":"raffle_ticket"`, `"details":{"prize":"A bicycle"}`}},
			{admin, "campaign?campaignType=raffle_ticket", []string{`"total":1`, `"details":{"prize":"A bicycle"}`}},
			{ida, "customer/campaign/available", []string{`"reward":"raffle_ticket"`, `"usageLeftForCustomer":1`}},
			{ida, "customer/campaign/bought", []string{`"code":"N-1"`, `"canBeUsed":true`}},
			{admin, "campaign/bought", []string{`"campaignType":"raffle_ticket"`}},
		} {
			got := c.caller.Send("GET", "/api/DEFAULT/"+c.path, "", "").Must(t)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s lacks %s: %s", c.path, want, got)
				}
			}
		}
		ida.Form("/api/DEFAULT/customer/campaign/coupons/mark_as_used", "coupons[0][campaignId]="+id+
			"&coupons[0][couponId]="+coupon+"&coupons[0][code]=N-1&coupons[0][used]=1").Must(t)
		stop()
		expectKnown(t, config)
		config.Kinds = app.Kinds{}
		err := app.Serve(context.Background(), config, io.Discard, servertest.Log(t))
		if err == nil || !strings.Contains(err.Error(), "is raffle_ticket, should be a reward type of this program") {
			t.Errorf("a start without the type: %v", err)
		}
	})
}

// createRaffle returns the id of a campaign of two tickets, and its form without the prize.
func createRaffle(t *testing.T, admin *client) (id, form string) {
	t.Helper()
	level := admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=L&level[active]=1&"+
		"level[conditionValue]=0&level[reward][name]=L&level[reward][value]=5&level[reward][code]=L").ID(t)
	form = "campaign[reward]=raffle_ticket&campaign[translations][en][name]=Raffle&campaign[active]=1&" +
		"campaign[costInPoints]=5&campaign[pushNotificationText]=Win&campaign[target]=level&campaign[levels][]=" + level +
		"&campaign[limit]=2&campaign[limitPerUser]=2&campaign[coupons][]=N-1&campaign[coupons][]=N-2&" +
		"campaign[daysInactive]=0&campaign[daysValid]=30"
	return admin.Form("/api/DEFAULT/campaign", form+"&campaign[prize]=A bicycle").ID(t), form
}

// registerIda returns a customer with 10 points, logged in.
func registerIda(t *testing.T, admin *client) *client {
	t.Helper()
	const plain = "Correct-Horse-7"
	id := admin.Form("/api/DEFAULT/customer/self_register", "customer[firstName]=Ida&"+
		"customer[lastName]=Berg&customer[email]=ida@example.com&customer[agreement1]=1&customer[plainPassword]="+plain).ID(t)
	admin.Form("/api/DEFAULT/admin/customer/"+id+"/activate", "").Must(t)
	admin.Form("/api/DEFAULT/points/transfer/add", "transfer[customer]="+id+"&transfer[points]=10").Must(t)
	return servertest.LogIn(t, admin.Base, "/api/DEFAULT/customer/login_check", "ida@example.com", plain)
}
