package customerapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/form"
)

// TestProtectedFields sends back what a customer has, and other values. The result must not depend on the encoding.
func TestProtectedFields(t *testing.T) {
	const level, till, other = "0191b2a4-7b3c-7def-8123-456789abcdef", "0191b2a4-7b3c-7def-8123-0123456789ab",
		"0191b2a4-7b3c-7def-8123-ffffffffffff"
	warsaw := time.FixedZone("", 2*60*60)
	who := &customer.Customer{
		CreatedAt: time.Date(2031, 5, 1, 10, 0, 7, 5000, time.UTC), LevelID: level, POSID: till,
		Labels: []customer.Label{{Key: "vip", Value: "yes"}, {Key: "tea", Value: "green"}},
	}
	for _, c := range []struct{ body, refused string }{
		{`{}`, ""},
		{`{"createdAt":"","levelId":null,"posId":" ","sellerId":{},"labels":[]}`, ""},
		{`{"createdAt":"2031-05-01T12:00:07+0200","levelId":"` + level + `","posId":"` + till + `"}`, ""},
		{`{"createdAt":"2031-05-01 12:00","levelId":{"levelId":"` + strings.ToUpper(level) + `","id":"x"}}`, ""},
		{`{"createdAt":"2031-05-01 12:00:07","posId":{"posId":"` + till + `"},"sellerId":{"sellerId":null}}`, ""},
		{`{"labels":"vip:yes; tea:green;"}`, ""},
		{`{"labels":[{"key":"vip","value":"yes"},{"key":"tea","value":"green"}]}`, ""},
		{`{"labels":"vip:yes"}`, "labels"},
		{`{"labels":"tea:green;vip:yes;x:"}`, "labels"},
		{`{"labels":"nothing that is a label"}`, "labels"},
		{`{"labels":[{"key":"vip","value":"yes"}]}`, "labels"},
		{`{"labels":[{"key":"vip","value":"yes"},"tea"]}`, "labels"},
		{`{"labels":{"key":"vip","value":"yes"}}`, "labels"},
		{`{"createdAt":"2031-05-01 12:01"}`, "createdAt"},
		{`{"createdAt":"2031-05-01T12:00:08+0200"}`, "createdAt"},
		{`{"createdAt":"long ago"}`, "createdAt"},
		{`{"createdAt":["2031-05-01 12:00"]}`, "createdAt"},
		{`{"levelId":"` + other + `","posId":"` + level + `","sellerId":"` + till + `"}`, "levelId posId sellerId"},
		{`{"levelId":"gold","posId":{"id":"` + till + `"},"sellerId":[0]}`, "levelId posId sellerId"},
	} {
		for _, mayLabel := range []bool{false, true} {
			body, err := form.Decode("application/json", strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			s := &store.Store{Zone: warsaw, Settings: store.DefaultSettings()}
			s.Settings.CustomersMaySetLabels = mayLabel
			r := &reader{Group: form.Read(body), node: body, forChange: true, protected: protected(s), sent: map[string]bool{}}
			r.refuseProtected(s, who)
			var refused []string
			for _, name := range []string{"createdAt", "labels", "levelId", "posId", "sellerId"} {
				if r.Failed(name) {
					refused = append(refused, name)
				}
			}
			want := c.refused
			if mayLabel && want == "labels" {
				want = ""
			}
			if got := strings.Join(refused, " "); got != want {
				t.Errorf("%s, labels allowed %t: refused %q, want %q", c.body, mayLabel, got, want)
			}
		}
	}
}

// TestLabelsAreReadAsTextOrList reads labels for callers who may set them.
func TestLabelsAreReadAsTextOrList(t *testing.T) {
	for body, want := range map[string]string{
		`{"labels":"a:1;b:2"}`: "[{a 1} {b 2}]",
		`{"labels":[{"key":"a","value":"1"},{"key":" b ","value":null}]}`: "[{a 1} {b }]",
		`{"labels":[]}`:                 "[]",
		`{"labels":[{"value":"1"}]}`:    "refused",
		`{"labels":{"key":"a"}}`:        "refused",
		`{"labels":["a:1"]}`:            "refused",
		`{"labels":"` + tooLong + `:"}`: "refused",
	} {
		node, err := form.Decode("application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r := &reader{Group: form.Read(node), node: node, sent: map[string]bool{}}
		got := fmt.Sprint(r.readLabels())
		if r.Failed("labels") {
			got = "refused"
		}
		if got != want {
			t.Errorf("%.100s: %s, want %s", body, got, want)
		}
	}
}

var tooLong = strings.Repeat("x", labelsLimit+1)
