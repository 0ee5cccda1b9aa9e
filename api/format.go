package api

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Timestamp prints t as campaigns, purchases and transfers show it: an offset without a colon.
func Timestamp(t time.Time, zone *time.Location) string {
	var room [timestampBytes]byte
	text := appendTimestamp(room[:0], t, zone)
	colon := len(text) - len(":00")
	return string(slices.Delete(text, colon, colon+1))
}

// OptionalTimestamp is Timestamp, or nil for a moment that is not set, so that the member is left out.
func OptionalTimestamp(t time.Time, zone *time.Location) *string {
	if t.IsZero() {
		return nil
	}
	text := Timestamp(t, zone)
	return &text
}

// EventTimestamp prints t as event payloads show it: an offset with a colon, never Z.
func EventTimestamp(t time.Time, zone *time.Location) string {
	var room [timestampBytes]byte
	return string(appendTimestamp(room[:0], t, zone))
}

const timestampBytes = len("2006-01-02T15:04:05+07:00")

// appendTimestamp appends t in the layout that the library prints fastest, with the offset of UTC in digits.
func appendTimestamp(text []byte, t time.Time, zone *time.Location) []byte {
	text = t.In(zone).AppendFormat(text, time.RFC3339)
	if utc, found := bytes.CutSuffix(text, []byte("Z")); found {
		return append(utc, "+00:00"...)
	}
	return text
}

// Locale says in which language a text is wanted.
type Locale struct{ Wanted, Default string }

// Text chooses among translations (code to text): the wanted language, its base language (en for
// en_US), the default one, else nothing. It is asked for each field by itself.
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

// Names maps ids to names. Without any it is written as an empty array, as clients of the contract expect.
type Names map[string]string

// NamesOf are the names of those ids that have one.
func NamesOf(ids []string, all map[string]string) Names {
	found := Names{}
	for _, id := range ids {
		if name, known := all[id]; known {
			found[id] = name
		}
	}
	return found
}

// MarshalJSON implements json.Marshaler.
func (n Names) MarshalJSON() ([]byte, error) {
	if len(n) == 0 {
		return []byte("[]"), nil
	}
	return json.Marshal(map[string]string(n))
}
