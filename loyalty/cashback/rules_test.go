package cashback

import (
	"cmp"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// The money is the points times the value of a point, rounded half up to two digits or down.
func TestReward(t *testing.T) {
	for _, c := range []struct {
		points points.Amount
		value  decimal.Hundredths
		want   string // money, or "too much"
		down   string // the same, rounded down; empty when it makes no difference
	}{
		{500, 1000, "50", ""},        // 5 points of 10.00
		{10000, 5, "5", ""},          // 100 points of 0.05
		{0, 1000, "0", ""},           // no points
		{500, 0, "0", ""},            // worth nothing
		{150, 1, "0.02", "0.01"},     // 1.5 points of 0.01: 0.015
		{149, 1, "0.01", ""},         // 0.0149
		{50, 1, "0.01", "0"},         // half a cent
		{49, 1, "0", ""},             // less
		{1, 1, "0", ""},              // 0.0001
		{1, 50, "0.01", "0"},         // 0.005
		{333, 333, "11.09", "11.08"}, // 11.0889
		{12345, 7, "8.64", ""},       // 8.6415
		{12350, 7, "8.65", "8.64"},   // 8.645
		{105, 300, "3.15", ""},       // exact
		{math.MaxInt64, 0, "0", ""},
		{math.MaxInt64, 1, "922337203685477.58", ""},
		{math.MaxInt64, 99, "91311383164862280.49", "91311383164862280.48"},
		{math.MaxInt64, 101, "too much", ""},
		{101, math.MaxInt64, "too much", ""},
		{99, math.MaxInt64, "91311383164862280.49", "91311383164862280.48"},
		{math.MaxInt64, math.MaxInt64, "too much", ""},
	} {
		for rounding, want := range map[string]string{
			store.RoundHalfUp: c.want, store.RoundDown: cmp.Or(c.down, c.want),
		} {
			got := "too much"
			if amount, ok := reward(c.points, c.value, rounding); ok {
				got = amount.String()
			}
			if got != want {
				t.Errorf("%v points of %v, %s: %s, want %s", c.points, c.value, rounding, got, want)
			}
		}
	}
}

func TestBest(t *testing.T) {
	worth := func(id string, value decimal.Hundredths) campaign.Campaign {
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
		got, err := parse("payprovider", c.content)
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
		call, err := parse("payprovider", content)
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
