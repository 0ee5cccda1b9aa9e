package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/web"
)

// sent is a response as a client sees it.
type sent struct {
	status      int
	body        string
	contentType string
	replayed    bool
	location    string
	retryAfter  string
}

func (s sent) String() string {
	return fmt.Sprintf("%d %s (replayed: %t)", s.status, s.body, s.replayed)
}

// again is the response to a repeated request.
func (s sent) again() sent {
	s.replayed = true
	return s
}

// write sends a form to an address, under a key unless that is empty.
func (s *site) write(t rapid.TB, method, path, caller, key, body string) sent {
	t.Helper()
	request, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if caller != "" {
		request.Header.Set("Authorization", "Bearer "+caller)
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	replayed := response.Header.Get("Idempotent-Replayed")
	if replayed != "" && replayed != "true" {
		t.Errorf("Idempotent-Replayed: %s", replayed)
	}
	return sent{
		response.StatusCode, string(text), response.Header.Get("Content-Type"), replayed != "",
		response.Header.Get("Location"), response.Header.Get("Retry-After"),
	}
}

// effects is how often rename took place in the store.
func effects(t rapid.TB, d *db.DB, code string) (n int) {
	t.Helper()
	err := d.Read(context.Background(), func(tx *db.Tx) error {
		name, err := db.Value[string](tx, `SELECT name FROM stores WHERE code = $1`, code)
		n = strings.Count(name, "+")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func storedResponses(t rapid.TB, d *db.DB) (n int64) {
	t.Helper()
	err := d.Read(context.Background(), func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM idempotency_keys`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// rename is an effect that can be counted, of the store SHOP when the path names none.
func rename(c *api.Call) func(tx *db.Tx) error {
	code := "SHOP"
	if c.Store != nil {
		code = c.Store.Code
	}
	return func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE stores SET name = name || '+' WHERE code = $1`, code)
		return err
	}
}

// act has an effect, and fails as its fields say. Its response differs each time.
func act(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	if err := outcomes[body.Child("before").Text()]; err != nil {
		return err
	}
	name := ""
	return c.Write(func(tx *db.Tx) (err error) {
		if err := rename(c)(tx); err != nil {
			return err
		}
		if name, err = db.Value[string](tx, `SELECT name FROM stores WHERE code = 'SHOP'`); err != nil {
			return err
		}
		return outcomes[body.Child("within").Text()]
	}, func() error {
		if err := outcomes[body.Child("after").Text()]; err != nil {
			return err
		}
		c.ResponseHeader().Set("Location", "/made")
		return c.JSON(http.StatusCreated, []string{name, db.NewID(), body.Child("text").Text()})
	})
}

// outcomes are the errors of act by the words that request them.
var outcomes = map[string]error{
	"refused": fault.New(fault.Refused, "test", "No coupons left"), "missing": fault.ErrNotFound,
	"conflict": fault.New(fault.Conflict, "test", ""), "fields": fault.New(fault.Fields, "test", "Wrong"),
	"invalid": fault.ErrInvalid, "forbidden": fault.ErrForbidden, "limited": fault.New(fault.Limited, "test", ""),
	"busy": db.ErrBusy, "broken": errors.New("a defect"),
}

// final are the outcomes that are stored.
var final = []string{"", "refused", "missing", "conflict"}

func acting() []api.Endpoint {
	anybody := access.Only(access.Administrator, access.Customer, access.Seller)
	return []api.Endpoint{
		{Method: "POST", Path: "/act", Access: access.Public(), Factor: api.Everyday, Handle: act},
		{Method: "PUT", Path: "/act", Access: access.Public(), Factor: api.Everyday, Handle: act},
		{Method: "DELETE", Path: "/act", Access: access.Public(), Factor: api.Everyday, Handle: act},
		{Method: "GET", Path: "/act", Access: access.Public(), Handle: act},
		{Method: "POST", Path: "/log-in", Access: access.Public(), Factor: api.Everyday, Handle: act, Unkeyed: true},
		{Method: "POST", Path: "/{storeCode}/act", Access: anybody, Factor: api.Everyday, Handle: act},
		{Method: "POST", Path: "/{storeCode}/done", Access: anybody, Factor: api.Everyday, Handle: func(c *api.Call) error {
			return c.Write(rename(c), c.NoContent)
		}},
	}
}

func TestRepeatedRequests(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, acting()...)
		first := s.write(t, "POST", "/SHOP/act", "seller", "k1", "text=a")
		if first.status != 201 || first.replayed || first.location != "/made" {
			t.Fatalf("the first: %v", first)
		}
		for _, key := range []string{"k1", `"k1"`, ` k1 `, `"\k1"`} {
			want := first.again()
			if key == `"\k1"` {
				want = sent{}
			}
			if got := s.write(t, "POST", "/SHOP/act", "seller", key, "text=a"); want.status != 0 && got != want {
				t.Errorf("key %s: %v, want %v", key, got, want)
			} else if want.status == 0 && got.status != 400 {
				t.Errorf("key %s: %v", key, got)
			}
		}
		if n := effects(t, d, "SHOP"); n != 1 {
			t.Errorf("%d effects of one request", n)
		}
		const reused = `{"error":{"code":422,"message":"The Idempotency-Key was sent before with another request."}}`
		for _, other := range [][3]string{
			{"POST", "/SHOP/act", "text=b"}, {"POST", "/SHOP/act?x=1", "text=a"}, {"POST", "/SHOP/done", "text=a"},
			{"POST", "/SHOP/act", ""},
		} {
			if got := s.write(t, other[0], other[1], "seller", "k1", other[2]); got.status != 422 || got.body != reused {
				t.Errorf("%v: %v", other, got)
			}
		}
		for _, other := range [][3]string{{"/SHOP/act", "customer", "k1"}, {"/OTHER/act", "master", "k1"},
			{"/SHOP/act", "master", "k1"}, {"/SHOP/act", "seller", "K1"}, {"/SHOP/act", "seller", ""}} {
			got := s.write(t, "POST", other[0], other[1], other[2], "text=a")
			if got.status != 201 || got.replayed || got.body == first.body {
				t.Errorf("%v is another request: %v", other, got)
			}
		}
		done := s.write(t, "POST", "/SHOP/done", "seller", "k2", "")
		if again := s.write(t, "POST", "/SHOP/done", "seller", "k2", ""); done.status != 204 || again != done.again() {
			t.Errorf("without a body: %v, then %v", done, again)
		}
		if n := effects(t, d, "SHOP"); n != 6 {
			t.Errorf("%d effects in SHOP", n)
		}
	})
}

func TestMethodsAndEndpointsOfKeys(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, acting()...)
		for _, method := range []string{"POST", "PUT", "DELETE"} {
			first := s.write(t, method, "/act", "", "key of "+method, "")
			if first.status != 400 { // a space in a bare key
				t.Errorf("%s: %v", method, first)
			}
			first = s.write(t, method, "/act", "", method, "")
			if again := s.write(t, method, "/act", "", method, ""); first.status != 201 || again != first.again() {
				t.Errorf("%s: %v, then %v", method, first, again)
			}
		}
		for _, free := range [][2]string{{"GET", "/act"}, {"POST", "/log-in"}} {
			for range 2 {
				if got := s.write(t, free[0], free[1], "", "free", ""); got.status != 201 || got.replayed {
					t.Errorf("%v: %v", free, got)
				}
			}
		}
		if n := effects(t, d, "SHOP"); n != 3+4 {
			t.Errorf("%d effects", n)
		}
		if n := storedResponses(t, d); n != 3 {
			t.Errorf("%d responses are stored", n)
		}
	})
}

func TestBadKeys(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now)
	s := open(t, d, acting()...)
	for key, status := range map[string]int{
		strings.Repeat("k", 255): 201, strings.Repeat("k", 256): 400, `"` + strings.Repeat("q", 255) + `"`: 201,
		`""`: 400, `"open`: 400, `open"`: 400, `"a"b"`: 400, `"a";v=1`: 400, `a b`: 400, `"a b"`: 201, "\xc3\xa9": 400,
		`"\"\\"`: 201, `"\`: 400, `1,2`: 201,
	} {
		got := s.write(t, "POST", "/act", "", key, "")
		if got.status != status {
			t.Errorf("%q: %v, want %d", key, got, status)
		}
		if status == 400 && !strings.HasPrefix(got.body, `{"error":{"code":400,"message":"The header Idempotency-Key `) {
			t.Errorf("%q: %s", key, got.body)
		}
	}
	request, err := http.NewRequest(http.MethodPost, s.url+"/act", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range [][]string{{"a", "b"}, {"a", "a"}, {""}} {
		request.Header["Idempotency-Key"] = lines
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != 400 {
			t.Errorf("%q: %d", lines, response.StatusCode)
		}
	}
}

// Errors that depend on stored data are stored. Errors of the request or of the server are not.
func TestWhichErrorsAreStored(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, acting()...)
		for word := range outcomes {
			for _, place := range []string{"before", "within", "after"} {
				key, body := word+"-"+place, place+"="+word
				first := s.write(t, "POST", "/act", "", key, body)
				again := s.write(t, "POST", "/act", "", key, body)
				want := first
				if slices.Contains(final, word) {
					want = first.again()
				}
				if first.status < 400 || first.replayed || again != want {
					t.Errorf("%s: %v, then %v, want %v", body, first, again, want)
				}
				corrected := s.write(t, "POST", "/act", "", key, "")
				if slices.Contains(final, word) != (corrected.status == 422) {
					t.Errorf("%s, then another request: %v", body, corrected)
				}
			}
		}
		if n, want := effects(t, d, "SHOP"), 3*(len(outcomes)-len(final)+1); n != want {
			t.Errorf("%d effects, want %d: the refused have none", n, want)
		}
	})
}

// stage is an endpoint that tells when its effect is written and waits to be let go.
type stage struct {
	written chan struct{}
	proceed chan struct{}
}

func newStage() *stage { return &stage{make(chan struct{}), make(chan struct{})} }

func (s *stage) endpoint() api.Endpoint {
	return api.Endpoint{Method: "POST", Path: "/staged", Access: access.Public(), Factor: api.Everyday,
		Handle: func(c *api.Call) error {
			body, err := c.Body()
			if err != nil {
				return err
			}
			return c.Write(rename(c), func() error {
				s.written <- struct{}{}
				<-s.proceed
				if body.Child("panics").Text() != "" {
					panic("in the middle")
				}
				return c.OK([]string{db.NewID()})
			})
		}}
}

func TestInFlight(t *testing.T) {
	dbtest.Both(t)
	for _, where := range []string{"sqlite", "postgres", "another node"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			engine := strings.Replace(where, "another node", "postgres", 1)
			config, stage := dbtest.Config(t, engine), newStage()
			d := dbtest.Open(t, config, time.Now)
			one := open(t, d, stage.endpoint())
			two := *one
			if where == "another node" {
				two.serve(t, dbtest.Open(t, config, time.Now), web.Config{}, newStage().endpoint())
			}
			answered := make(chan sent)
			go func() { answered <- one.write(t, "POST", "/staged", "", "k", "") }()
			<-stage.written
			const inFlight = `{"error":{"code":409,"message":"A request with the Idempotency-Key is in progress."}}`
			got := two.write(t, "POST", "/staged", "", "k", "")
			if got.status != 409 || got.retryAfter != "1" || got.body != inFlight || got.replayed {
				t.Errorf("meanwhile: %v, Retry-After %q", got, got.retryAfter)
			}
			stage.proceed <- struct{}{}
			first := <-answered
			if again := two.write(t, "POST", "/staged", "", "k", ""); first.status != 200 || again != first.again() {
				t.Errorf("%v, then %v", first, again)
			}
			if n := effects(t, d, "SHOP"); n != 1 {
				t.Errorf("%d effects", n)
			}
		})
	}
}

// A handler that breaks after its write has no effect and leaves the key free.
func TestBrokenBetweenWriteAndAnswer(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		stage := newStage()
		s := open(t, d, stage.endpoint())
		for _, body := range []string{"panics=1", "panics=1", ""} {
			answered := make(chan sent)
			go func() { answered <- s.write(t, "POST", "/staged", "", "k", body) }()
			<-stage.written
			stage.proceed <- struct{}{}
			if got := <-answered; got.status != 500 && body != "" || got.status != 200 && body == "" {
				t.Errorf("%q: %v", body, got)
			}
		}
		if n := effects(t, d, "SHOP"); n != 1 {
			t.Errorf("%d effects", n)
		}
	})
}

func TestAHundredAtOnceWithOneKey(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, acting()...)
		var all sync.WaitGroup
		var mutex sync.Mutex
		got := map[sent]int{}
		for range 100 {
			all.Go(func() {
				one := s.write(t, "POST", "/SHOP/act", "seller", "one", "text=a")
				mutex.Lock()
				defer mutex.Unlock()
				one.replayed = false
				got[one]++
			})
		}
		all.Wait()
		made := 0
		for one := range got {
			if one.status == 201 {
				made++
			} else if one.status != 409 {
				t.Errorf("%v", one)
			}
		}
		if n := effects(t, d, "SHOP"); made != 1 || n != 1 {
			t.Errorf("%d effects, answers %v", n, got)
		}
	})
}

// Each step of a Stepwise call counts, and its key stores the response after the last. Another call with a key has no
// steps.
func TestStepsOfAKeyedCall(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		thrice := func(c *api.Call) error {
			for _, outcome := range []error{nil, fault.ErrInvalid, nil} {
				err := c.Step(func(tx *db.Tx) error { return errors.Join(rename(c)(tx), outcome) })
				if !errors.Is(err, outcome) {
					return err
				}
			}
			return c.Done()
		}
		s := open(t, d,
			api.Endpoint{Method: "POST", Path: "/whole", Access: access.Public(), Factor: api.Everyday, Handle: thrice},
			api.Endpoint{Method: "POST", Path: "/stepwise", Access: access.Public(), Factor: api.Everyday,
				Handle: thrice, Stepwise: true})
		if got := s.write(t, "POST", "/whole", "", "k", ""); got.status != 500 || effects(t, d, "SHOP") != 0 {
			t.Errorf("whole: %v, %d effects", got, effects(t, d, "SHOP"))
		}
		first := s.write(t, "POST", "/stepwise", "", "s", "")
		again := s.write(t, "POST", "/stepwise", "", "s", "")
		if first.status != 200 || again != first.again() || effects(t, d, "SHOP") != 2 {
			t.Errorf("stepwise: %v, then %v, %d effects", first, again, effects(t, d, "SHOP"))
		}
	})
}

// For any sequence of requests, a key has at most one effect, and its stored response never changes.
func TestKeysAgainstAModel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, acting()...)
		round := 0
		rapid.Check(t, func(t *rapid.T) {
			round++
			type scope struct{ where, caller, key string }
			type decided struct {
				body   string
				answer sent
			}
			known := map[scope]decided{}
			before := effects(t, d, "SHOP") + effects(t, d, "OTHER")
			made := 0
			for range rapid.IntRange(1, 12).Draw(t, "requests") {
				at := rapid.SampledFrom([]scope{
					{where: "SHOP", caller: "master"}, {where: "OTHER", caller: "master"}, {where: "SHOP", caller: "customer"},
				}).Draw(t, "scope")
				at.key = fmt.Sprintf("%s-%d", rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"), round)
				word := rapid.SampledFrom([]string{"", "refused", "missing", "fields", "broken"}).Draw(t, "outcome")
				body := "text=" + rapid.SampledFrom([]string{"x", "y"}).Draw(t, "text") + "&within=" + word
				got := s.write(t, "POST", "/"+at.where+"/act", at.caller, at.key, body)
				switch first, again := known[at]; {
				case again && first.body == body:
					if got != first.answer.again() {
						t.Fatalf("%v %s: %v, first %v", at, body, got, first.answer)
					}
				case again:
					if got.status != 422 {
						t.Fatalf("%v %s: %v", at, body, got)
					}
				default:
					if got.replayed || (got.status == 201) != (word == "") {
						t.Fatalf("%v %s: %v", at, body, got)
					}
					if slices.Contains(final, word) {
						known[at] = decided{body, got}
					}
					if word == "" {
						made++
					}
				}
			}
			if n := effects(t, d, "SHOP") + effects(t, d, "OTHER") - before; n != made {
				t.Fatalf("%d effects, want %d", n, made)
			}
		})
	})
}
