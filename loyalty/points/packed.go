package points

import (
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"
)

// Every purchase reads and writes its account row, so the ids of campaigns in it are packed: 16 bytes instead of 36
// characters, and no JSON around them.

const idBytes = len(uuid.UUID{})

// unpackID returns the id that begins at b, in the form in which it is stored elsewhere.
func unpackID(b []byte) string { return uuid.UUID(b[:idBytes]).String() }

// purchaseCounts are numbers of purchases by campaign. A column holds, for each campaign, its id and the number as an
// unsigned varint.
type purchaseCounts map[string]int64

// MarshalBinary packs the counts in the order of the ids.
func (c purchaseCounts) MarshalBinary() ([]byte, error) {
	packed := make([]byte, 0, len(c)*(idBytes+1))
	for _, id := range sortedKeys(c) {
		parsed, err := uuid.Parse(id)
		if err != nil {
			return nil, fmt.Errorf("purchases of a campaign with the id %q: %w", id, err)
		}
		packed = binary.AppendUvarint(append(packed, parsed[:]...), uint64(c[id]))
	}
	return packed, nil
}

// UnmarshalBinary reads what MarshalBinary returns. No counts are a nil map.
func (c *purchaseCounts) UnmarshalBinary(packed []byte) error {
	for *c = nil; len(packed) > 0; {
		if *c == nil {
			*c = make(purchaseCounts, len(packed)/(idBytes+1)+1)
		}
		if len(packed) <= idBytes {
			return fmt.Errorf("purchase counts end with %d bytes that are no count", len(packed))
		}
		n, length := binary.Uvarint(packed[idBytes:])
		if length <= 0 || n == 0 || n > 1<<62 {
			return fmt.Errorf("purchase counts have a number that cannot be read")
		}
		(*c)[unpackID(packed)] = int64(n)
		packed = packed[idBytes+length:]
	}
	return nil
}
