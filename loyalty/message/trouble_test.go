package message_test

import (
	"testing"
	"time"

	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/mail"
)

// TestBlocked shows that a channel that does not work is listed while messages wait for it.
func TestBlocked(t *testing.T) {
	eachOffice(t, func(o *office) {
		expect := func(want int) {
			o.Helper()
			o.Read(func(tx *db.Tx) error {
				blocked, err := o.config.Blocked(tx, o.Store)
				if len(blocked) != min(want, 1) || want > 0 && blocked[0] != (message.Blocked{Channel: "email", Waiting: want}) {
					o.Errorf("blocked %v, want %d messages", blocked, want)
				}
				return err
			})
		}
		ida, server := o.ida(), o.config.Server
		o.config.Server = mail.Server{}
		expect(0)
		o.queue(to(ida, template.CustomerActivation))
		expect(1)
		o.config.Server = server
		expect(0)
	})
}

// TestFailedMessagesAreCounted shows that messages count as failed from the time at which they failed.
func TestFailedMessagesAreCounted(t *testing.T) {
	eachOffice(t, func(o *office) {
		expect := func(since time.Duration, limit, want int) {
			o.Helper()
			o.Read(func(tx *db.Tx) error {
				got, err := message.CountFailed(tx, o.Store.Key, o.clock.Now().Add(since), limit)
				if got != want {
					o.Errorf("%d failed since %v, want %d", got, since, want)
				}
				return err
			})
		}
		ida := o.ida()
		o.smtp.Refuse(ida.Email, 550, [3]int{5, 1, 1})
		o.queue(to(ida, template.CustomerActivation), to(ida, template.CustomerActivation))
		expect(-time.Hour, 10, 0)
		o.settle()
		expect(-time.Hour, 10, 2)
		expect(-time.Hour, 1, 1)
		expect(time.Hour, 10, 0)
	})
}
