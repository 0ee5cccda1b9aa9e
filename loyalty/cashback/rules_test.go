package cashback

import (
	"cmp"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// The money is the points times the value of a point, rounded half up to the digits of the currency or down.
func TestReward(t *testing.T) {
	for _, c := range []struct {
		points   points.Amount
		value    decimal.Rate
		currency string
		want     string // money, or "too much"
		down     string // the same, rounded down; empty when it makes no difference
	}{
		{500, 10_000_000, "EUR", "50", ""},        // 5 points of 10.00
		{10000, 50_000, "EUR", "5", ""},           // 100 points of 0.05
		{0, 10_000_000, "EUR", "0", ""},           // no points
		{500, 0, "EUR", "0", ""},                  // worth nothing
		{150, 10_000, "EUR", "0.02", "0.01"},      // 1.5 points of 0.01: 0.015
		{149, 10_000, "EUR", "0.01", ""},          // 0.0149
		{50, 10_000, "EUR", "0.01", "0"},          // half a cent
		{49, 10_000, "EUR", "0", ""},              // less
		{1, 10_000, "EUR", "0", ""},               // 0.0001
		{1, 500_000, "EUR", "0.01", "0"},          // 0.005
		{333, 3_330_000, "EUR", "11.09", "11.08"}, // 11.0889
		{12345, 70_000, "EUR", "8.64", ""},        // 8.6415
		{12350, 70_000, "EUR", "8.65", "8.64"},    // 8.645
		{105, 3_000_000, "EUR", "3.15", ""},       // exact
		{10_000, 5_000, "EUR", "0.5", ""},         // 100 points of 0.005
		{333, 3_330_000, "JPY", "11", ""},
		{150, 1_000_000, "JPY", "2", "1"},
		{333, 3_330_000, "KWD", "11.089", "11.088"},
		{333, 3_330_000, "CLF", "11.0889", ""},
		{math.MaxInt64, 0, "EUR", "0", ""},
		{math.MaxInt64, 10_000, "EUR", "922337203685477.58", ""},
		{math.MaxInt64, 10_001, "EUR", "too much", ""},
		{math.MaxInt64, math.MaxInt64, "KWD", "too much", ""},
	} {
		for rounding, want := range map[string]string{
			store.RoundHalfUp: c.want, store.RoundDown: cmp.Or(c.down, c.want),
		} {
			s := &store.Store{Currency: c.currency, Settings: store.Settings{CashbackRounding: rounding}}
			got := "too much"
			if amount, ok := reward(s, c.points, c.value); ok {
				got = amount.String()
			}
			if got != want {
				t.Errorf("%v points of %v %s, %s: %s, want %s", c.points, c.value, c.currency, rounding, got, want)
			}
		}
	}
}

func TestBest(t *testing.T) {
	worth := func(id string, value decimal.Rate) campaign.Campaign {
		return campaign.Campaign{ID: id, Definition: campaign.Definition{PointValue: value}}
	}
	some := []campaign.Campaign{worth("a", 5), worth("b", 7), worth("c", 7), worth("d", 0)}
	for _, c := range []struct {
		open     []campaign.Campaign
		id, want string
	}{
		{nil, "", "none"}, {nil, "a", "none"}, {some, "", "b"}, {some[:1], "", "a"}, {some[3:], "", "d"},
		{some, "c", "c"}, {some, "d", "d"}, {some, "e", "none"},
	} {
		got := "none"
		if chosen := best(c.open, c.id); chosen != nil {
			got = chosen.ID
		}
		if got != c.want {
			t.Errorf("best of %d for %q is %s, want %s", len(c.open), c.id, got, c.want)
		}
	}
}

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  State
	}{
		{[]string{"", ""}, UnderWay}, {[]string{"", "ACCEPTED"}, UnderWay}, {[]string{"PENDING", "x"}, UnderWay},
		{[]string{"SUCCESS", ""}, Paid}, {[]string{"", "success"}, Paid}, {[]string{"ok", " Success "}, Paid},
		{[]string{"SUCCESSFUL", ""}, UnderWay}, {[]string{"FAILURE", ""}, Failed}, {[]string{"", "failed"}, Failed},
		{[]string{"Rejected", ""}, Failed}, {[]string{"", "CANCELLED"}, Failed}, {[]string{"canceled", ""}, Failed},
		{[]string{"ERROR", ""}, Failed}, {[]string{"", "EXPIRED"}, Failed}, {[]string{"SUCCESS", "FAILED"}, Failed},
		{[]string{"FAILED", "SUCCESS"}, Failed}, {[]string{"0", "1"}, UnderWay},
	} {
		if got := outcome(c.words...); got != c.want {
			t.Errorf("%q tell %d, want %d", c.words, got, c.want)
		}
	}
}

func TestWhichWordsCount(t *testing.T) {
	for from, wants := range map[State]map[State]bool{
		Created:  {Paid: true, Failed: true, UnderWay: true},
		UnderWay: {Paid: true, Failed: true, UnderWay: true},
		Paid:     {Paid: true, Failed: true, UnderWay: false},
		Failed:   {Paid: false, Failed: false, UnderWay: false},
	} {
		for next, want := range wants {
			if got := from.leadsTo(next); got != want {
				t.Errorf("%d after %d counts: %v", next, from, got)
			}
		}
	}
}

const (
	someCustomer = "0191b2a4-7b3c-7def-8123-456789abcdef"
	someCoupon   = "0191b2a4-7b3c-7def-8123-0123456789ab"
)

func TestParseContent(t *testing.T) {
	const order = `"orderId":"` + someCustomer + "_" + someCoupon + `"`
	whole := Callback{Provider: "payprovider", CustomerID: someCustomer, CouponID: someCoupon}
	with := func(status, code, message string) Callback {
		c := whole
		c.Status, c.Code, c.Message = status, code, message
		return c
	}
	for _, c := range []struct {
		content string
		want    Callback // the zero one for a refusal
	}{
		{`{` + order + `}`, whole},
		{`{"type":"cashback","requestGuid":"1",` + order + `,"status":null,"statusCode":"ACCEPTED",` +
			`"statusMessage":"Später","response":{"a":[1,{"b":null}]},"metadata":[]}`, with("", "ACCEPTED", "Später")},
		{`{` + order + `,"status":7,"statusCode":true,"statusMessage":1.50}`, with("7", "true", "1.50")},
		{`{` + order + `,"status":{"is":"FAILED"},"statusCode":["FAILED"]}`, whole},
		{`{"orderId":"` + strings.ToUpper(someCustomer+"_"+someCoupon) + `"}`, whole},
		{`{"orderId":"x","orderId":"` + someCustomer + "_" + someCoupon + `"}`, whole},
		{``, Callback{}}, {`{}`, Callback{}}, {`null`, Callback{}}, {`[]`, Callback{}}, {`"x"`, Callback{}},
		{`{`, Callback{}},
		{`{` + order, Callback{}}, {`{` + order + `} {}`, Callback{}}, {`{"orderId":null}`, Callback{}},
		{`{"orderId":7}`, Callback{}}, {`{"orderId":["` + someCustomer + "_" + someCoupon + `"]}`, Callback{}},
		{`{"orderId":"` + someCustomer + someCoupon + `"}`, Callback{}},
		{`{"orderId":"` + someCustomer + "_" + someCoupon + `_"}`, Callback{}},
		{`{"orderId":"_` + someCustomer + "_" + someCoupon + `"}`, Callback{}},
		{`{"orderId":"` + someCustomer + "__" + someCoupon + `"}`, Callback{}},
		{`{"orderId":"` + someCustomer + `_"}`, Callback{}}, {`{"orderId":"_` + someCoupon + `"}`, Callback{}},
		{`{"orderId":" ` + someCustomer + "_" + someCoupon + `"}`, Callback{}},
		{`{` + order + `,"statusMessage":"` + "a\\u0000b" + `"}`, Callback{}},
		{`{` + order + `,"statusMessage":"` + "\xff" + `"}`, Callback{}},
		{`{` + order + `,"metadata":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`, Callback{}},
		{`{` + order + `,"metadata":"` + strings.Repeat("x", contentLimit) + `"}`, Callback{}},
	} {
		got, err := parseCallback("payprovider", c.content)
		if got != c.want || (err == nil) != (c.want != Callback{}) || err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%.200s: %+v, %v", c.content, got, err)
		}
	}
}

// Any message of a provider is either refused as malformed, or names one order and can be stored.
func FuzzContent(f *testing.F) {
	f.Add(`{"orderId":"` + someCustomer + "_" + someCoupon + `","status":null,"statusCode":"ACCEPTED"}`)
	f.Add(`{"orderId":"` + strings.ToUpper(someCustomer) + "_" + someCoupon + `","status":["x"],"metadata":{"a":{}}}`)
	f.Add(`{"orderId":7}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, content string) {
		call, err := parseCallback("payprovider", content)
		if err != nil {
			if fault.KindOf(err) != fault.Invalid || call != (Callback{}) {
				t.Fatalf("%q: %+v, %v", content, call, err)
			}
			return
		}
		var sent struct {
			OrderID string `json:"orderId"`
		}
		if err := json.Unmarshal([]byte(content), &sent); err == nil &&
			!strings.EqualFold(sent.OrderID, call.CustomerID+"_"+call.CouponID) {
			t.Fatalf("%q names %s_%s", content, call.CustomerID, call.CouponID)
		}
		for _, text := range []string{call.CustomerID, call.CouponID, call.Status, call.Code, call.Message} {
			if strings.ContainsRune(text, 0) || strings.ToValidUTF8(text, "") != text {
				t.Fatalf("%q cannot be stored", text)
			}
		}
	})
}
