package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/lab/rest"
	"punchcard/lab/shop"
)

// load sends writes through several addresses of one installation until it is stopped. It repeats a request with its
// Idempotency-Key until a node acknowledges it, as a careful client does.
type load struct {
	client *http.Client
	bases  []string
	token  string
	next   func(writer, number int) write
	rest   time.Duration // of a client after each acknowledgement
	stop   context.CancelFunc
	ended  sync.WaitGroup
	lost   atomic.Bool // the machine: nobody repeats a request

	mutex        sync.Mutex
	acknowledged map[string]acknowledgement // by the key of the write
	busy         int                        // responses of 503, all with Retry-After
	refused      int                        // connections that were not made
	cut          map[string]int             // those that ended without a response, by reason
	longest      time.Duration              // between the first attempt and the acknowledgement of a request
	wrong        []error                    // other responses
}

// write is a request that stores something.
type write struct {
	path, key string // the key is the Idempotency-Key
	form      url.Values
}

// acknowledgement is a response with status 200.
type acknowledgement struct {
	at   time.Time
	body []byte
}

// writers is the number of clients.
const writers = 8

const store = shop.Path

// startLoad makes the level that customers need, and starts clients that register customers.
func startLoad(ctx context.Context, bases ...string) (*load, error) {
	token, err := logIn(ctx, bases[0])
	if err != nil {
		return nil, err
	}
	if _, err := makeLevel(ctx, bases[0], token); err != nil {
		return nil, err
	}
	l := &load{client: through, bases: bases, token: token, next: registration}
	l.start(ctx, writers)
	return l, nil
}

// start starts the clients.
func (l *load) start(ctx context.Context, writers int) {
	l.acknowledged, l.cut = map[string]acknowledgement{}, map[string]int{}
	ctx, l.stop = context.WithCancel(ctx)
	for writer := range writers {
		l.ended.Go(func() {
			for number := 0; ctx.Err() == nil; number++ {
				l.send(l.next(writer, number), writer+number)
				time.Sleep(l.rest)
			}
		})
	}
}

// registration adds a customer, whose e-mail address is the key.
func registration(writer, number int) write {
	email := fmt.Sprintf("customer-%d-%d@example.com", writer, number)
	return write{path: store + "admin/customer/register", key: email, form: shop.Registration(email)}
}

// send sends a request until it is acknowledged, each time to the next address.
func (l *load) send(w write, first int) {
	began := time.Now()
	for attempt := 0; time.Since(began) < patience && !l.lost.Load(); attempt++ {
		done, wait := l.attempt(l.bases[(first+attempt)%len(l.bases)], w)
		if done {
			l.mutex.Lock()
			l.longest = max(l.longest, time.Since(began))
			l.mutex.Unlock()
			return
		}
		time.Sleep(wait)
	}
	if !l.lost.Load() {
		l.fail(fmt.Errorf("%s: not acknowledged within %v", w.key, patience))
	}
}

// attempt sends a request once. Unless that settles it, the client waits before it tries again.
func (l *load) attempt(base string, w write) (done bool, wait time.Duration) {
	request, err := http.NewRequest(http.MethodPost, base+w.path, strings.NewReader(w.form.Encode()))
	if err != nil {
		l.fail(err)
		return true, 0
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", "Bearer "+l.token)
	request.Header.Set("Idempotency-Key", w.key)
	response, body, err := l.exchange(request)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if network, is := errors.AsType[*net.OpError](err); is && network.Op == "dial" {
		l.refused++
		return false, pause
	} else if err != nil {
		l.cut[err.Error()]++
		return false, pause
	}
	seconds, withoutPause := strconv.Atoi(response.Header.Get("Retry-After"))
	switch {
	case response.StatusCode == http.StatusOK:
		l.acknowledged[w.key] = acknowledgement{time.Now(), body}
		return true, 0
	case slices.Contains(busy, response.StatusCode) && withoutPause == nil:
		l.busy++
		return false, time.Duration(seconds) * time.Second
	case response.StatusCode == http.StatusConflict && withoutPause == nil: // the first attempt is still in progress
		return false, time.Duration(seconds) * time.Second
	}
	l.wrong = append(l.wrong, fmt.Errorf("%s: %s: %s", w.key, response.Status, body))
	return true, 0
}

// busy are the responses of a node that cannot say whether the write happened, and of a proxy without a node.
var busy = []int{http.StatusServiceUnavailable, http.StatusBadGateway, http.StatusGatewayTimeout}

// exchange sends a request and reads the whole response.
func (l *load) exchange(request *http.Request) (*http.Response, []byte, error) {
	response, err := l.client.Do(request)
	if err != nil {
		return nil, nil, errors.Unwrap(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, body, err
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
	return l.compare(ctx, base)
}

// compare compares what was acknowledged with what is stored.
func (l *load) compare(ctx context.Context, base string) error {
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
		var list struct {
			Customers []struct{ Email string }
		}
		address := fmt.Sprintf("%s%scustomer?perPage=500&page=%d", base, store, page)
		if err := rest.Get(ctx, through, address, token, &list); err != nil {
			return nil, err
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
