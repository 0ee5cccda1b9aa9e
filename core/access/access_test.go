package access_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"punchcard/core/access"
	"punchcard/platform/fault"
)

func granted(resource string, accesses ...string) *access.Caller {
	return &access.Caller{Role: access.Administrator, Permissions: map[string][]string{resource: accesses}}
}

func TestRuleCheck(t *testing.T) {
	master := &access.Caller{Role: access.Administrator, Master: true}
	plain := &access.Caller{Role: access.Administrator}
	customer, seller := &access.Caller{Role: access.Customer}, &access.Caller{Role: access.Seller}
	viewer, editor := granted(access.Levels, access.View), granted(access.Levels, access.Modify)
	both := granted(access.Levels, access.View, access.Modify)
	elsewhere := granted(access.Segments, access.View, access.Modify)
	emptied := granted(access.Levels)
	// A customer's token cannot bring permissions, and would gain nothing by them.
	sly := &access.Caller{Role: access.Customer, Master: true, Permissions: viewer.Permissions}
	all := []struct {
		name   string
		caller *access.Caller
	}{
		{"nobody", nil}, {"master", master}, {"plain", plain}, {"viewer", viewer}, {"editor", editor}, {"both", both},
		{"elsewhere", elsewhere}, {"emptied", emptied}, {"customer", customer}, {"seller", seller}, {"sly", sly},
		{"no role", &access.Caller{}},
	}
	view := access.AdministratorWith(access.Levels, access.View)
	modify := access.AdministratorWith(access.Levels, access.Modify)
	for _, c := range []struct {
		rule access.Rule
		let  []string // in
	}{
		{access.Public(), []string{"nobody", "master", "plain", "viewer", "editor", "both", "elsewhere", "emptied",
			"customer", "seller", "sly", "no role"}},
		{view, []string{"master", "viewer", "editor", "both"}},
		{modify, []string{"master", "editor", "both"}},
		{view.And(access.Seller), []string{"master", "viewer", "editor", "both", "seller"}},
		{view.And(access.Seller, access.Customer),
			[]string{"master", "viewer", "editor", "both", "seller", "customer", "sly"}},
		{access.Only(access.Administrator),
			[]string{"master", "plain", "viewer", "editor", "both", "elsewhere", "emptied"}},
		{access.Only(access.Customer), []string{"customer", "sly"}},
		{access.Only(access.Customer, access.Seller), []string{"customer", "sly", "seller"}},
		{access.Rule{}, nil},
	} {
		for _, who := range all {
			var want error
			switch {
			case slices.Contains(c.let, who.name):
			case who.caller == nil:
				want = access.ErrUnauthenticated
			default:
				want = fault.ErrForbidden
			}
			if got := c.rule.Check(who.caller); !errors.Is(got, want) {
				t.Errorf("%q for %s: %v, want %v", c.rule, who.name, got, want)
			}
		}
	}
}

func TestModifyImpliesViewOnEveryResource(t *testing.T) {
	if n := len(slices.Compact(slices.Sorted(slices.Values(access.Resources)))); n != 20 {
		t.Errorf("%d different resources, want 20", n)
	}
	for _, held := range access.Resources {
		for _, asked := range access.Resources {
			for _, c := range []struct {
				held, asked string
				want        bool
			}{
				{access.View, access.View, true}, {access.Modify, access.View, true},
				{access.Modify, access.Modify, true}, {access.View, access.Modify, false},
			} {
				want := c.want && held == asked
				if got := granted(held, c.held).Allowed(asked, c.asked); got != want {
					t.Errorf("%s on %s allows %s on %s: %v", c.held, held, c.asked, asked, got)
				}
			}
		}
	}
}

func TestRuleString(t *testing.T) {
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	for _, c := range []struct {
		rule access.Rule
		want string
	}{
		{access.Public(), "anyone"},
		{access.Rule{}, ""},
		{access.Only(access.Administrator), "administrator"},
		{access.Only(access.Customer), "customer"},
		{access.Only(access.Seller, access.Customer), "seller, customer"},
		{view, "administrator (REWARD_CAMPAIGN VIEW)"},
		{view.And(access.Seller, access.Customer), "administrator (REWARD_CAMPAIGN VIEW), seller, customer"},
		{access.AdministratorWith(access.POS, access.Modify), "administrator (POS MODIFY)"},
	} {
		if got := fmt.Sprint(c.rule); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestAndLeavesTheFirstRuleAsItWas(t *testing.T) {
	first := access.AdministratorWith(access.Levels, access.View)
	one, other := first.And(access.Seller), first.And(access.Customer)
	seller, customer := &access.Caller{Role: access.Seller}, &access.Caller{Role: access.Customer}
	if first.Check(seller) == nil || one.Check(customer) == nil || other.Check(seller) == nil {
		t.Errorf("the rules %q, %q and %q share their roles", first, one, other)
	}
}

func TestRulesForKeys(t *testing.T) {
	key := func(stores ...int64) *access.Caller {
		c := granted(access.Levels, access.Modify)
		c.Key = &access.Key{Stores: stores}
		return c
	}
	modify := access.AdministratorWith(access.Levels, access.Modify)
	plain := access.Only(access.Administrator)
	for _, c := range []struct {
		rule    access.Rule
		caller  *access.Caller
		store   int64
		checked error // by Check
		inStore error // by CheckStore
	}{
		{modify, key(), 1, nil, nil},
		{modify, key(), 0, nil, nil},
		{modify, key(1, 2), 2, nil, nil},
		{modify, key(1, 2), 3, nil, fault.ErrForbidden},
		{modify, key(1, 2), 0, nil, fault.ErrForbidden},
		{modify.WithoutKeys(), key(), 1, fault.ErrForbidden, nil},
		{plain, key(), 1, fault.ErrForbidden, nil},
		{plain.WithKeys(), key(1), 1, nil, nil},
		{plain.WithKeys(), key(1), 0, nil, nil},
		{plain.WithKeys(), key(1), 2, nil, fault.ErrForbidden},
		{access.AdministratorWith(access.Levels, access.View).WithKeys(), key(), 1, nil, nil},
		{access.AdministratorWith(access.POS, access.View).WithKeys(), key(), 1, fault.ErrForbidden, nil},
		{access.Public(), key(1), 2, nil, nil},
	} {
		if err := c.rule.Check(c.caller); !errors.Is(err, c.checked) {
			t.Errorf("%q for a key: %v, want %v", c.rule, err, c.checked)
		}
		if err := c.rule.CheckStore(c.caller, c.store); !errors.Is(err, c.inStore) {
			t.Errorf("%q for a key of %v in store %d: %v, want %v", c.rule, c.caller.Key.Stores, c.store, err, c.inStore)
		}
	}
}
