package trade_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/loyalty/cashback/simulator"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/outbound"
	"punchcard/platform/testwait"
)

const cashbackMessages = "/api/DEFAULT/admin/campaign/cashback/messages"

// providerKey is the permanent key of the provider.
const providerKey = "permanent-key-of-the-provider"

// paying is a store with cashbacks, the nodes that serve it, and a provider that can be down.
type paying struct {
	t        *testing.T
	engine   string
	config   app.Database
	clock    *dbtest.Clock
	nodes    nodes
	stops    []func()
	customer string
	provider *simulator.Provider
	down     atomic.Bool

	mutex    sync.Mutex
	calls    map[string]int // by id of the message, refused ones included
	outcomes chan error     // outcomes of callbacks
}

func eachPaying(t *testing.T, run func(t *testing.T, p *paying)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		p := &paying{
			t: t, engine: engine, config: servertest.Database(t, engine), clock: dbtest.NewClock(servertest.StartOfTests),
			calls:    map[string]int{},
			outcomes: make(chan error, 100),
		}
		p.start()
		customers, _ := servertest.Stock(t, p.config, 1, 1)
		p.customer = customers[0]
		p.open()
		run(t, p)
		servertest.ExpectClean(t, p.config)
	})
}

// start runs the nodes: two on PostgreSQL, one on SQLite.
func (p *paying) start() {
	p.t.Helper()
	p.nodes, p.stops = nil, nil
	for i := range 2 {
		config := servertest.PlainConfig(p.config)
		config.Clock, config.AllowPrivateAddresses, config.MasterKey = p.clock.Now, true, providerKey
		if i > 0 {
			config.Data = p.t.TempDir()
		}
		base, stop := servertest.RunUntil(p.t, config, servertest.Log(p.t))
		p.nodes, p.stops = append(p.nodes, servertest.LogInAdmin(p.t, base)), append(p.stops, stop)
		if p.engine == "sqlite" {
			break
		}
	}
	if p.provider != nil {
		p.changeProvider(func(s *simulator.Provider) { s.Server = p.nodes[0].Base })
	}
}

func (p *paying) changeProvider(change func(s *simulator.Provider)) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	change(p.provider)
}

// open starts the provider, and adds a campaign that pays one euro for a point.
func (p *paying) open() {
	p.t.Helper()
	client := outbound.NewClient(outbound.Config{Reach: outbound.Loopback, Agent: "simulator", Clock: p.clock.Now})
	p.t.Cleanup(client.Close)
	p.provider = &simulator.Provider{
		Server: p.nodes[0].Base, Key: providerKey, Secret: outbound.NewSecret(),
		CallbackSecret: outbound.NewSecret(), Client: client, Clock: p.clock.Now, NewID: db.NewID,
		Report: func(_ simulator.Order, err error) { p.outcomes <- err },
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mutex.Lock()
		p.calls[r.Header.Get(outbound.HeaderID)]++
		provider := *p.provider
		p.mutex.Unlock()
		if p.down.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		provider.ServeHTTP(w, r)
	}))
	p.t.Cleanup(server.Close)
	settings := url.Values{
		"settings[cashbackProviderUrl]": {server.URL}, "settings[cashbackProviderSecret]": {p.provider.Secret},
		"settings[cashbackCallbackSecret]": {p.provider.CallbackSecret}, "settings[allTimeNotLocked]": {"1"},
	}
	if r := p.nodes[0].Form("/api/DEFAULT/settings", settings.Encode()); r.Status != 200 {
		p.t.Fatalf("settings: %d %s", r.Status, r.Body)
	}
	p.clock.Advance(2 * time.Second) // the other node sees them
	p.nodes.Campaign(0, 0, url.Values{"campaign[reward]": {"cashback"}, "campaign[pointValue]": {"1"},
		"campaign[cashbackProvider]": {"payprovider"}})
}

// redeem exchanges points on a node.
func (p *paying) redeem(node int, points string) {
	p.t.Helper()
	r := p.nodes[node%len(p.nodes)].Form("/api/DEFAULT/admin/campaign/cashback/redeem",
		"customerId="+p.customer+"&pointsAmount="+points)
	if r.Status != 200 {
		p.t.Fatalf("redeem: %d %s", r.Status, r.Body)
	}
}

// settled waits for callbacks that the server accepted.
func (p *paying) settled(n int) {
	p.t.Helper()
	for range n {
		if err := testwait.Receive(p.t, "the outcome of a call", p.outcomes); err != nil {
			p.t.Error(err)
		}
	}
}

type cashbackMessage struct {
	MessageID, State, NextAttemptAt string
	Attempts, LastStatus            int
}

func (p *paying) messages(filter string) []cashbackMessage {
	p.t.Helper()
	var list struct{ Messages []cashbackMessage }
	p.nodes.Read(cashbackMessages+"?perPage=-1"+filter, &list)
	return list.Messages
}

// sent returns how often each message arrived.
func (p *paying) sent() map[string]int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return maps.Clone(p.calls)
}

// Half of the payments fail. Each message is sent once, by one of the nodes, and each payment is settled once.
func TestProviderPays(t *testing.T) {
	eachPaying(t, func(t *testing.T, p *paying) {
		for i := range 4 {
			p.redeem(i, "5")
			p.redeem(i, "10.13")
		}
		p.settled(8)
		if left := cents(p.nodes, p.customer); left != 100_00-4*5_00 {
			t.Errorf("%d hundredths of points are left", left)
		}
		messages, sent := p.messages(""), p.sent()
		for _, m := range messages {
			if sent[m.MessageID] != 1 || m.State != "sent" && m.State != "settled" {
				t.Errorf("%d calls of %+v", sent[m.MessageID], m)
			}
		}
		if len(messages) != 8 || len(sent) != 8 {
			t.Errorf("%d messages, %d were sent", len(messages), len(sent))
		}
		for event, want := range map[string]int{
			"CampaignBoughtCashbackStatusWasChanged": 8, "PointsWereReturned": 4, "CampaignStatusWasChanged": 4,
		} {
			if got := p.nodes.CountEvents(event); got != want {
				t.Errorf("%d events %s, want %d", got, event, want)
			}
		}
	})
}

// cents returns the balance in hundredths of a point.
func cents(n nodes, customer string) int64 {
	n[0].T.Helper()
	var status struct{ Points float64 }
	n.Read("/api/DEFAULT/admin/customer/"+customer+"/status", &status)
	return int64(status.Points*100 + 0.5)
}

// A provider that is down gets its message at the time of the next attempt, after it is up again and the server was
// restarted.
func TestProviderIsDownDuringARestart(t *testing.T) {
	eachPaying(t, func(t *testing.T, p *paying) {
		p.down.Store(true)
		p.redeem(0, "40")
		p.await("waiting", http.StatusBadGateway)
		for _, stop := range p.stops {
			stop()
		}
		p.down.Store(false)
		p.start()
		messages := p.messages("&state=waiting")
		if len(messages) != 1 || messages[0].Attempts != 1 || p.nodes.Balance(p.customer) != 60 {
			t.Fatalf("%+v, %d points", messages, p.nodes.Balance(p.customer))
		}
		p.clock.Advance(time.Minute)
		p.settled(1)
		sent := p.sent()
		if got := p.messages("&state=waiting"); len(got) != 0 || sent[messages[0].MessageID] != 2 || len(sent) != 1 {
			t.Errorf("%+v wait, calls %v", got, sent)
		}
		if got := p.nodes.CountEvents("CampaignBoughtCashbackStatusWasChanged"); got != 1 {
			t.Errorf("%d events are about the payment", got)
		}
	})
}

// An administrator sends a message again that the provider refused.
func TestRefusedMessageIsSentAgain(t *testing.T) {
	eachPaying(t, func(t *testing.T, p *paying) {
		right := p.provider.Secret
		p.changeProvider(func(s *simulator.Provider) { s.Secret = outbound.NewSecret() })
		p.redeem(0, "40.13")
		failed := p.await("failed", http.StatusUnauthorized)
		if failed.NextAttemptAt != "" || cents(p.nodes, p.customer) != 59_87 {
			t.Errorf("%+v, %d left", failed, cents(p.nodes, p.customer))
		}
		p.changeProvider(func(s *simulator.Provider) { s.Secret = right })
		again := p.nodes[0].Form(cashbackMessages+"/"+failed.MessageID+"/retry", "")
		var m cashbackMessage
		if err := json.Unmarshal(again.Body, &m); err != nil || again.Status != 200 || m.State != "waiting" {
			t.Errorf("%d %s", again.Status, again.Body)
		}
		p.settled(1)
		if again := p.nodes[0].Form(cashbackMessages+"/"+failed.MessageID+"/retry", ""); again.Status != 400 ||
			string(again.Body) != `{"error":"Only a failed message can be sent again."}` {
			t.Errorf("%d %s", again.Status, again.Body)
		}
		if left := cents(p.nodes, p.customer); left != 100_00 {
			t.Errorf("%d left", left)
		}
	})
}

// await polls until the only message has the state, and the status of the provider's response.
func (p *paying) await(state string, status int) cashbackMessage {
	p.t.Helper()
	for began := time.Now(); time.Since(began) < time.Minute; {
		if found := p.messages("&state=" + state); len(found) == 1 && found[0].LastStatus == status {
			return found[0]
		}
	}
	p.t.Fatal("the message never became " + state + ": " + fmt.Sprint(p.messages("")))
	return cashbackMessage{}
}
