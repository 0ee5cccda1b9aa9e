package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// load registers customers through several addresses of one installation until it is stopped. It repeats a request with
// its Idempotency-Key until a node acknowledges it, as a careful client does.
type load struct {
	bases []string
	token string
	stop  context.CancelFunc
	ended sync.WaitGroup
	lost  atomic.Bool // the machine: nobody repeats a request

	mutex        sync.Mutex
	acknowledged map[string]time.Time // by the e-mail address of the customer
	busy         int                  // responses of 503, all with Retry-After
	refused      int                  // connections that were not made
	cut          map[string]int       // those that ended without a response, by reason
	longest      time.Duration        // between the first attempt and the acknowledgement of a request
	wrong        []error              // other responses
}

// writers is the number of clients.
const writers = 8

const store = "/api/DEFAULT"

// startLoad makes the level that customers need, and starts the clients.
func startLoad(ctx context.Context, bases ...string) (*load, error) {
	token, err := logIn(ctx, bases[0])
	if err != nil {
		return nil, err
	}
	status, body, err := call(ctx, http.MethodPost, bases[0]+store+"/level/create", token, url.Values{
		"level[translations][en][name]": {"Bronze"}, "level[active]": {"1"}, "level[conditionValue]": {"0"},
		"level[reward][name]": {"Bronze"}, "level[reward][value]": {"5"}, "level[reward][code]": {"BRONZE"},
	})
	if err != nil || status != http.StatusOK {
		return nil, errors.Join(err, fmt.Errorf("level: status %d: %s", status, body))
	}
	l := &load{bases: bases, token: token, acknowledged: map[string]time.Time{}, cut: map[string]int{}}
	ctx, l.stop = context.WithCancel(ctx)
	for writer := range writers {
		l.ended.Go(func() {
			for number := 0; ctx.Err() == nil; number++ {
				l.register(writer, number)
			}
		})
	}
	return l, nil
}

// register sends one request until it is acknowledged.
func (l *load) register(writer, number int) {
	email := fmt.Sprintf("customer-%d-%d@example.com", writer, number)
	form := url.Values{
		"customer[firstName]": {"Ida"}, "customer[lastName]": {"Berg"}, "customer[email]": {email},
		"customer[agreement1]": {"1"},
	}
	began := time.Now()
	for attempt := 0; time.Since(began) < patience && !l.lost.Load(); attempt++ {
		done, wait := l.attempt(l.bases[(writer+number+attempt)%len(l.bases)], email, form)
		if done {
			l.mutex.Lock()
			l.longest = max(l.longest, time.Since(began))
			l.mutex.Unlock()
			return
		}
		time.Sleep(wait)
	}
	if !l.lost.Load() {
		l.fail(fmt.Errorf("%s: not acknowledged within %v", email, patience))
	}
}

// attempt sends a request once. Unless that settles it, the client waits before it tries again.
func (l *load) attempt(base, email string, form url.Values) (done bool, wait time.Duration) {
	request, err := http.NewRequest(http.MethodPost, base+store+"/admin/customer/register",
		strings.NewReader(form.Encode()))
	if err != nil {
		l.fail(err)
		return true, 0
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+l.token)
	request.Header.Set("Idempotency-Key", email)
	response, err := client.Do(request)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if network, is := errors.AsType[*net.OpError](err); is && network.Op == "dial" {
		l.refused++
		return false, pause
	} else if err != nil {
		l.cut[errors.Unwrap(err).Error()]++
		return false, pause
	}
	defer response.Body.Close()
	seconds, withoutPause := strconv.Atoi(response.Header.Get("Retry-After"))
	switch {
	case response.StatusCode == http.StatusOK:
		l.acknowledged[email] = time.Now()
		return true, 0
	case response.StatusCode == http.StatusServiceUnavailable && withoutPause == nil:
		l.busy++
		return false, time.Duration(seconds) * time.Second
	case response.StatusCode == http.StatusConflict && withoutPause == nil: // the first attempt is still in progress
		return false, time.Duration(seconds) * time.Second
	}
	l.wrong = append(l.wrong, fmt.Errorf("%s: %s", email, response.Status))
	return true, 0
}

func (l *load) fail(err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.wrong = append(l.wrong, err)
}

// count returns the number of acknowledged requests.
func (l *load) count() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.acknowledged)
}

// more waits until some further requests are acknowledged.
func (l *load) more(ctx context.Context, requests int) error {
	want := l.count() + requests
	return await(ctx, func() error {
		if got := l.count(); got < want {
			return fmt.Errorf("%d requests are acknowledged, want %d", got, want)
		}
		return nil
	})
}

// finish stops the clients and compares what was acknowledged with what is stored.
func (l *load) finish(ctx context.Context, base string) error {
	l.stop()
	l.ended.Wait()
	if len(l.wrong) > 0 {
		return errors.Join(l.wrong...)
	}
	stored, err := storedCustomers(ctx, base, l.token)
	if err != nil {
		return err
	}
	for email := range l.acknowledged {
		if stored[email] != 1 {
			return fmt.Errorf("%s was acknowledged, and is stored %d times", email, stored[email])
		}
	}
	if len(stored) != len(l.acknowledged) {
		return fmt.Errorf("%d customers are stored, %d were acknowledged", len(stored), len(l.acknowledged))
	}
	return nil
}

// storedCustomers counts the customers of a server by e-mail address.
func storedCustomers(ctx context.Context, base, token string) (map[string]int, error) {
	stored := map[string]int{}
	for page := 1; ; page++ {
		status, body, err := call(ctx, http.MethodGet, fmt.Sprintf("%s%s/customer?perPage=500&page=%d", base, store, page),
			token, nil)
		if err != nil {
			return nil, err
		}
		var list struct {
			Customers []struct{ Email string }
		}
		if err := json.Unmarshal(body, &list); err != nil || status != http.StatusOK {
			return nil, fmt.Errorf("customers: status %d: %s", status, body)
		}
		for _, customer := range list.Customers {
			stored[customer.Email]++
		}
		if len(list.Customers) == 0 {
			return stored, nil
		}
	}
}

func (l *load) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return fmt.Sprintf("%d writes acknowledged, none lost; %d answers of 503, %d connections refused, cut: %v; "+
		"longest wait %.1f s", len(l.acknowledged), l.busy, l.refused, l.cut, l.longest.Seconds())
}
