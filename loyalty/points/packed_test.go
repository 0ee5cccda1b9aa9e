package points

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"punchcard/platform/db"
)

// What is packed into columns is read again as it was.
func TestPackedColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := purchaseCounts{}
		for range rapid.IntRange(0, 40).Draw(t, "number") {
			counts[db.NewID()] = rapid.Int64Range(1, 1<<62).Draw(t, "count")
		}

		bytes, err := counts.MarshalBinary()
		var readCounts purchaseCounts
		if err != nil || readCounts.UnmarshalBinary(bytes) != nil || !maps.Equal(readCounts, counts) {
			t.Errorf("%v was read as %v: %v", counts, readCounts, err)
		}
		if bytes == nil {
			t.Error("no counts are packed as NULL")
		}
	})
}

// The counts of a campaign without a UUID cannot be packed.
func TestPackedCountsNeedIDs(t *testing.T) {
	if _, err := (purchaseCounts{"summer": 1}).MarshalBinary(); err == nil {
		t.Error("a name was packed")
	}
}

// Columns that nothing has packed are refused or read as something that packs into the same values.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte("oops"))
	f.Add(make([]byte, idBytes))
	f.Add(append(make([]byte, idBytes), 0x80))
	counts, _ := purchaseCounts{db.NewID(): 1, db.NewID(): 300}.MarshalBinary()
	f.Add(counts)
	f.Fuzz(func(t *testing.T, packed []byte) {
		var counts, again purchaseCounts
		if counts.UnmarshalBinary(packed) == nil {
			bytes, err := counts.MarshalBinary()
			if err != nil || again.UnmarshalBinary(bytes) != nil || !maps.Equal(counts, again) {
				t.Errorf("%v was read as %v: %v", counts, again, err)
			}
		}
	})
}
