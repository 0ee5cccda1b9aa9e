package trade_test

import (
	"testing"
	"time"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// What is about to end is reported under the short names, once, also in a store whose texts for customers are all
// switched off.
func TestWebHooksOfEndings(t *testing.T) {
	const base = "/api/SOON/"
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		address, arrived := servertest.ListenToCalls(t)
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.Clock, config.AllowPrivateAddresses, config.Log = time.Now, true, "warn"
		server, _ := servertest.RunUntil(t, config, servertest.Log(t))
		admin := servertest.LogInAdmin(t, server)
		mustPost(t, admin, "/api/store", "store[code]=SOON&store[name]=S&store[currency]=EUR&store[active]=1&"+
			"store[sandbox]=1")
		for _, event := range []string{
			"registered", "points_ending", "level_ending", "coupon_ending", "campaign_available",
		} {
			for _, channel := range []string{"inbox", "push"} {
				text := admin.Send("GET", base+"message?language=en&event=oloy.customer."+event+"&channel="+channel, "", "")
				mustPost(t, admin, base+"message/"+servertest.FirstID(string(text.Body))+"/deactivate", "")
			}
		}
		mustPost(t, admin, base+"settings", "settings[allTimeNotLocked]=1&settings[pointsDaysExpiryAfter]=after_x_days&"+
			"settings[pointsDaysActiveCount]=30&settings[tierAssignType]=points&settings[levelDowngradeMode]=after_x_days&"+
			"settings[levelDowngradeDays]=21&settings[levelDowngradeBase]=active_points")
		const level = "level[active]=1&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B&" +
			"level[translations][en][name]="
		mustPost(t, admin, base+"level/create", level+"Base&level[conditionValue]=0")
		silver := servertest.FirstID(string(mustPost(t, admin, base+"level/create", level+
			"Silver&level[conditionValue]=50").Body))
		ida := servertest.FirstID(string(mustPost(t, admin, base+"customer/register",
			"customer[firstName]=Ida&customer[lastName]=N&"+
				"customer[agreement1]=1&customer[active]=1&customer[email]=ida@example.com").Body))
		cake := servertest.FirstID(string(mustPost(t, admin, base+"campaign",
			"campaign[reward]=gift_code&campaign[active]=1&"+
				"campaign[translations][en][name]=Cake&campaign[translations][pl][name]=Ciasto&campaign[costInPoints]=0&"+
				"campaign[pushNotificationText]=Cake&campaign[target]=level&campaign[levels][]="+silver+
				"&campaign[unlimited]=1&campaign[singleCoupon]=1&campaign[coupons][]=CAKE&campaign[daysInactive]=0&"+
				"campaign[daysValid]=11&campaign[campaignActivity][allTimeActive]=1&"+
				"campaign[campaignVisibility][allTimeVisible]=1").Body))
		mustPost(t, admin, base+"points/transfer/add", "transfer[points]=60&transfer[customer]="+ida)
		mustPost(t, admin, base+"webhook/subscription", "webhookSubscription[url]="+address+
			"&webhookSubscription[eventNames][]=account.expiring_*"+
			"&webhookSubscription[eventNames][]=campaign.coupon_expiration")
		mustPost(t, admin, base+"admin/customer/"+ida+"/campaign/"+cake+"/buy", "")
		ends := func(days int) string { return time.Now().UTC().AddDate(0, 0, days).Format("2006-01-02T") }
		for _, want := range []struct {
			name string
			days int
			data map[string]any
		}{
			{"campaign.coupon_expiration", 11,
				map[string]any{"campaignId": cake, "campaignName": "Cake", "couponCode": "CAKE"}},
			{"account.expiring_level_notification", 21, map[string]any{"levelId": silver, "levelName": "Silver"}},
			{"account.expiring_points_notification", 30, map[string]any{"points": 60}},
		} {
			mustPost(t, admin, base+"admin/clock", "clock[to]="+ends(want.days-10)+"23:59")
			want.data["storeCode"], want.data["customerId"] = "SOON", ida
			call, _ := expectShort(t, arrived, want.name, want.data)
			if at, _ := call.Data["expiresAt"].(string); len(at) < 11 || at[:11] != ends(want.days) {
				t.Errorf("%s: %v, want %s", want.name, at, ends(want.days))
			}
			mustPost(t, admin, base+"admin/clock", "clock[forward]=PT1M")
		}
		if len(arrived) > 0 {
			t.Errorf("one more call: %s", (<-arrived).Body)
		}
		if r := admin.Send("GET", base+"admin/customer/"+ida+"/notification", "", ""); string(r.Body) !=
			`{"notifications":[],"total":0,"unread":0}` {
			t.Errorf("%s", r.Body)
		}
	})
}
