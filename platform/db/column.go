package db

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// Time stores t in microseconds since 1970, and the zero time as NULL.
func Time(t *time.Time) any { return timeColumn{t} }

type timeColumn struct{ t *time.Time }

// Value implements driver.Valuer.
func (c timeColumn) Value() (driver.Value, error) {
	if c.t.IsZero() {
		return nil, nil
	}
	return c.t.UnixMicro(), nil
}

// Scan implements sql.Scanner.
func (c timeColumn) Scan(source any) error {
	switch v := source.(type) {
	case nil:
		*c.t = time.Time{}
	case int64:
		*c.t = time.UnixMicro(v).UTC()
	default:
		return fmt.Errorf("a time column holds %T", source)
	}
	return nil
}

// ScanInt64 implements pgtype.Int64Scanner. It is faster than Scan.
func (c timeColumn) ScanInt64(v pgtype.Int8) error {
	if *c.t = (time.Time{}); v.Valid {
		*c.t = time.UnixMicro(v.Int64).UTC()
	}
	return nil
}

// JSON stores the value that v points to as JSON text. SQL cannot filter by its content.
func JSON(v any) any { return jsonColumn{v} }

type jsonColumn struct{ v any }

// Value implements driver.Valuer.
func (c jsonColumn) Value() (driver.Value, error) {
	text, err := json.Marshal(c.v)
	return string(text), err
}

// Scan implements sql.Scanner.
func (c jsonColumn) Scan(source any) error {
	switch text := source.(type) {
	case string:
		return json.Unmarshal([]byte(text), c.v)
	case []byte:
		return json.Unmarshal(text, c.v)
	default:
		return fmt.Errorf("a JSON column holds %T", source)
	}
}

// ScanBytes implements pgtype.BytesScanner. It is faster than Scan.
func (c jsonColumn) ScanBytes(text []byte) error { return json.Unmarshal(text, c.v) }

// Text reads a column of any type as text, and NULL as an empty string. Reports use it.
func Text(s *string) any { return anyColumn{s} }

type anyColumn struct{ s *string }

// Scan implements sql.Scanner.
func (c anyColumn) Scan(source any) error {
	switch v := source.(type) {
	case nil:
		*c.s = ""
	case []byte:
		*c.s = string(v)
		if len(v) == 16 {
			*c.s = unpack(v)
		}
	default:
		*c.s = fmt.Sprint(v)
	}
	return nil
}
