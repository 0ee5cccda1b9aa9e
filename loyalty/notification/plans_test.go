package notification_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// reads matches plans that read all rows of a large table or, on SQLite, all of one store.
var reads = regexp.MustCompile(`Seq Scan on (customers|accounts|notifications|inboxes|announced|messages)\b|^SCAN ` +
	full + `\b|^SEARCH ` + full + `\b.*\(store_id=\?\)$`)

const full = `(c|a|i|n|customers|accounts|notifications|inboxes|announced|purchases|customer_arrivals|` +
	`notification_pushes|messages|m)`

// walks matches statements that read a store in key order and stop after some rows, that which empties a table of the
// release before, and that of the fixture.
var walks = regexp.MustCompile(`(?s)FROM customer_arrivals WHERE store_id = \$1 ORDER BY arrival_id LIMIT|` +
	`DELETE FROM notification_pushes|UPDATE customer_arrivals SET quiet`)

// Every statement of the jobs finds its rows by an index.
func TestPlans(t *testing.T) { plans(t, false) }

// So does every statement that e-mails and SMS add to them.
func TestPlansOfMessages(t *testing.T) { plans(t, true) }

func plans(t *testing.T, byMail bool) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		var mutex sync.Mutex
		asked := map[string][]any{}
		recording := false
		s := &shop{T: t, config: dbtest.Config(t, engine), clock: &dbtest.Clock{}}
		s.config.Trace = func(query string, args []any) {
			mutex.Lock()
			defer mutex.Unlock()
			if recording && !strings.HasPrefix(query, "INSERT") {
				asked[query] = slices.Clone(args)
			}
		}
		s.at("2031-07-03T10:00:00Z")
		s.db = dbtest.Open(t, s.config, s.clock.Now)
		s.desk = purchase.NewDesk(s.db, campaign.RewardTypes)
		s.open()
		s.configure(func(settings *store.Settings) {
			settings.TierAssignType, settings.LevelDowngradeMode = store.TierPoints, store.DowngradeAfterDays
			settings.LevelDowngradeDays = 20
		})
		s.gateway("http://127.0.0.1:1", true)
		ids := s.crowd(4_000)
		s.campaign("First", nil)
		s.announces(int64(len(ids)))
		if byMail {
			s.write(func(tx *db.Tx) error { return store.AddLanguage(tx, store.Language{Code: "pl", Name: "Polski"}) })
			s.postbox().switchOn(template.CampaignAvailable, template.PointsEnding, template.CouponEnding, template.LevelEnding)
		}
		dbtest.Analyze(t, s.db)
		recording = true
		late := s.customers(3)
		s.agree(late)
		id := s.campaign("Second", func(d *campaign.Draft) { d.Definition.Levels = []string{s.high} })
		for _, id := range late {
			s.grants(id, 5, 10)
			s.move(id, s.high)
		}
		s.announces(3)
		s.setActive(id, false)
		s.announces(0)
		s.tells(3)
		s.sends()
		s.read(func(tx *db.Tx) error {
			return tx.Run(message.Pushes.SelectFailed(message.PushReceiver(s.store.Key), time.Time{}, 100, new(int)))
		})
		s.write(func(tx *db.Tx) error { return notification.ReadAll(tx, s.store.Key, late[0]) })
		s.clock.Advance(time.Hour)
		_, err := notification.Clean(time.Minute)(context.Background(), s.db, s.store)
		_, failed := message.TakePushes(s.db)(context.Background())
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		recording = false
		if queued := s.number(`SELECT COUNT(*) FROM messages WHERE queue <> 'notifications'`); (queued > 0) != byMail {
			t.Errorf("%d messages are queued", queued)
		}
		if len(asked) < 30 {
			t.Errorf("only %d statements were seen", len(asked))
		}
		for query, args := range asked {
			for _, line := range s.plan(query, args) {
				if reads.MatchString(line) && !walks.MatchString(query) {
					t.Errorf("%s\n  %s", line, strings.Join(strings.Fields(query), " "))
				}
			}
		}
	})
}

// agree lets customers agree to marketing.
func (s *shop) agree(ids []string) {
	s.Helper()
	for _, id := range ids {
		s.write(func(tx *db.Tx) error {
			c, _, err := customer.Lock(tx, s.store, id)
			if err != nil {
				return err
			}
			return customer.Update(tx, s.store, c, customer.Change{
				Registration: customer.Registration{Agreements: [3]bool{true, true, false}},
				Sent:         map[string]bool{"agreement2": true},
			})
		})
	}
}

// plan returns the query plan of a statement.
func (s *shop) plan(query string, args []any) (lines []string) {
	s.Helper()
	s.read(func(tx *db.Tx) (err error) {
		lines, err = dbtest.Plan(tx, query, args)
		return err
	})
	return lines
}
