package customerapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/form"
	"punchcard/platform/testwait"
)

func label(key, value string) customer.Label { return customer.Label{Key: key, Value: value} }

func pair(key, value string) sentLabel { return sentLabel{label(key, value), false} }

func TestAddingAndRemovingLabels(t *testing.T) {
	before := customer.ParseLabels("a:1;b:1;a:2")
	for _, c := range []struct {
		name        string
		sent        []sentLabel
		with, wants []customer.Label
	}{
		{"nothing", nil, before, before},
		{"a pair that is there", []sentLabel{pair("a", "1")}, before, customer.ParseLabels("b:1;a:2")},
		{"a new value", []sentLabel{pair("a", "3")}, append(before[:3:3], label("a", "3")), before},
		{"another case", []sentLabel{pair("A", "1")}, append(before[:3:3], label("A", "1")), before},
		{"without a value", []sentLabel{{label("a", ""), true}}, append(before[:3:3], label("a", "")),
			customer.ParseLabels("b:1")},
		{"with an empty value", []sentLabel{pair("a", "")}, append(before[:3:3], label("a", "")), before},
		{"one pair twice", []sentLabel{pair("c", "1"), pair("c", "1")}, append(before[:3:3], label("c", "1")), before},
		{"all", []sentLabel{pair("a", "1"), pair("b", "1"), pair("a", "2")}, before, []customer.Label{}},
	} {
		if diff := cmp.Diff(c.with, withLabels(before, c.sent)); diff != "" {
			t.Errorf("%s, added: %s", c.name, diff)
		}
		if diff := cmp.Diff(c.wants, withoutLabels(before, c.sent)); diff != "" {
			t.Errorf("%s, removed: %s", c.name, diff)
		}
	}
	if diff := cmp.Diff(customer.ParseLabels("a:1;b:1;a:2"), before); diff != "" {
		t.Errorf("the labels of before were changed: %s", diff)
	}
}

// Removing added labels restores the former ones, and no pair appears twice.
func TestLabelsAreASet(t *testing.T) {
	words := rapid.SampledFrom([]string{"a", "b", "c"})
	some := rapid.SliceOf(rapid.Custom(func(t *rapid.T) sentLabel {
		return pair(words.Draw(t, "key"), words.Draw(t, "value"))
	}))
	rapid.Check(t, func(t *rapid.T) {
		var labels []customer.Label
		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "add") {
				labels = withLabels(labels, some.Draw(t, "sent"))
			} else {
				labels = withoutLabels(labels, some.Draw(t, "sent"))
			}
		}
		seen := map[customer.Label]bool{}
		for _, l := range labels {
			if seen[l] {
				t.Fatalf("%v is there twice", l)
			}
			seen[l] = true
		}
		sent := some.Draw(t, "sent")
		for _, l := range withoutLabels(withLabels(labels, sent), sent) {
			if !seen[l] {
				t.Fatalf("%v is left", l)
			}
		}
	})
}

// Many labels are handled in linear time: comparing all pairs would take minutes.
func TestManyLabelsAtOnce(t *testing.T) {
	dbtest.Both(t)
	sent := make([]sentLabel, 400_000)
	for i := range sent {
		sent[i] = pair("key", fmt.Sprintf("%07d", i))
	}
	left := make(chan int)
	go func() {
		labels := withLabels(nil, sent)
		left <- len(withoutLabels(labels, sent[:len(sent)-1]))
	}()
	select {
	case n := <-left:
		if n != 1 {
			t.Errorf("%d labels are left", n)
		}
	case <-time.After(testwait.Limit()):
		t.Fatal("adding and removing labels takes too long")
	}
}

func TestReadLabels(t *testing.T) {
	long := strings.Repeat("x", customer.TextLimit+1)
	for _, c := range []struct {
		body  string
		want  []sentLabel
		valid bool
	}{
		{`{"labels":[]}`, nil, true},
		{`{"labels":[{"key":"a","value":"b"},{"key":"c"}]}`, []sentLabel{pair("a", "b"), {label("c", ""), true}}, true},
		{`{"labels":[{"key":" a ","value":1}]}`, []sentLabel{pair("a", "1")}, true},
		{`{"labels":[{"key":"a","value":""}]}`, []sentLabel{pair("a", "")}, true},
		{`{}`, nil, false}, {`{"labels":"a:b"}`, nil, false}, {`{"labels":{"a":"b"}}`, nil, false},
		{`{"labels":null}`, nil, false},
		{`{"labels":["a"]}`, nil, false}, {`{"labels":[{}]}`, nil, false}, {`{"labels":[{"key":""}]}`, nil, false},
		{`{"labels":[{"key":["a"]}]}`, nil, false}, {`{"labels":[{"key":"a","value":{}}]}`, nil, false},
		{`{"labels":[{"key":"a"},{"value":"b"}]}`, nil, false},
		{`{"labels":[{"key":"` + long + `"}]}`, nil, false}, {`{"labels":[{"key":"a","value":"` + long + `"}]}`, nil, false},
	} {
		body, err := form.Decode("application/json", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		got, valid := readLabels(body.Child("labels"))
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(sentLabel{})); diff != "" || valid != c.valid {
			t.Errorf("%.60s: valid %v, %s", c.body, valid, diff)
		}
	}
}

func TestNobodyHasTooManyLabels(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		base := s.serve()
		var labels []customer.Label
		for i := range customer.LabelLimit + 1 {
			labels = append(labels, label("key", fmt.Sprint(i)))
		}
		full := s.Register(customer.Registration{Labels: labels[:customer.LabelLimit]}).ID
		over := s.Register(customer.Registration{Labels: labels}).ID
		for _, c := range []struct{ id, method, body, status string }{
			{full, "PUT", `{"labels":[{"key":"key","value":"0"}]}`, "204"},
			{full, "PUT", `{"labels":[{"key":"one","value":"more"}]}`, "400"},
			{over, "PUT", `{"labels":[{"key":"one","value":"more"}]}`, "400"},
			{over, "DELETE", `{"labels":[{"key":"key","value":"0"}]}`, "204"},
		} {
			status, body := s.ask(base, c.method, "/api/SHOP/customer/"+c.id+"/label", c.body)
			if status != c.status || status == "400" && !strings.Contains(body, errLabels.Message) {
				t.Errorf("%s %s: %s %s", c.method, c.body, status, body)
			}
		}
		const person = `{"customer":{"firstName":"Ida","lastName":"Berg","email":"ida@example.com","agreement1":1,"labels":"`
		most, more := strings.Repeat("a:1;", customer.LabelLimit), strings.Repeat("a:1;", customer.LabelLimit+1)
		for _, c := range []struct{ method, path, labels, status string }{
			{"POST", "admin/customer/register", more, "400"}, {"POST", "admin/customer/register", most, "200"},
			{"PUT", "customer/" + full, more, "400"}, {"PUT", "customer/" + full, most, "400"}, // the e-mail address is taken
		} {
			status, body := s.ask(base, c.method, "/api/SHOP/"+c.path, person+c.labels+`"}}`)
			if status != c.status || strings.Contains(body, errLabels.Message) != (c.labels == more) {
				t.Errorf("%s %s: %s %.300s", c.method, c.path, status, body)
			}
		}
	})
}
