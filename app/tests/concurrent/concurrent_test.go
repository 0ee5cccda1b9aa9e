// Package concurrent_test calls the writes of a whole server concurrently. make test runs it with the race detector.
package concurrent_test

import (
	"bytes"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/api"
	"punchcard/core/api/openapi"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
	"punchcard/platform/testmode"
	"punchcard/platform/testwait"
)

const (
	callers = 6 // at the same time, each with a conversation of its own
	// copies is how often a caller sends a write at most, all at once.
	copies = 3
	// copied is the share of the writes that are sent more than one time: one of so many.
	copied = 4
)

func TestMain(m *testing.M) {
	password.Cheapen()
	servertest.Main(m)
}

// locksOut matches what may keep the administrator, or everybody, from logging in for the rest of a conversation.
var locksOut = regexp.MustCompile(`(?m)^(` +
	`POST /api/(admin/password/change|me/factors|me/identities|admin/identity-provider)|` +
	`POST /api/[A-Z]+/(seller/password|admin/identity-provider)|` +
	`PUT /api/.*factor-rule|PUT /api/admin/(password-login|data$|acl/role/1|identity-provider))`)

// Callers play the transcripts at the same time on one server, in random order, and send some writes several times at
// once. They get in each other's way, so many calls are refused. None fails in the server, and all rules of the stored
// data hold in the end. Conversations that lock out the others have a server of their own.
func TestWritesAtOnce(t *testing.T) {
	testmode.SkipQuick(t)
	files, err := filepath.Glob("../../../docs/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	open, locking := map[string]string{}, map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		number, _, _ := strings.Cut(filepath.Base(file), "-")
		if locksOut.Match(text) {
			locking[number] = string(text)
		} else {
			open[number] = string(text)
		}
	}
	long := testmode.Of(0, 10*time.Second, time.Minute)
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			c := &crowd{t: t, endpoints: app.EndpointTable(), called: map[string]bool{}, done: map[string]bool{}}
			c.meet(engine, open, long*3/4)
			c.meet(engine, locking, long/4)
			c.report()
		})
	}
}

// meet starts a server and plays transcripts for a time.
func (c *crowd) meet(engine string, texts map[string]string, long time.Duration) {
	config := servertest.PlainConfig(servertest.Database(c.t, engine))
	config.Log = "error"
	base, stop := servertest.RunUntil(c.t, config, servertest.Log(c.t))
	for c.end = time.Now().Add(long); time.Now().Before(c.end); {
		c.play(base, texts)
	}
	stop()
	// Clocks of sandboxes are ahead of that of the server.
	d := dbtest.Open(c.t, db.Config{URL: config.Database.Database, File: config.Data + "/punchcard.db"},
		servertest.FixedClock)
	if _, err := check.Run(c.t.Context(), d, app.Kinds{}.Rules(), check.Report{
		Begin:   func(string, int, int) {},
		Finding: func(f check.Finding) { c.t.Error(f) },
		More:    func(rule string, n int64) { c.t.Errorf("%s: %d more findings", rule, n) },
	}); err != nil {
		c.t.Error(err)
	}
}

// crowd plays transcripts until a time.
type crowd struct {
	t         *testing.T
	endpoints []api.Endpoint
	end       time.Time

	mutex  sync.Mutex
	called map[string]bool // writes by endpoint
	done   map[string]bool // those that succeeded
	calls  int
}

// play plays each transcript one time, the callers side by side.
func (c *crowd) play(base string, texts map[string]string) {
	numbers := slices.Sorted(maps.Keys(texts))
	rand.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	left := make(chan string, len(numbers))
	for _, number := range numbers {
		left <- number
	}
	close(left)
	shared := &sync.Map{}
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for number := range left {
				player := servertest.NewPlayer(c.t, base)
				player.Lenient, player.Shared, player.Send = true, shared, c.send
				player.Play(ownPeople(texts[number], number))
			}
		})
	}
	all.Wait()
}

// ownPeople gives a conversation addresses of its own, but for those of people who are there from the beginning.
func ownPeople(text, of string) string {
	text = strings.ReplaceAll(text, "@example.com", "@"+of+".example.com")
	for _, name := range []string{"user", "seller", "admin"} {
		text = strings.ReplaceAll(text, name+"@"+of+".example.com", name+"@example.com")
	}
	return text
}

// send sends a request, and some writes several times at once. After the end it sends nothing.
func (c *crowd) send(_ testing.TB, request *http.Request) servertest.Reply {
	if time.Now().After(c.end) || strings.HasSuffix(request.URL.Path, "/stream") { // which does not end
		return servertest.Reply{}
	}
	var body []byte
	if request.Body != nil {
		body, _ = io.ReadAll(request.Body) // of a string
	}
	write := request.Method != http.MethodGet && request.Method != http.MethodHead
	var others sync.WaitGroup
	if write && rand.IntN(copied) == 0 {
		for range rand.IntN(copies-1) + 1 {
			others.Go(func() { c.exchange(request, body) })
		}
	}
	reply := c.exchange(request, body)
	others.Wait()
	if endpoint := openapi.Match(c.endpoints, request.Method, request.URL.Path); write && endpoint != nil {
		name := endpoint.Method + " " + endpoint.Path
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.calls++
		c.called[name] = true
		c.done[name] = c.done[name] || reply.Status/100 == 2
	}
	return reply
}

// exchange sends a request with a body and returns the response. Only 503 tells that the server could not answer: it
// was busy.
func (c *crowd) exchange(request *http.Request, body []byte) (reply servertest.Reply) {
	again := request.Clone(c.t.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	client := http.Client{Timeout: testwait.Limit()}
	response, err := client.Do(again)
	if err != nil {
		c.t.Errorf("%s %s: %v", request.Method, request.URL.Path, err)
		return reply
	}
	defer response.Body.Close()
	if reply.Body, err = io.ReadAll(response.Body); err != nil {
		c.t.Errorf("%s %s: %v", request.Method, request.URL.Path, err)
	}
	reply.Status, reply.Header = response.StatusCode, response.Header
	if reply.Status >= 500 && reply.Status != http.StatusServiceUnavailable {
		sent, _ := url.QueryUnescape(string(body))
		c.t.Errorf("%s %s %s: %d %s", request.Method, request.URL, sent, reply.Status, reply.Body)
	}
	return reply
}

// report logs how many of the writes were called, and how many succeeded at least one time.
func (c *crowd) report() {
	writes, succeeded, missed := 0, 0, []string{}
	for _, e := range c.endpoints {
		name := e.Method + " " + e.Path
		if e.Method == http.MethodGet {
			continue
		}
		writes++
		if c.done[name] {
			succeeded++
		}
		if !c.called[name] {
			missed = append(missed, name)
		}
	}
	c.t.Logf("%d calls of %d of %d writes, %d of which succeeded; not called: %s", c.calls, len(c.called), writes,
		succeeded, strings.Join(missed, ", "))
}
