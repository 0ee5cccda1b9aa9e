package form

import (
	"strings"
	"time"
)

// ParseDateTime reads YYYY-MM-DD, alone (midnight) or with a space or T and HH:mm[:ss[.fraction]], and
// then with Z, +hh:mm or +hhmm. Without an offset the time is one of zone (nil: UTC); inside the hour
// that a clock change skips or repeats, it is the one that package time picks. The result is in zone
// and in whole seconds. A date that does not exist is not ok.
func ParseDateTime(text string, zone *time.Location) (time.Time, bool) {
	if zone == nil {
		zone = time.UTC
	}
	s := scanner{rest: text}
	year := s.number(4, 1, 9999)
	s.expect('-')
	month := s.number(2, 1, 12)
	s.expect('-')
	day := s.number(2, 1, 31)
	var hour, minute, second int
	from := zone
	if s.rest != "" {
		if !s.take('T') {
			s.expect(' ')
		}
		hour = s.number(2, 0, 23)
		s.expect(':')
		minute = s.number(2, 0, 59)
		if s.take(':') {
			second = s.number(2, 0, 59)
			s.skipFraction()
		}
		if s.rest != "" {
			from = s.offset()
		}
	}
	exists := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Day() == day
	if s.failed || s.rest != "" || !exists {
		return time.Time{}, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, from).In(zone)
	return t, !t.IsZero() // the zero time means that nothing was submitted
}

// ParseDate reads a date as midnight UTC; a time and an offset after it are checked and dropped.
func ParseDate(text string) (time.Time, bool) {
	if _, ok := ParseDateTime(text, time.UTC); !ok {
		return time.Time{}, false
	}
	return ParseDateTime(text[:len("2006-01-02")], time.UTC)
}

// scanner reads fixed-width parts from the left and remembers that one did not fit.
type scanner struct {
	rest   string
	failed bool
}

func (s *scanner) number(width, least, most int) int {
	if len(s.rest) < width || !isDigits(s.rest[:width]) {
		s.failed = true
		return 0
	}
	n := 0
	for i := range width {
		n = n*10 + int(s.rest[i]-'0')
	}
	s.rest = s.rest[width:]
	s.failed = s.failed || n < least || n > most
	return n
}

func (s *scanner) take(c byte) bool {
	if s.rest == "" || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *scanner) expect(c byte) {
	if !s.take(c) {
		s.failed = true
	}
}

func (s *scanner) skipFraction() {
	if s.take('.') {
		rest := strings.TrimLeft(s.rest, "0123456789")
		s.failed = s.failed || rest == s.rest
		s.rest = rest
	}
}

// offset reads Z, +hh:mm or +hhmm; no place on earth is further than 14 hours from UTC.
func (s *scanner) offset() *time.Location {
	if s.take('Z') {
		return time.UTC
	}
	sign := 1
	if s.take('-') {
		sign = -1
	} else {
		s.expect('+')
	}
	hours := s.number(2, 0, 14)
	s.take(':')
	minutes := s.number(2, 0, 59)
	return time.FixedZone("", sign*(hours*60+minutes)*60)
}
