package db_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"punchcard/platform/db"
)

// Ids of moments are valid, sort by their times to the microsecond, and then by the order of their creation.
func TestIDsOfMoments(t *testing.T) {
	start := time.Date(2031, 5, 1, 11, 59, 59, 999_990_000, time.UTC)
	var ids []string
	for step := range 2500 {
		at := start.Add(time.Duration(step) * time.Microsecond)
		first, one, two := db.FirstIDAt(at), db.NewIDAt(at), db.NewIDAt(at)
		parsed, err := uuid.Parse(one)
		if err != nil || parsed.Version() != 7 || parsed.Variant() != uuid.RFC4122 {
			t.Fatalf("%s: version %d, variant %v, %v", one, parsed.Version(), parsed.Variant(), err)
		}
		seconds, nanoseconds := parsed.Time().UnixTime()
		if has := time.Unix(seconds, nanoseconds); has.UnixMilli() != at.UnixMilli() {
			t.Fatalf("%s has the time %v, want %v", one, has, at)
		}
		ids = append(ids, first, one, two)
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 3*2500 {
		t.Error("the ids are not in the order of their times")
	}
	var none time.Time
	if first := db.FirstIDAt(none); first != "00000000-0000-7000-8000-000000000000" {
		t.Errorf("the first id before 1970 is %s", first)
	}
	if last := db.FirstIDAt(time.UnixMicro(1<<63 - 1)); last[:13] != "ffffffff-ffff" {
		t.Errorf("the first id of the last moment is %s", last)
	}
}
