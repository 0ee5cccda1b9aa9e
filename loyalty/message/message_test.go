package message_test

import (
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/message"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var now = time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)

func each(t *testing.T, run func(s *shoptest.Shop)) {
	t.Helper()
	dbtest.EachAt(t, func() time.Time { return now }, func(t *testing.T, d *db.DB) {
		run(shoptest.Open(t, d, "SHOP", nil))
	})
}

// TestQueue shows that a message becomes a delivery for each channel with an address that the store uses. Without a
// gateway, an SMS is queued only to somebody without an e-mail address.
func TestQueue(t *testing.T) {
	dbtest.Both(t)
	each(t, func(s *shoptest.Shop) {
		for _, c := range []struct {
			name       string
			to         message.Message
			deliveries int
		}{
			{"a customer", message.Message{
				Role: access.Customer, RecipientID: "c", Email: "ida@example.org", Phone: "+4790000000",
			}, 1},
			{"a customer without e-mail", message.Message{
				Role: access.Customer, RecipientID: "p", Phone: "+4790000000",
			}, 1},
			{"a seller", message.Message{Role: access.Seller, RecipientID: "s", Email: "till@example.org"}, 1},
			{"nobody", message.Message{Role: access.Seller, RecipientID: "n"}, 0},
		} {
			c.to.Event, c.to.Values = "oloy.customer.activation", map[string]string{"first_name": "Ida"}
			s.Write(func(tx *db.Tx) error { return message.Queue(tx, s.Store, c.to) })
			s.Read(func(tx *db.Tx) error {
				got, err := message.Of(tx, s.Store.Key, c.to.RecipientID, "", 10)
				if len(got) != c.deliveries {
					s.Errorf("%s: %d deliveries, want %d", c.name, len(got), c.deliveries)
				}
				for _, d := range got {
					if d.State != message.Waiting || !d.DueAt.Equal(now) || d.Values["first_name"] != "Ida" {
						s.Errorf("%s: %+v", c.name, d)
					}
				}
				return err
			})
		}
	})
}

// TestLinks shows that the addresses of a store come before that of the server, and that the pages of a store do not
// stand for the API.
func TestLinks(t *testing.T) {
	const server, shop, pages = "https://loyalty.example", "https://shop.example", "https://pages.example"
	const ascii = "https://xn--mller-kva.example/shop" // as it stands in headers
	for _, c := range []struct{ base, public, links, page, api string }{
		{"", "", "", "", ""},
		{server, "", "", server, server},
		{server, shop, "", shop, shop},
		{"", shop, "", shop, shop},
		{server, shop, pages, pages, shop},
		{server, "", pages, pages, server},
		{"", "", pages, pages, ""},
		{server, "https://müller.example/shop", "", ascii, ascii},
	} {
		of := &store.Store{Settings: store.Settings{PublicURL: c.public, MessageLinksURL: c.links}}
		links := message.Links{Base: c.base}
		if links.Pages(of) != c.page || links.API(of) != c.api {
			t.Errorf("%+v: pages %q, API %q", c, links.Pages(of), links.API(of))
		}
	}
}
