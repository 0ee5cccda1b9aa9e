package api

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Timestamp formats t as responses contain it: with an offset without a colon.
func Timestamp(t time.Time, zone *time.Location) string {
	var buffer [timestampBytes]byte
	text := appendTimestamp(buffer[:0], t, zone)
	colon := len(text) - len(":00")
	return string(slices.Delete(text, colon, colon+1))
}

// OptionalTimestamp is Timestamp, but returns nil for the zero time, so that the member is omitted.
func OptionalTimestamp(t time.Time, zone *time.Location) *string {
	if t.IsZero() {
		return nil
	}
	text := Timestamp(t, zone)
	return &text
}

// EventTimestamp formats t as event payloads contain it: with an offset with a colon, never Z.
func EventTimestamp(t time.Time, zone *time.Location) string {
	var buffer [timestampBytes]byte
	return string(appendTimestamp(buffer[:0], t, zone))
}

const timestampBytes = len("2006-01-02T15:04:05+07:00")

// appendTimestamp appends t in the layout that package time formats fastest, with the offset of UTC in digits.
func appendTimestamp(text []byte, t time.Time, zone *time.Location) []byte {
	text = t.In(zone).AppendFormat(text, time.RFC3339)
	if utc, found := bytes.CutSuffix(text, []byte("Z")); found {
		return append(utc, "+00:00"...)
	}
	return text
}

// Locale is the language of the texts in a response.
type Locale struct{ Wanted, Default string }

// Text chooses among the translations of a text (code to text): the wanted language, its base language (en for en_US),
// the default language, or nothing.
func (l Locale) Text(translations func(code string) string) string {
	for _, code := range [...]string{l.Wanted, base(l.Wanted), l.Default} {
		if text := translations(code); code != "" && text != "" {
			return text
		}
	}
	return ""
}

func base(code string) string {
	if end := strings.IndexAny(code, "_-"); end > 0 {
		return code[:end]
	}
	return ""
}

// Names maps ids to names. Its JSON is an empty array if it has none, as clients expect.
type Names map[string]string

// NamesOf returns the names of the ids that have one.
func NamesOf(ids []string, all map[string]string) Names {
	found := Names{}
	for _, id := range ids {
		if name, known := all[id]; known {
			found[id] = name
		}
	}
	return found
}

// MarshalJSON returns an object, or an empty array.
func (n Names) MarshalJSON() ([]byte, error) {
	if len(n) == 0 {
		return []byte("[]"), nil
	}
	return json.Marshal(map[string]string(n))
}
