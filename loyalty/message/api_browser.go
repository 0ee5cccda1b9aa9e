package message

import (
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/device"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/webpush"
)

// Errors of subscriptions.
var (
	errBrowsersOff = fault.New(fault.Refused, "push_to_browsers_off", "The store sends no push messages to browsers.")
	errEndpoint    = fault.New(fault.Fields, "https_required", "This address must begin with https.")
	errBrowserKey  = fault.New(fault.Fields, "not_a_subscription_key", "This value is not a key of a subscription.")
)

// browserEndpoints returns the endpoints by which browsers of customers subscribe to push messages.
func (c *Config) browserEndpoints() []api.Endpoint {
	const subscriptions = "/api/{storeCode}/customer/push-subscription"
	own := access.Only(access.Customer)
	named := func(event string) api.Audit { return api.Audited(event, "customer") }
	return []api.Endpoint{
		{Method: "GET", Path: subscriptions + "/key", Access: access.Public(), Do: api.Show(showBrowserKey),
			Summary: "Show the key with which browsers subscribe to push messages"},
		{Method: "GET", Path: subscriptions, Access: own, Do: api.Show(listBrowsers),
			Summary: "List the own browsers that get push messages"},
		{Method: "POST", Path: subscriptions, Access: own, Factor: api.Own,
			Do: api.Write(api.Body("subscription", c.readBrowser), addBrowser), Audit: named("SubscribeBrowser"),
			Summary: "Subscribe an own browser to push messages"},
		{Method: "DELETE", Path: subscriptions + "/{subscription}", Access: own, Factor: api.Own,
			Do: api.Act(removeBrowser), Audit: named("UnsubscribeBrowser"), Summary: "Stop push messages to an own browser"},
	}
}

// browserKeyView shows whether a store sends push messages to browsers.
type browserKeyView struct {
	Active    bool   `json:"active"`
	PublicKey string `json:"publicKey,omitempty"` // base64url; of the installation, the same for all stores
}

type browserList struct {
	Subscriptions []browserView `json:"subscriptions"` // at most device.SubscriptionLimit
}

type browserView struct {
	ID           string `json:"subscriptionId"`
	Endpoint     string `json:"endpoint"`
	SubscribedAt string `json:"subscribedAt"`
}

func browserViewOf(s *store.Store, p *device.Subscription) browserView {
	return browserView{p.ID, p.Endpoint, api.Timestamp(p.SubscribedAt, s.Zone)}
}

// errNoPushKey means that no store has switched push messages to browsers on yet.
var errNoPushKey = errors.New("there is no key for push messages to browsers")

// pushKey returns the key pair of the installation.
func pushKey(tx *db.Tx) (webpush.Key, error) {
	private, err := db.Value[string](tx, `SELECT private_key FROM web_push_keys WHERE key_id = 1`)
	if err != nil {
		return webpush.Key{}, err
	}
	if private == "" {
		return webpush.Key{}, errNoPushKey
	}
	return webpush.ParseKey(private)
}

// makePushKey makes the key pair of the installation, unless there is one. Of concurrent transactions one wins.
func makePushKey(tx *db.Tx) error {
	if _, err := pushKey(tx); !errors.Is(err, errNoPushKey) {
		return err
	}
	key, err := webpush.NewKey()
	if err != nil {
		return err
	}
	private, err := key.Private()
	if err != nil {
		return err
	}
	_, err = keyTable.InsertNew(tx, &storedKey{1, private, tx.ServerNow()})
	return err
}

// storedKey is the only row of web_push_keys.
type storedKey struct {
	id        int64
	private   string
	createdAt time.Time
}

var keyTable = db.NewTable("web_push_keys", "key_id", func(k *storedKey) db.Row {
	return db.Row{"key_id", &k.id, "private_key", &k.private, "created_at", db.Time(&k.createdAt)}
})

// sendsToBrowsers reports whether push messages of a store leave for browsers.
func sendsToBrowsers(tx *db.Tx, storeKey int64) (bool, error) {
	s, err := settingsOf(tx, storeKey)
	return s.Push.Browsers && !s.Push.Off, err
}

func showBrowserKey(r *api.Reading) (v browserKeyView, err error) {
	if v.Active, err = sendsToBrowsers(r.Tx, r.Store.Key); err != nil || !v.Active {
		return v, err
	}
	key, err := pushKey(r.Tx)
	if err != nil {
		return v, err
	}
	v.PublicKey, err = key.Public()
	return v, err
}

func listBrowsers(r *api.Reading) (browserList, error) {
	list := browserList{[]browserView{}}
	all, err := device.Subscriptions(r.Tx, r.Store.Key, r.Caller.ID)
	for i := range all {
		list.Subscriptions = append(list.Subscriptions, browserViewOf(r.Store, &all[i]))
	}
	return list, err
}

// readBrowser reads what a browser's PushSubscription has.
func (c *Config) readBrowser(g *form.Group) device.Subscription {
	p := device.Subscription{Endpoint: g.Text("endpoint",
		c.HTTP.URLRules(form.NotBlank, form.Matches(errEndpoint, hidesCredentials))...)}
	keys := g.Group("keys")
	p.P256dh, p.Auth = keys.Text("p256dh", form.NotBlank), keys.Text("auth", form.NotBlank)
	if _, err := webpush.ParseKeys(p.P256dh, p.Auth); err != nil && p.P256dh != "" && p.Auth != "" {
		keys.AddError("p256dh", errBrowserKey)
	}
	return p
}

func addBrowser(w *api.Writing, p device.Subscription) (browserView, error) {
	on, err := sendsToBrowsers(w.Tx, w.Store.Key)
	if err != nil {
		return browserView{}, err
	}
	if !on {
		return browserView{}, errBrowsersOff
	}
	who, _, err := customer.Lock(w.Tx, w.Store, w.Caller.ID)
	if err != nil {
		return browserView{}, err
	}
	if !who.AnonymizedAt.IsZero() {
		return browserView{}, customer.ErrAnonymized
	}
	err = device.AddSubscription(w.Tx, w.Store.Key, who.ID, &p)
	return browserViewOf(w.Store, &p), err
}

func removeBrowser(w *api.Writing) (done api.NoContent, err error) {
	p, found, err := device.FindSubscription(w.Tx, w.Store.Key, w.Caller.ID, w.PathID("subscription"))
	if err != nil || !found {
		return done, err
	}
	return done, device.RemoveSubscription(w.Tx, w.Store.Key, &p)
}
