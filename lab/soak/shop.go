package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"punchcard/lab/rest"
	forms "punchcard/lab/shop"
)

const (
	adminPassword    = "soak"
	customerPassword = "Correct-Horse-7"
	storePath        = forms.Path
)

// shop is shared by all rounds on a database.
type shop struct {
	http       *http.Client
	server     *server
	adminToken string
	level      string

	lastEvent int64 // id, before the round
	calls     int   // of must
}

// openShop logs in and creates what every round needs.
func openShop(ctx context.Context, s *server) (*shop, error) {
	shop := &shop{http: rest.New(256), server: s}
	var err error
	if shop.adminToken, err = shop.logIn(ctx, "/api/admin/login_check", "admin", adminPassword); err != nil {
		return nil, err
	}
	level := &call{path: storePath + "level/create", ids: idIn("levelId"), form: forms.Level()}
	if err := shop.must(ctx, level); err != nil {
		return nil, err
	}
	shop.level = level.named[0]
	rule := &call{path: storePath + "earningRule", ids: idIn("earningRuleId"), form: url.Values{
		"earningRule[type]": {"points"}, "earningRule[name]": {"A point for a euro"}, "earningRule[active]": {"1"},
		"earningRule[description]": {"Of every sale"}, "earningRule[allTimeActive]": {"1"},
		"earningRule[target]": {"level"}, "earningRule[levels][]": {shop.level}, "earningRule[pointValue]": {"1"},
	}}
	if err := shop.must(ctx, rule); err != nil {
		return nil, err
	}
	till := &call{path: storePath + "pos", ids: idIn("posId"), form: url.Values{
		"pos[name]": {"Till"}, "pos[identifier]": {"TILL"}, "pos[location][street]": {"Havnegata"},
		"pos[location][address1]": {"4"}, "pos[location][postal]": {"0150"}, "pos[location][city]": {"Oslo"},
		"pos[location][province]": {"Oslo"}, "pos[location][country]": {"NO"},
	}}
	if err := shop.must(ctx, till); err != nil {
		return nil, err
	}
	again := *till
	err = again.send(ctx, shop.http, s.base()) // the identifier is taken, so only the stored response succeeds
	if err == nil && !again.replayed {
		err = errors.New("the server forgets an Idempotency-Key")
	}
	return shop, err
}

// logIn returns an access token.
func (s *shop) logIn(ctx context.Context, path, name, password string) (string, error) {
	return rest.LogIn(ctx, s.http, s.server.base()+path, name, password)
}

// must sends a call of the administrator, which must succeed.
func (s *shop) must(ctx context.Context, c *call) error {
	if c.method == "" {
		c.method = http.MethodPost
	}
	s.calls++
	c.key = fmt.Sprintf("shop-%d", s.calls)
	c.token, c.units = s.adminToken, 1
	err := c.send(ctx, s.http, s.server.base())
	if err == nil && c.outcome != acknowledged {
		err = fmt.Errorf("not done: %v", c)
	}
	return err
}

func (s *shop) get(ctx context.Context, path string, into any) error {
	return rest.Get(ctx, s.http, s.server.base()+path, s.adminToken, into)
}
