package mailing

import (
	"encoding/base64"
	"slices"

	"github.com/google/uuid"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/letter"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Source is a mailing or a journey, whose messages customers get.
type Source struct {
	ID       string
	Path     string // the word in the address of its links
	Channels []string
	Words    *Words
}

// Letter is a message of a source to a customer, whose row is locked.
type Letter struct {
	To       *customer.Customer
	Occasion string            // of a journey, which can reach a customer on several
	EntryID  string            // of a journey
	Values   map[string]string // of placeholders of the journey
}

// Reach returns how a source reaches each of some customers, by id: active ones in the inbox, and on the other channels
// with an agreement and an address that is not undeliverable. Nothing reaches customers who deleted their account.
func (src *Source) Reach(tx *db.Tx, s *store.Store, customers ...*customer.Customer) (map[string]message.Reach, error) {
	ids := make([]string, len(customers))
	for i, c := range customers {
		ids[i] = c.ID
	}
	leaving, err := erasure.Planned(tx, s.Key, db.Distinct(ids)...)
	if err != nil {
		return nil, err
	}
	var messages []message.Message
	for _, c := range customers {
		if c.IsActive() && !leaving[c.ID] {
			m := message.To(c, template.Mailing, nil)
			m.Channels = src.Channels
			messages = append(messages, m)
		}
	}
	all, err := message.Reaches(tx, s, messages...)
	found := make(map[string]message.Reach, len(all))
	for i, r := range all {
		if slices.Contains(src.Channels, template.Inbox) {
			r.Channels[template.Inbox] = true
		}
		found[messages[i].RecipientID] = r
	}
	return found, err
}

// Deliver queues letters of a source, at most one for each occasion of a customer.
func (svc *Service) Deliver(tx *db.Tx, s *store.Store, src *Source, letters ...Letter) error {
	if len(letters) == 0 {
		return nil
	}
	customers := make([]*customer.Customer, len(letters))
	for i := range letters {
		customers[i] = letters[i].To
	}
	w, err := svc.newWriter(tx, s, src.Words, customers...)
	if err != nil {
		return err
	}
	var rows []*recipient
	var messages []message.Message
	var inbox []notification.Mailing
	leads := targets{}
	for i := range letters {
		l := &letters[i]
		token := newToken(tx)
		rows = append(rows, &recipient{
			storeKey: s.Key, sourceID: src.ID, customerID: l.To.ID, occasion: l.Occasion, entryID: l.EntryID, token: token,
			from: tx.Now(),
		})
		link := svc.link(s, src, token)
		text := w.write(l.To, link, l.Values, func(target string) string {
			if base := svc.base(s, src, token); base != "" && target != "" {
				return base + "/" + leads.add(target)
			}
			return target
		})
		blocks, err := letter.Encode(text.parts)
		if err != nil {
			return err
		}
		if slices.Contains(src.Channels, template.Inbox) {
			inbox = append(inbox, notification.Mailing{
				CustomerID: l.To.ID, MailingID: src.ID, Subject: text.Subject, Short: text.Short, Link: link,
			})
		}
		to := message.To(l.To, template.Mailing, map[string]string{
			"mailing_subject": text.Subject, "mailing_text": text.Content, "mailing_short": text.Short,
			message.Blocks: blocks, message.Link: link,
		})
		to.Channels, to.MailingID = src.Channels, src.ID
		if l.EntryID != "" {
			to.MailingID = l.EntryID
		}
		messages = append(messages, to)
	}
	if err := recipientTable.Insert(tx, rows...); err != nil {
		return err
	}
	if err := leads.save(tx, s.Key, src.ID); err != nil {
		return err
	}
	if err := notification.DeliverMailing(tx, s, inbox...); err != nil {
		return err
	}
	return message.Queue(tx, s, messages...)
}

// newToken returns the text that names a recipient in a link. It is short, for SMS.
func newToken(tx *db.Tx) string {
	id := uuid.MustParse(tx.NewID())
	return base64.RawURLEncoding.EncodeToString(id[:])
}

// link returns the address for the placeholder link: one that counts the click, if the server knows its own address.
func (svc *Service) link(s *store.Store, src *Source, token string) string {
	base := svc.base(s, src, token)
	if src.Words.Link == "" || base == "" {
		return src.Words.Link
	}
	return base
}

// base returns the address of a recipient's links, empty if the server does not know its own.
func (svc *Service) base(s *store.Store, src *Source, token string) string {
	server := svc.messages.API(s)
	if server == "" {
		return ""
	}
	return server + "/api/" + s.Code + "/" + src.Path + "/" + token
}

// Got returns those of distinct customers who got a message of a source.
func Got(tx *db.Tx, storeKey int64, sourceID string, customerIDs []string) (map[string]bool, error) {
	rows := make([][]any, len(customerIDs))
	for i, id := range customerIDs {
		rows[i] = []any{sourceID, id}
	}
	had := map[string]bool{}
	return had, recipientTable.Each(tx, func(r recipient) { had[r.customerID] = true },
		`SELECT r.customer_id FROM ? AS v (store, source, customer) CROSS JOIN marketing_recipients r
		WHERE r.store_id = v.store AND r.source_id = v.source AND r.customer_id = v.customer`,
		tx.AmongRows(storeKey, []string{"TEXT", "TEXT"}, rows...))
}

// Capped returns those of distinct customers who got as many marketing messages lately as the store allows. Their rows
// must be locked.
func Capped(tx *db.Tx, s *store.Store, customerIDs []string) (map[string]bool, error) {
	return gotLately(tx, s, s.Settings.MarketingMessagesMost, "", customerIDs)
}

// GotLately returns those of distinct customers who got a message of a source within the days of the frequency cap.
// Their rows must be locked.
func GotLately(tx *db.Tx, s *store.Store, sourceID string, customerIDs []string) (map[string]bool, error) {
	return gotLately(tx, s, 1, sourceID, customerIDs)
}

func gotLately(tx *db.Tx, s *store.Store, most int, sourceID string, customerIDs []string) (map[string]bool, error) {
	found := map[string]bool{}
	if s.Settings.MarketingMessagesMost == 0 || len(customerIDs) == 0 {
		return found, nil
	}
	since := calendar.AddDate(tx.Now(), 0, 0, -s.Settings.MarketingMessagesDays, s.Zone)
	q := db.NewSQL(`SELECT r.customer_id FROM ? AS v (store, id) CROSS JOIN marketing_recipients r
		WHERE r.store_id = v.store AND r.customer_id = v.id AND r.sent_at > ?`,
		tx.Among(s.Key, customerIDs...), since.UnixMicro())
	if sourceID != "" {
		q.And(`r.source_id = ?`, sourceID)
	}
	q.Add(` GROUP BY r.customer_id HAVING COUNT(*) >= ?`, most)
	return found, recipientTable.Each(tx, func(r recipient) { found[r.customerID] = true }, "?", q)
}

// Follow finds the source of the link of a call, and records the click, unless nobody sees the response. first is true
// the first time.
func Follow(c *api.Call, tx *db.Tx) (sourceID string, first bool, err error) {
	token := c.PathValue("token")
	r, found, err := recipientTable.One(tx, `SELECT source_id, clicked_at FROM marketing_recipients
		WHERE store_id = ? AND token = ?`, c.Store.Key, token)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil || !r.clickedAt.IsZero() || c.IsLook() {
		return r.sourceID, false, err
	}
	n, err := tx.Exec(`UPDATE marketing_recipients SET clicked_at = ?
		WHERE store_id = ? AND token = ? AND clicked_at IS NULL`, tx.Now().UnixMicro(), c.Store.Key, token)
	return r.sourceID, n > 0, err
}

// Redirect leads a recipient to the target of a link, which is stored with its source, so that the address of the link
// leads nowhere else. A person whose link is not known any more is led to the app of the store. err is why there is no
// target.
func (svc *Service) Redirect(c *api.Call, target string, err error) error {
	if err == nil && target == "" {
		err = fault.ErrNotFound
	}
	if fault.KindOf(err) == fault.NotFound && c.WantsPage() {
		return c.Lead(svc.messages.Pages(c.Store) + "/me/" + c.Store.Code)
	}
	if err != nil {
		return err
	}
	return c.Lead(target)
}
