package template_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// render returns what a message says, and "off" instead of a template that is switched off or missing.
func render(t *testing.T, shop *shoptest.Shop, event, channel, language string, values map[string]string) string {
	t.Helper()
	var text template.Text
	var ok bool
	shop.Read(func(tx *db.Tx) (err error) {
		text, ok, err = template.Render(tx, shop.Store, event, channel, language, values)
		return err
	})
	if !ok {
		return "off"
	}
	return strings.TrimPrefix(text.Subject+"\n"+text.Content, "\n")
}

func TestRenderBuiltInTexts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		shop := shoptest.Open(t, d, "HERE", nil)
		for _, test := range []struct {
			event, channel, language string
			values                   map[string]string
			want                     string
		}{
			{template.CustomerActivation, template.SMS, "en", map[string]string{"code": "123456"},
				"Loyalty program: your activation code is 123456"},
			{template.CustomerActivation, template.SMS, "pl_PL", map[string]string{"code": "123456"},
				"Loyalty program: Twój kod aktywacyjny to 123456"},
			{template.CouponEnding, template.Inbox, "it", map[string]string{"campaign_name": "Tea", "end_date": "2031-05-01"},
				"Your coupon for Tea can be used until 2031-05-01."},
			{template.CampaignAvailable, template.Inbox, "", map[string]string{"campaign_text": "Two\nlines"}, "Two\nlines"},
			{template.CustomerInvitation, template.SMS, "", map[string]string{"referrer_name": "Eve\nhttp://x", "link": "L"},
				"Eve http: x invites you to Loyalty program: L"},
			{template.CustomerRegistered, template.Email, "en", nil, "off"},
			{template.CustomerRegistered, template.Inbox, "en", nil, "Welcome to Loyalty program. From now on you collect " +
				"points with every purchase and exchange them for rewards."},
			{"unknown", template.Email, "en", nil, "off"},
		} {
			got := render(t, shop, test.event, test.channel, test.language, test.values)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s by %s in %s: %s", test.event, test.channel, test.language, diff)
			}
		}
	})
}
