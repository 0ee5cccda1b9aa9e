package db

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// Time stores t in microseconds since 1970, and the zero time as NULL.
func Time(t *time.Time) any { return TimeColumn{t} }

// TimeColumn is the type of Time.
type TimeColumn struct{ T *time.Time }

// Value returns microseconds since 1970, and NULL for the zero time.
func (c TimeColumn) Value() (driver.Value, error) {
	if c.T.IsZero() {
		return nil, nil
	}
	return c.T.UnixMicro(), nil
}

// Scan reads what Value returns.
func (c TimeColumn) Scan(source any) error {
	switch v := source.(type) {
	case nil:
		*c.T = time.Time{}
	case int64:
		*c.T = time.UnixMicro(v).UTC()
	default:
		return fmt.Errorf("a time column holds %T", source)
	}
	return nil
}

// ScanInt64 is Scan for PostgreSQL's driver, which calls it because it is faster.
func (c TimeColumn) ScanInt64(v pgtype.Int8) error {
	if *c.T = (time.Time{}); v.Valid {
		*c.T = time.UnixMicro(v.Int64).UTC()
	}
	return nil
}

// JSON stores the value that v points to as JSON text. It stores a *json.RawMessage as it is. SQL cannot filter by the
// content.
func JSON(v any) any { return JSONColumn{v} }

// JSONColumn is the type of JSON.
type JSONColumn struct{ v any }

// Value returns the JSON text.
func (c JSONColumn) Value() (driver.Value, error) {
	if raw, is := c.v.(*json.RawMessage); is {
		return string(*raw), nil
	}
	text, err := json.Marshal(c.v)
	return string(text), err
}

// Scan reads a JSON text.
func (c JSONColumn) Scan(source any) error {
	switch text := source.(type) {
	case string:
		return c.ScanBytes([]byte(text))
	case []byte:
		return c.ScanBytes(text)
	default:
		return fmt.Errorf("a JSON column holds %T", source)
	}
}

// ScanBytes is Scan for PostgreSQL's driver, which calls it because it is faster.
func (c JSONColumn) ScanBytes(text []byte) error {
	if raw, is := c.v.(*json.RawMessage); is {
		*raw = append(json.RawMessage(nil), text...)
		return nil
	}
	if isBlank(text, c.v) {
		return nil
	}
	return json.Unmarshal(text, c.v)
}

// isBlank reports whether a text leaves v as it is: null, or an object without members for a struct. Many columns hold
// nothing else, and to parse them takes longer than to read the rest of a row.
func isBlank(text []byte, v any) bool {
	if _, custom := v.(json.Unmarshaler); custom {
		return false
	}
	return string(text) == "null" || string(text) == "{}" && reflect.TypeOf(v).Elem().Kind() == reflect.Struct
}

// Derived is the value of a column that is computed from a member when the row is written, such as a key to search by.
func Derived(text *string, compute func(string) string) any { return DerivedColumn{text, compute} }

// DerivedColumn is the type of Derived.
type DerivedColumn struct {
	text    *string
	compute func(string) string
}

// Value returns the computed text.
func (c DerivedColumn) Value() (driver.Value, error) { return c.compute(*c.text), nil }

// TypeOf returns the SQL type of a value or of what it points to: TEXT, BIGINT, BOOLEAN, or empty for another one.
func TypeOf(value any) string {
	switch value.(type) {
	case TimeColumn:
		return "BIGINT"
	case JSONColumn, DerivedColumn:
		return "TEXT"
	case nil:
		return ""
	}
	t := reflect.TypeOf(value)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "TEXT"
	case reflect.Bool:
		return "BOOLEAN"
	case reflect.Int, reflect.Int64, reflect.Int32:
		return "BIGINT"
	}
	return ""
}

// Text reads a column of any type as text, and NULL as an empty string. Reports use it.
func Text(s *string) any { return anyColumn{s} }

type anyColumn struct{ s *string }

func (c anyColumn) Scan(source any) error {
	switch v := source.(type) {
	case nil:
		*c.s = ""
	case []byte:
		*c.s = string(v)
		if id, err := uuid.FromBytes(v); err == nil { // SQLite stores ids as bytes
			*c.s = id.String()
		}
	default:
		*c.s = fmt.Sprint(v)
	}
	return nil
}
