package main

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

func TestTemplateFillsItsPlaces(t *testing.T) {
	body := parseTemplate(`{"number":"S-{n}","of":{i},"to":{j},"item":{item},"other":"{x}"}`)
	plan := &loadPlan{Customers: 5, Items: []string{`"a"`, `"b"`}}
	random := rand.New(rand.NewPCG(1, 1))
	drawn := map[int]bool{}
	for n := range 100 {
		var got struct {
			Number, Item, Other string
			Of, To              int
		}
		if err := json.Unmarshal(body.fill(nil, n, plan, random), &got); err != nil {
			t.Fatal(err)
		}
		if want := plan.Items[n%2]; `"`+got.Item+`"` != want || got.Other != "{x}" {
			t.Errorf("number %d is %+v, want the item %s", n, got, want)
		}
		if got.Of < 0 || got.Of >= 5 || got.To < 0 || got.To >= 5 || got.To == got.Of {
			t.Errorf("%+v: want two of five customers", got)
		}
		drawn[got.Of] = true
	}
	if len(drawn) != 5 {
		t.Errorf("%d of 5 customers were drawn", len(drawn))
	}
}
