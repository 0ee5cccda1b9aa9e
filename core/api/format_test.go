package api_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/api"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestTimestamps(t *testing.T) {
	for _, c := range []struct{ zone, moment, timestamp, event string }{
		{"UTC", "2031-01-05T10:59:00Z", "2031-01-05T10:59:00+0000", "2031-01-05T10:59:00+00:00"},
		{"Europe/Warsaw", "2031-01-05T10:59:00Z", "2031-01-05T11:59:00+0100", "2031-01-05T11:59:00+01:00"},
		{"Europe/Warsaw", "2031-07-05T10:59:00Z", "2031-07-05T12:59:00+0200", "2031-07-05T12:59:00+02:00"},
		// The clock goes forward: an hour is skipped.
		{"Europe/Warsaw", "2031-03-30T00:59:59Z", "2031-03-30T01:59:59+0100", "2031-03-30T01:59:59+01:00"},
		{"Europe/Warsaw", "2031-03-30T01:00:00Z", "2031-03-30T03:00:00+0200", "2031-03-30T03:00:00+02:00"},
		// The clock goes back: an hour comes twice, and only the offset tells which.
		{"Europe/Warsaw", "2031-10-26T00:30:00Z", "2031-10-26T02:30:00+0200", "2031-10-26T02:30:00+02:00"},
		{"Europe/Warsaw", "2031-10-26T01:30:00Z", "2031-10-26T02:30:00+0100", "2031-10-26T02:30:00+01:00"},
		{"America/St_Johns", "2031-01-05T03:00:00Z", "2031-01-04T23:30:00-0330", "2031-01-04T23:30:00-03:30"},
		{"Asia/Kolkata", "2031-12-31T23:00:00.999Z", "2032-01-01T04:30:00+0530", "2032-01-01T04:30:00+05:30"},
	} {
		moment, err := time.Parse(time.RFC3339Nano, c.moment)
		if err != nil {
			t.Fatal(err)
		}
		in := zone(t, c.zone)
		if got := api.Timestamp(moment, in); got != c.timestamp {
			t.Errorf("Timestamp(%s, %s) = %s, want %s", c.moment, c.zone, got, c.timestamp)
		}
		if got := api.OptionalTimestamp(moment, in); got == nil || *got != c.timestamp {
			t.Errorf("OptionalTimestamp(%s, %s) = %v, want %s", c.moment, c.zone, got, c.timestamp)
		}
		if got := api.EventTimestamp(moment, in); got != c.event {
			t.Errorf("EventTimestamp(%s, %s) = %s, want %s", c.moment, c.zone, got, c.event)
		}
	}
	if got := api.OptionalTimestamp(time.Time{}, time.UTC); got != nil {
		t.Errorf("a moment that is not set is %s", *got)
	}
}

func TestTimestampKeepsTheMoment(t *testing.T) {
	zones := []*time.Location{time.UTC, zone(t, "Europe/Warsaw"), zone(t, "Australia/Lord_Howe")}
	rapid.Check(t, func(t *rapid.T) {
		moment := time.Unix(rapid.Int64Range(0, 4_000_000_000).Draw(t, "second"), 0)
		in := rapid.SampledFrom(zones).Draw(t, "zone")
		read, err := time.Parse("2006-01-02T15:04:05-0700", api.Timestamp(moment, in))
		if err != nil || !read.Equal(moment) {
			t.Fatalf("%s in %s reads back as %s, %v", moment.UTC(), in, read, err)
		}
	})
}

func TestLocaleFallsBackForEachFieldByItself(t *testing.T) {
	names := map[string]string{"en": "Ten off", "pl": "Dziesięć", "en_US": "Ten bucks off"}
	texts := map[string]string{"en": "Once a day", "de": "Einmal am Tag"}
	for _, c := range []struct{ wanted, name, text string }{
		{"en", "Ten off", "Once a day"},
		{"pl", "Dziesięć", "Once a day"},
		{"de", "Ten off", "Einmal am Tag"},
		{"en_US", "Ten bucks off", "Once a day"},
		{"pl_PL", "Dziesięć", "Once a day"},
		{"pl-PL", "Dziesięć", "Once a day"},
		{"de-AT", "Ten off", "Einmal am Tag"},
		{"fr", "Ten off", "Once a day"},
		{"fr_CA", "Ten off", "Once a day"},
		{"PL", "Ten off", "Once a day"},
		{"_", "Ten off", "Once a day"},
		{"", "Ten off", "Once a day"},
	} {
		locale := api.Locale{Wanted: c.wanted, Default: "en"}
		if got := locale.Text(func(code string) string { return names[code] }); got != c.name {
			t.Errorf("name in %q: %q, want %q", c.wanted, got, c.name)
		}
		if got := locale.Text(func(code string) string { return texts[code] }); got != c.text {
			t.Errorf("text in %q: %q, want %q", c.wanted, got, c.text)
		}
	}
	locale := api.Locale{Wanted: "pl", Default: "de"}
	if got := locale.Text(func(code string) string { return map[string]string{"en": "Ten off"}[code] }); got != "" {
		t.Errorf("a text in neither language is %q", got)
	}
}
