package points

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"punchcard/platform/db"
)

// What is packed into columns is read again as it was.
func TestPackedColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts, ids, marks := purchaseCounts{}, []string{}, []bool{}
		var packed purchaseIDs
		for range rapid.IntRange(0, 40).Draw(t, "number") {
			id, exchanged := db.NewID(), rapid.Bool().Draw(t, "exchanged")
			counts[id] = rapid.Int64Range(1, 1<<62).Draw(t, "count")
			ids, marks = append(ids, id), append(marks, exchanged)
			packed = packed.with(id, exchanged)
		}

		bytes, err := counts.MarshalBinary()
		var readCounts purchaseCounts
		if err != nil || readCounts.UnmarshalBinary(bytes) != nil || !maps.Equal(readCounts, counts) {
			t.Errorf("%v was read as %v: %v", counts, readCounts, err)
		}
		if bytes == nil {
			t.Error("no counts are packed as NULL")
		}

		bytes, err = packed.MarshalBinary()
		var read purchaseIDs
		if err != nil || bytes == nil || read.UnmarshalBinary(bytes) != nil || read.len() != int64(len(ids)) {
			t.Fatalf("%x was read as %x: %v", packed, read, err)
		}
		var readIDs []string
		var readMarks []bool
		for id, exchanged := range read.all {
			readIDs, readMarks = append(readIDs, id), append(readMarks, exchanged)
		}
		if !slices.Equal(readIDs, ids) || !slices.Equal(readMarks, marks) {
			t.Errorf("%v %v was read as %v %v", ids, marks, readIDs, readMarks)
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
	f.Add([]byte(purchaseIDs{}.with(db.NewID(), true)))
	f.Fuzz(func(t *testing.T, packed []byte) {
		var counts, again purchaseCounts
		if counts.UnmarshalBinary(packed) == nil {
			bytes, err := counts.MarshalBinary()
			if err != nil || again.UnmarshalBinary(bytes) != nil || !maps.Equal(counts, again) {
				t.Errorf("%v was read as %v: %v", counts, again, err)
			}
		}
		var ids purchaseIDs
		if ids.UnmarshalBinary(packed) == nil && int(ids.len())*markedBytes != len(packed) {
			t.Errorf("%d ids in %d bytes", ids.len(), len(packed))
		}
	})
}
