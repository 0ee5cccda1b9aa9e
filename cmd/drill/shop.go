package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/app/apptest"
)

// buyers is how many requests for a purchase are under way at once.
const buyers = 16

// shop is a campaign of the demonstration program, and the purchases of its customer.
type shop struct {
	server          *apptest.Process
	token, campaign string
	over            atomic.Bool
	buying          sync.WaitGroup

	mutex        sync.Mutex
	acknowledged map[string]time.Time // by the id of the coupon
	err          error                // of a response, before the loss
}

func openShop(server *apptest.Process) (*shop, error) {
	s := &shop{server: server, acknowledged: map[string]time.Time{}}
	admin, err := logIn(server, "/api/admin/login_check", "admin", "open")
	if err != nil {
		return nil, err
	}
	var levels struct{ Levels []struct{ LevelID string } }
	if err := request(server, "GET", "/api/DEFAULT/level", admin, nil, &levels); err != nil {
		return nil, err
	}
	form := url.Values{}
	for name, value := range map[string]string{
		"reward": "discount_code", "translations][en][name": "Gift", "translations][pl][name": "Prezent", "active": "1",
		"costInPoints": "0", "pushNotificationText": "A gift", "target": "level", "coupons][": "GIFT", "singleCoupon": "1",
		"unlimited": "1", "daysInactive": "0", "daysValid": "0", "campaignVisibility][allTimeVisible": "1",
		"campaignActivity][allTimeActive": "1",
	} {
		form.Set("campaign["+name+"]", value)
	}
	for _, level := range levels.Levels {
		form.Add("campaign[levels][]", level.LevelID)
	}
	var made struct{ CampaignID string }
	if err := request(server, "POST", "/api/DEFAULT/campaign", admin, form, &made); err != nil {
		return nil, err
	}
	s.campaign = made.CampaignID
	s.token, err = logIn(server, "/api/customer/login_check", "user@example.com", "loyalty")
	return s, err
}

// awaitCopy waits until the copy has a snapshot and what followed it.
func (s *shop) awaitCopy(ctx context.Context) error {
	for ctx.Err() == nil {
		var ready struct{ Copy *struct{ LagBytes int64 } }
		if err := request(s.server, "GET", "/readyz", "", nil, &ready); err != nil {
			return err
		}
		if ready.Copy == nil {
			return errors.New("/readyz has nothing about the copy")
		}
		if ready.Copy.LagBytes == 0 {
			return nil
		}
		sleep(ctx, 50*time.Millisecond)
	}
	return ctx.Err()
}

// start lets buyers buy until stop.
func (s *shop) start() {
	for range buyers {
		s.buying.Go(func() {
			for !s.over.Load() {
				if err := s.buy(); err != nil {
					s.mutex.Lock()
					s.err = err
					s.mutex.Unlock()
					return // the server was killed
				}
			}
		})
	}
}

// stop ends the buying. Requests without a response may or may not have bought.
func (s *shop) stop() error {
	s.over.Store(true)
	s.buying.Wait()
	var refused *statusError
	if errors.As(s.err, &refused) && refused.status < 500 {
		return s.err
	}
	return nil
}

func (s *shop) buy() error {
	var sold struct{ Coupons []struct{ ID string } }
	path := "/api/DEFAULT/customer/campaign/" + s.campaign + "/buy"
	if err := request(s.server, "POST", path, s.token, nil, &sold); err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, c := range sold.Coupons {
		s.acknowledged[c.ID] = time.Now()
	}
	return nil
}

// bought returns the ids of the coupons that a restored server knows.
func (s *shop) bought(server *apptest.Process) (map[string]bool, error) {
	token, err := logIn(server, "/api/customer/login_check", "user@example.com", "loyalty")
	if err != nil {
		return nil, err
	}
	var list struct {
		Campaigns []struct{ Coupon struct{ ID string } }
	}
	if err := request(server, "GET", "/api/DEFAULT/customer/campaign/bought?perPage=-1", token, nil, &list); err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, c := range list.Campaigns {
		found[c.Coupon.ID] = true
	}
	return found, nil
}

func logIn(server *apptest.Process, path, name, password string) (string, error) {
	var response struct{ Token string }
	err := request(server, "POST", path, "", url.Values{"username": {name}, "password": {password}}, &response)
	return response.Token, err
}

// statusError is a response other than 200.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }

func request(server *apptest.Process, method, path, token string, form url.Values, into any) error {
	request, err := http.NewRequest(method, server.Base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return &statusError{response.StatusCode, fmt.Sprintf("%s %s: %s: %s", method, path, response.Status, body)}
	}
	return json.Unmarshal(body, into)
}

func sleep(ctx context.Context, wait time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
}

// stderrOf returns what a program printed before it failed.
func stderrOf(err error) string {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}
