package mailing

import (
	"context"
	"encoding/base64"
	"slices"
	"time"

	"github.com/google/uuid"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

const (
	// chunk is how many customers one transaction visits: few, so that other writes do not wait long.
	chunk = 50
	// WaitingLimit is how many marketing messages of a store may wait before a mailing queues more of its own, so that
	// pausing or stopping one has an effect at once.
	WaitingLimit = 500
)

// Service sends mailings.
type Service struct {
	messages *message.Config
	wakeups  store.Wakeups
}

// New returns a service.
func New(messages *message.Config) *Service {
	return &Service{messages: messages, wakeups: store.NewWakeups()}
}

// Run begins mailings as soon as they are sent, until ctx ends.
func (svc *Service) Run(ctx context.Context, d *db.DB) {
	svc.wakeups.Run(ctx, d, 1, "could not send mailings, the job will retry", svc.Send)
}

// Send is the job that begins mailings at their time, and queues the messages of those that run. It returns the number
// of customers that it visited.
func (svc *Service) Send(ctx context.Context, d *db.DB, s *store.Store) (visited int64, err error) {
	ctx = db.InBackground(ctx)
	var open []Mailing
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		open, err = db.All(tx, (*Mailing).row, `SELECT `+columns+` FROM mailings
			WHERE store_id = $1 AND state IN ('scheduled', 'running') ORDER BY mailing_id`, s.Key)
		return err
	})
	for i := 0; i < len(open) && err == nil; i++ {
		for more := true; more && err == nil && ctx.Err() == nil; {
			var n int64
			n, more, err = svc.step(ctx, d, s, open[i].ID)
			visited += n
		}
	}
	return visited, err
}

// step visits some customers of a mailing, and queues their messages with its progress in one transaction. more is
// false if there is nothing left to do now.
func (svc *Service) step(ctx context.Context, d *db.DB, s *store.Store, id string) (n int64, more bool, err error) {
	err = store.Write(ctx, d, s, func(tx *db.Tx) error {
		n, more = 0, false
		waiting, err := message.WaitingMarketing(tx, s.Key)
		if err != nil || waiting >= WaitingLimit {
			return err
		}
		m, err := lockMailing(tx, s.Key, id)
		if err != nil {
			return err
		}
		if m.State == Scheduled && !m.SendAt.After(tx.Now()) {
			m.begin(tx)
		}
		if m.State != Running {
			return nil
		}
		ids, err := m.next(tx)
		if err != nil {
			return err
		}
		n, more = int64(len(ids)), m.State == Running
		m.Visited += n
		if err := svc.queue(tx, s, m, ids); err != nil {
			return err
		}
		return save(tx, m)
	})
	return n, more, err
}

// next returns the customers to visit next, and moves on. After the last one the mailing is finished.
func (m *Mailing) next(tx *db.Tx) (ids []string, err error) {
	parts := m.Content.parts()
	part := parts[m.Part]
	switch m.Content.Audience {
	case toSegments:
		ids, err = segment.Members(tx, m.StoreKey, part, m.After, chunk)
	case toCustomers:
		all := db.Distinct(m.Content.Customers)
		from, found := slices.BinarySearch(all, m.After)
		if found {
			from++
		}
		ids = all[from:min(len(all), from+chunk)]
	default: // a level, or everybody
		ids, err = customer.ActiveAfter(tx, m.StoreKey, part, m.After, chunk)
	}
	if err != nil {
		return nil, err
	}
	if len(ids) > 0 {
		m.After = ids[len(ids)-1]
	}
	if len(ids) < chunk {
		m.Part, m.After = m.Part+1, ""
		if m.Part == int64(len(parts)) {
			m.State, m.FinishedAt = Finished, tx.Now()
		}
	}
	return ids, nil
}

// queue queues the messages to those of the customers who did not get any of the mailing.
func (svc *Service) queue(tx *db.Tx, s *store.Store, m *Mailing, ids []string) error {
	fresh, err := m.fresh(tx, ids)
	if err != nil || len(fresh) == 0 {
		return err
	}
	customers, err := customer.LockRows(tx, s.Key, fresh)
	if err != nil {
		return err
	}
	w, err := svc.writer(tx, s, m, customers)
	if err != nil {
		return err
	}
	var rows [][]any
	var messages []message.Message
	var inbox []notification.Mailing
	for _, c := range customers {
		inInbox := slices.Contains(m.Content.Channels, template.Inbox)
		if !c.IsActive() || !c.AgreedToMarketing() && !inInbox {
			continue
		}
		token := newToken(tx)
		rows = append(rows, []any{s.Key, m.ID, c.ID, token})
		link := svc.link(s, m, token)
		text := w.write(c, link)
		if inInbox {
			inbox = append(inbox, notification.Mailing{
				CustomerID: c.ID, MailingID: m.ID, Subject: text.Subject, Short: text.Short, Link: link,
			})
		}
		to := message.To(c, template.Mailing, map[string]string{
			"mailing_subject": text.Subject, "mailing_text": text.Content, "mailing_short": text.Short,
		})
		to.Channels, to.MailingID = m.Content.Channels, m.ID
		messages = append(messages, to)
	}
	m.Recipients += int64(len(rows))
	if err := tx.Insert("mailing_recipients", "store_id, mailing_id, customer_id, token", "", rows...); err != nil {
		return err
	}
	if err := notification.DeliverMailing(tx, s, inbox...); err != nil {
		return err
	}
	return message.Queue(tx, s, messages...)
}

// fresh returns those of distinct customers who did not get the mailing.
func (m *Mailing) fresh(tx *db.Tx, ids []string) ([]string, error) {
	had := map[string]bool{}
	err := db.Each(tx, func(id *string) []any { return []any{id} }, func(id string) { had[id] = true },
		`SELECT r.customer_id FROM ? CROSS JOIN mailing_recipients r
		WHERE r.store_id = v.store AND r.mailing_id = v.column1 AND r.customer_id = v.column2`,
		tx.AmongRows(m.StoreKey, []string{"TEXT", "TEXT"}, m.pairs(ids)...))
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return had[id] }), err
}

func (m *Mailing) pairs(ids []string) [][]any {
	rows := make([][]any, len(ids))
	for i, id := range ids {
		rows[i] = []any{m.ID, id}
	}
	return rows
}

// newToken returns the text that names a recipient in a link. It is short, for SMS.
func newToken(tx *db.Tx) string {
	id := uuid.MustParse(tx.NewID())
	return base64.RawURLEncoding.EncodeToString(id[:])
}

// link returns the address for the placeholder link: one that counts the click, if the server knows its own address.
func (svc *Service) link(s *store.Store, m *Mailing, token string) string {
	base := svc.messages.API(s)
	if m.Content.Link == "" || base == "" || token == "" {
		return m.Content.Link
	}
	return base + "/api/" + s.Code + "/mailing/" + token
}

// writer writes the texts of a mailing to customers.
type writer struct {
	store   *store.Store
	content *Content
	usual   string // language
	balance map[string]points.Account
	levels  []level.Level
}

func (svc *Service) writer(tx *db.Tx, s *store.Store, m *Mailing, customers []*customer.Customer) (*writer, error) {
	w := &writer{store: s, content: &m.Content}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return nil, err
	}
	w.usual = languages.Default()
	if w.levels, err = level.All(tx, s.Key); err != nil {
		return nil, err
	}
	ids := make([]string, len(customers))
	for i, c := range customers {
		ids[i] = c.ID
	}
	balance, query := points.SelectBalances(tx, s, ids...)
	w.balance = balance
	if len(ids) == 0 {
		return w, nil
	}
	return w, tx.Run(query)
}

// ownPlaceholders are those of mailings, besides the ones that all messages have.
var ownPlaceholders = []string{"points", "level_name", "link"}

// write returns the text to a customer. Names are left out of the subject if somebody else may have entered them.
func (w *writer) write(c *customer.Customer, link string) Text {
	of := w.content.textIn(c.Locale, w.usual)
	values := c.MessageValues()
	values["points"], values["link"] = decimal.Hundredths(w.balance[c.ID].Points).String(), link
	if l := level.Find(w.levels, c.LevelID); l != nil {
		values["level_name"] = l.Name(localeOf(c.Locale, w.usual))
	}
	inSubject := values
	if !c.EmailVerified {
		inSubject = template.WithoutNames(values)
	}
	return Text{
		Subject: template.Fill(w.store, of.Subject, inSubject), Content: template.Fill(w.store, of.Content, values),
		Short: template.Fill(w.store, of.Short, values),
	}
}

// settleAfter is when no message of a mailing can wait any more.
const settleAfter = message.Lifetime + time.Hour

// Settle is the job that stores the results of mailings whose messages do not change any more, before the messages are
// deleted.
func Settle(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var open []Mailing
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		open, err = db.All(tx, (*Mailing).row, `SELECT `+columns+` FROM mailings
			WHERE store_id = $1 AND state IN ('finished', 'stopped') AND NOT settled AND finished_at < $2
			ORDER BY mailing_id LIMIT 20`, s.Key, tx.Now().Add(-settleAfter).UnixMicro())
		return err
	})
	for i := 0; i < len(open) && err == nil && ctx.Err() == nil; i++ {
		err = store.Write(ctx, d, s, func(tx *db.Tx) error {
			m, err := lockMailing(tx, s.Key, open[i].ID)
			if err != nil || m.Settled {
				return err
			}
			if m.Results, err = message.CountMailing(tx, s.Key, m.ID); err != nil {
				return err
			}
			m.Settled = true
			return save(tx, m)
		})
		done++
	}
	return done, err
}
