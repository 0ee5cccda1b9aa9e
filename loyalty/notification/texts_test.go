package notification_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/store"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/platform/db"
)

// text stores a text of the shop in English.
func (s *shop) text(event, channel, subject, content string, enabled bool) {
	s.Helper()
	s.write(func(tx *db.Tx) error {
		return template.Create(tx, s.store, template.Template{
			Key:  template.Key{Event: event, Channel: channel, Language: "en"},
			Text: template.Text{Subject: subject, Content: content}, Enabled: enabled,
		})
	})
}

// TestTextsOfTheStore shows that notifications are written by the templates of the store, and that a text which is
// switched off makes none.
func TestTextsOfTheStore(t *testing.T) {
	eachShop(t, func(s *shop) {
		id := s.customers(1)[0]
		s.text(template.CampaignAvailable, template.Inbox, "",
			"{{ first_name }}: {{ campaign_text }} ({{ campaign_name }})", true)
		s.text(template.PointsEnding, template.Inbox, "", "Off", false)
		s.campaign("Cake", nil)
		s.announces(1)
		s.grants(id, 5, 10)
		s.tells(1)
		var items []any
		s.read(func(tx *db.Tx) (err error) {
			items, _, err = notification.Export(tx, s.store, id, "")
			return err
		})
		if len(items) != 1 {
			t.Fatalf("%d notifications: %+v", len(items), items)
		}
		if got := notification.TextOf(items[0]); got != "0: Cake (Cake)" {
			t.Errorf("the text is %q", got)
		}
	})
}

// TestLevelChanged shows that a customer whose level changes by itself gets one message, with the level of now.
func TestLevelChanged(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.configure(func(settings *store.Settings) { settings.TierAssignType = store.TierPoints })
		s.text(template.LevelChanged, template.Email, "Level", "{{ level_name }}", true)
		ids := s.customers(2)
		s.announces(0)
		s.grants(ids[0], 2000, 100)
		s.write(func(tx *db.Tx) error {
			members, of, err := membership.LockOne(tx, s.store, ids[0])
			if err != nil {
				return err
			}
			members.PointsChanged(of)
			return members.Save()
		})
		s.move(ids[1], s.high) // by hand: no message
		s.announces(0)
		s.announces(0)
		var got []map[string]string
		s.read(func(tx *db.Tx) error {
			for _, id := range ids {
				all, err := message.Of(tx, s.store.Key, id, "", 10)
				if err != nil {
					return err
				}
				for _, d := range all {
					if d.Address != id && d.Event == template.LevelChanged {
						got = append(got, d.Values)
					}
				}
			}
			return nil
		})
		want := []map[string]string{{
			"first_name": "0", "last_name": "Berg", "level_name": "High", "previous_level_name": "Low",
		}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("messages (-want +got):\n%s", diff)
		}
	})
}
