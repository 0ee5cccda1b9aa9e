package message

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/customer/device"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
	"punchcard/platform/webpush"
)

// The limits and settings of push messages to browsers.
const (
	BrowserPayload = 3000           // bytes of a message before its encryption; a longer text is cut
	BrowserTTL     = 24 * time.Hour // how long a push service keeps a message for a browser that is not reached

	// The urgencies, by which the device decides whether a message may wake it.
	browserUrgency          = "normal"
	browserUrgencyMarketing = "low"
)

// Link is the value of a message with the address that a browser opens; without it, a page of the customer's app is
// opened. It is no placeholder of texts.
const Link = "mailing_link"

// browserMessage is the content for the service worker of the customer's app. It replaces a shown message with its id.
type browserMessage struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
	Link  string `json:"link"` // a web address, or a path at the origin of the app

	marketing bool
}

// encode returns the JSON of a message. A text that is too long is cut, and then the title.
func (m browserMessage) encode() ([]byte, error) {
	raw, err := m.json()
	for _, part := range []*string{&m.Text, &m.Title} {
		if err != nil || len(raw) <= BrowserPayload {
			return raw, err
		}
		whole := *part
		most := sort.Search(min(len(whole), BrowserPayload), func(n int) bool {
			*part = cut(whole, n)
			raw, err = m.json()
			return err != nil || len(raw) > BrowserPayload
		}) - 1
		*part = cut(whole, most)
		raw, err = m.json()
	}
	if err == nil && len(raw) > BrowserPayload {
		err = fmt.Errorf("the link has %d bytes", len(m.Link))
	}
	return raw, err
}

func (m browserMessage) json() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(m)
	return b.Bytes(), err
}

// cut returns at most n bytes of a text and an ellipsis.
func cut(text string, n int) string {
	if n <= 0 {
		return ""
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// pages of the customer's app that messages open, by event. Others open the inbox if they are there, too, or the first
// page.
var pages = map[string]string{
	template.CouponEnding: "/coupons", template.PointsEnding: "/points", template.CampaignAvailable: "/",
}

// linkOf returns what a browser opens for a message.
func linkOf(of *store.Store, d *Delivery) string {
	page, found := pages[d.Event]
	switch e := template.Find(d.Event); {
	case d.Values[Link] != "":
		return d.Values[Link]
	case !found && e != nil && slices.Contains(e.Channels, template.Inbox):
		page = "/inbox"
	}
	return "/me/" + of.Code + strings.TrimSuffix(page, "/")
}

// browsersOf returns the ids of the subscribed browsers of customers who may get messages by push.
func browsersOf(tx *db.Tx, s *store.Store, settings *Settings, all []Message) (map[string][]string, error) {
	var ids []string
	for i := range all {
		m, e := &all[i], template.Find(all[i].Event)
		if settings.Push.Browsers && m.Role == access.Customer && m.RecipientID != "" && e != nil &&
			slices.Contains(e.Channels, template.Push) {
			ids = append(ids, m.RecipientID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := device.Subscriptions(tx, s.Key, db.Distinct(ids)...)
	byCustomer := map[string][]string{}
	for _, p := range found {
		byCustomer[p.CustomerID] = append(byCustomer[p.CustomerID], p.ID)
	}
	return byCustomer, err
}

// PushesToBrowsers reports whether a store queues push messages for browsers.
func PushesToBrowsers(tx *db.Tx, storeKey int64) (bool, error) {
	s, err := settingsOf(tx, storeKey)
	return s.Push.Browsers, err
}

// pushToBrowser sends a message to the browser of a delivery, unless it is not subscribed any more.
func (s *sender) pushToBrowser(ctx context.Context, of *store.Store, d *Delivery, ready *composed) (
	o outbound.Outcome, err error) {
	var to device.Subscription
	var key webpush.Key
	found := false
	err = store.Read(ctx, s.db, of, func(tx *db.Tx) (err error) {
		if to, found, err = device.FindSubscription(tx, of.Key, d.RecipientID, d.Address); err == nil && found {
			key, err = pushKey(tx)
		}
		return err
	})
	if err != nil {
		return o, err
	}
	if !found {
		d.dropped = true
		return outbound.Outcome{Problem: "the browser is not subscribed any more", Hopeless: true}, nil
	}
	_, marketing := d.channel()
	return s.callBrowser(ctx, s.db, of, key, &to, browserMessage{
		ID: d.ID, Title: ready.text.Subject, Text: ready.text.Content, Link: linkOf(of, d), marketing: marketing,
	})
}

// callBrowser hands a message to the push service of a browser. A browser that the service does not know any more is
// removed. Each attempt has the same Topic, so that it replaces one that the browser has not got yet.
func (c *Config) callBrowser(ctx context.Context, d *db.DB, of *store.Store, key webpush.Key,
	to *device.Subscription, m browserMessage) (o outbound.Outcome, err error) {
	keys, err := webpush.ParseKeys(to.P256dh, to.Auth)
	if err != nil {
		return o, err
	}
	payload, err := m.encode()
	if err != nil {
		return outbound.Outcome{Problem: err.Error(), Hopeless: true}, nil
	}
	body, err := webpush.Encrypt(keys, payload)
	if err != nil {
		return o, err
	}
	authorization, err := key.Authorization(to.Endpoint, c.contact(), d.Now())
	if err != nil {
		return o, err
	}
	urgency := browserUrgency
	if m.marketing {
		urgency = browserUrgencyMarketing
	}
	o = c.HTTP.Try(ctx, outbound.Call{URL: to.Endpoint, Body: body, Header: map[string][]string{
		"Content-Type": {"application/octet-stream"}, "Content-Encoding": {"aes128gcm"},
		"Authorization": {authorization}, "Urgency": {urgency}, "Topic": {strings.ReplaceAll(m.ID, "-", "")},
		"Ttl": {strconv.Itoa(int(BrowserTTL / time.Second))},
	}}, "push service")
	o.Gone = false // the customer may have other browsers
	switch o.Status {
	case 404, 410:
		o.Hopeless = true
		err = store.Write(ctx, d, of, func(tx *db.Tx) error { return device.RemoveSubscription(tx, of.Key, to) })
	case 400, 403, 413:
		o.Hopeless = true
	}
	return o, err
}

// contact returns the address at which push services reach the operator, empty if it is not known.
func (c *Config) contact() string {
	if c.From != "" {
		return "mailto:" + c.From
	}
	if strings.HasPrefix(c.Base, "https://") {
		return c.Base
	}
	return ""
}

// pushToAll sends a message to all browsers of a customer at once, and returns the first failure.
func (c *Config) pushToAll(ctx context.Context, d *db.DB, of *store.Store, customerID string, m browserMessage) (
	o outbound.Outcome, err error) {
	var all []device.Subscription
	var key webpush.Key
	err = store.Read(ctx, d, of, func(tx *db.Tx) (err error) {
		if all, err = device.Subscriptions(tx, of.Key, customerID); err == nil && len(all) > 0 {
			key, err = pushKey(tx)
		}
		return err
	})
	if err != nil || len(all) == 0 {
		return outbound.Outcome{Problem: "the customer has no subscribed browser"}, err
	}
	m.Link = "/me/" + of.Code
	for i := range all {
		one, err := c.callBrowser(ctx, d, of, key, &all[i], m)
		if err != nil {
			return one, err
		}
		if i == 0 || o.OK() {
			o = one
		}
	}
	return o, nil
}
