package contract_test

import (
	"net/url"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// At the till a code is found as people type it, if only one can be meant. mark_as_used of customers compares exactly.
func TestTypedCodes(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			admin, seller, level := servertest.StartShop(t, engine)
			made := admin.JSON("POST", "/api/DEFAULT/customer/self_register", servertest.Registration(object{
				"email": "ida@example.org", "plainPassword": "Correct-Horse-7"}))
			ida := made["customerId"].(string)
			admin.JSON("POST", "/api/DEFAULT/admin/customer/"+ida+"/activate", object{})
			campaign := admin.MakeGift(level, "SPRING-1", "U9S3RM7F", "TWIN-1", "TWINI", "0O-Ä1", "--")
			me := servertest.LogIn(t, admin.Base, "/api/DEFAULT/customer/login_check", url.QueryEscape("ida@example.org"),
				"Correct-Horse-7")
			bought := map[string]string{}
			for range 2 {
				sold := me.JSON("POST", "/api/DEFAULT/customer/campaign/"+campaign+"/buy", object{})
				coupon := sold["coupons"].([]any)[0].(object)
				bought[coupon["code"].(string)] = coupon["id"].(string)
			}
			for typed, want := range map[string]string{
				"SPRING-1": "SPRING-1", "spring 1": "SPRING-1", "SPRING1": "SPRING-1", "spr1ngl": "SPRING-1", "SPRINGI": "SPRING-1",
				"u9s3rm7f": "U9S3RM7F", "U9S3 RM7F": "U9S3RM7F", "TWIN-1": "TWIN-1", "TWINI": "TWINI", "twin 1": "", "twinl": "",
				"oo-ä1": "0O-Ä1", "SPRING-2": "", "--": "--", "-": "", "SPRING": "",
			} {
				status := 200
				if want == "" {
					status = 404
				}
				found := seller.Get("/api/DEFAULT/seller/coupons/"+url.PathEscape(typed), status)
				if all, _ := found["coupons"].([]any); want != "" && (len(all) != 1 || all[0].(object)["code"] != want) {
					t.Errorf("%q finds %v", typed, found)
				}
			}
			mark := func(code string) object {
				return object{"coupons": []object{{
					"campaignId": campaign, "couponId": bought["SPRING-1"], "code": code, "used": true,
				}}}
			}
			me.JSON("POST", "/api/DEFAULT/customer/campaign/coupons/mark_as_used", mark("spring 1"), 400)
			used := seller.JSON("POST", "/api/DEFAULT/seller/coupons/mark_as_used", object{"coupons": []object{
				{"code": "u9s3 rm7f", "used": true}}})
			if name := used["coupons"].([]any)[0].(object)["name"]; name != "U9S3RM7F" {
				t.Errorf("used %v", name)
			}
			me.JSON("POST", "/api/DEFAULT/customer/campaign/coupons/mark_as_used", mark("SPRING-1"))
		})
	}
}
