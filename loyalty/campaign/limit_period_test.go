package campaign

import (
	"testing"
	"time"
)

func TestLimitSpan(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) time.Time {
		t.Helper()
		moment, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	from := Window{From: at("2030-02-28 10:00"), To: at("2039-01-01 00:00")}
	for _, c := range []struct {
		period            string
		activity          Window
		now, since, again string
	}{
		{"day", from, "2031-05-15 23:59", "2031-05-15 00:00", "2031-05-16 00:00"},
		{"week", from, "2031-05-18 10:00", "2031-05-12 00:00", "2031-05-19 00:00"},
		{"month", from, "2031-12-31 10:00", "2031-12-01 00:00", "2032-01-01 00:00"},
		{"3months", from, "2031-05-15 10:00", "2031-04-01 00:00", "2031-07-01 00:00"},
		{"year", from, "2031-05-15 10:00", "2031-01-01 00:00", "2032-01-01 00:00"},
		{campaignYear, from, "2031-02-27 23:59", "2030-02-28 00:00", "2031-02-28 00:00"},
		{campaignYear, from, "2031-02-28 00:00", "2031-02-28 00:00", "2032-02-28 00:00"},
		{campaignYear, Window{AllTime: true}, "2031-07-01 12:00", "2030-08-09 00:00", "2031-08-09 00:00"},
	} {
		subject := &Campaign{LimitPeriod: c.period, Activity: c.activity, CreatedAt: at("2029-08-09 12:00")}
		since, again := subject.LimitSpan(at(c.now), zone)
		if !since.Equal(at(c.since)) || !again.Equal(at(c.again)) {
			t.Errorf("%s at %s: %v until %v", c.period, c.now, since, again)
		}
	}
	if since, again := new(Campaign).LimitSpan(at("2031-05-15 10:00"), zone); !since.IsZero() || !again.IsZero() {
		t.Errorf("without a period: %v until %v", since, again)
	}
}
