package form

import (
	"regexp"
	"strings"
	"time"

	"punchcard/platform/calendar"
)

// DateTimePattern matches what ParseDateTime accepts, apart from dates and times that do not exist. No place on earth
// is further than 14 hours from UTC.
const DateTimePattern = `^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-](0\d|1[0-4]):?[0-5]\d)?)?$`

var dateTimePattern = regexp.MustCompile(DateTimePattern)

// The layouts of texts that match the pattern, with a space between date and time. Package time reads a fraction after
// any seconds.
var (
	localLayouts  = []string{"2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05"}
	offsetLayouts = []string{
		"2006-01-02 15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04Z0700", "2006-01-02 15:04:05Z0700",
	}
)

// ParseDateTime parses YYYY-MM-DD, alone (midnight) or with a space or T and HH:mm[:ss[.fraction]], and then with Z,
// +hh:mm or +hhmm. A time without an offset is in zone (nil: UTC). If the clock there shows it twice, it is the first,
// and if it skips it, the moment of the clock change. The result is in zone and in whole seconds. A date that does not
// exist is not ok.
func ParseDateTime(text string, zone *time.Location) (time.Time, bool) {
	return parseDateTime(text, zone, calendar.First)
}

// ParseEnd is ParseDateTime for the end of a period: if the clock shows a time twice, it is the second.
func ParseEnd(text string, zone *time.Location) (time.Time, bool) {
	return parseDateTime(text, zone, calendar.Last)
}

func parseDateTime(text string, zone *time.Location, local func(wall time.Time, zone *time.Location) time.Time) (
	time.Time, bool) {
	if !dateTimePattern.MatchString(text) || strings.HasPrefix(text, "0000") {
		return time.Time{}, false
	}
	if zone == nil {
		zone = time.UTC
	}
	text = strings.Replace(text, "T", " ", 1)
	for _, layout := range localLayouts {
		if wall, err := time.Parse(layout, text); err == nil {
			t := local(wall.Truncate(time.Second), zone)
			return t, !t.IsZero() // the zero time means that nothing was submitted
		}
	}
	for _, layout := range offsetLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			t = t.Truncate(time.Second).In(zone)
			return t, !t.IsZero()
		}
	}
	return time.Time{}, false
}

// ParseDate parses a date as midnight UTC. A time and an offset after it are checked and ignored.
func ParseDate(text string) (time.Time, bool) {
	if _, ok := ParseDateTime(text, time.UTC); !ok {
		return time.Time{}, false
	}
	return ParseDateTime(text[:len(time.DateOnly)], time.UTC)
}
