package form

import (
	"regexp"
	"strings"
	"time"
)

// DateTimePattern matches what ParseDateTime accepts, apart from dates and times that do not exist. No place on earth
// is further than 14 hours from UTC.
const DateTimePattern = `^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-](0\d|1[0-4]):?[0-5]\d)?)?$`

var dateTimePattern = regexp.MustCompile(DateTimePattern)

// dateTimeLayouts are the layouts of texts that match the pattern, with a space between date and time. Package time
// reads a fraction after any seconds.
var dateTimeLayouts = []string{
	"2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05",
	"2006-01-02 15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04Z0700", "2006-01-02 15:04:05Z0700",
}

// ParseDateTime parses YYYY-MM-DD, alone (midnight) or with a space or T and HH:mm[:ss[.fraction]], and then with Z,
// +hh:mm or +hhmm. A time without an offset is in zone (nil: UTC); inside the hour that a clock change skips or
// repeats, it is the one that package time picks. The result is in zone and in whole seconds. A date that does not
// exist is not ok.
func ParseDateTime(text string, zone *time.Location) (time.Time, bool) {
	if !dateTimePattern.MatchString(text) || strings.HasPrefix(text, "0000") {
		return time.Time{}, false
	}
	if zone == nil {
		zone = time.UTC
	}
	text = strings.Replace(text, "T", " ", 1)
	for _, layout := range dateTimeLayouts {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			t = t.Truncate(time.Second).In(zone)
			return t, !t.IsZero() // the zero time means that nothing was submitted
		}
	}
	return time.Time{}, false
}

// ParseDate parses a date as midnight UTC. A time and an offset after it are checked and ignored.
func ParseDate(text string) (time.Time, bool) {
	if _, ok := ParseDateTime(text, time.UTC); !ok {
		return time.Time{}, false
	}
	return ParseDateTime(text[:len("2006-01-02")], time.UTC)
}
