package dataimport

import (
	"hash/maphash"
	"slices"
)

// scattered finds the records of a CSV file whose lines are not together: records that can have several lines, and
// whose identifier comes again after those of others. It keeps 8 bytes for each record of the file.
type scattered struct {
	seed  maphash.Seed
	seen  []uint64 // hashes of identifiers, one for each record
	apart map[uint64]bool
}

func newScattered() *scattered { return &scattered{seed: maphash.MakeSeed()} }

// add takes note of the next record of a file.
func (s *scattered) add(record Record, format string) {
	joiner, joins := record.(Joiner)
	if joins && format == formatCSV && joiner.Identifier() != "" {
		s.seen = append(s.seen, maphash.String(s.seed, joiner.Identifier()))
	}
}

// end is called after the last record.
func (s *scattered) end() {
	slices.Sort(s.seen)
	s.apart = map[uint64]bool{}
	for i := 1; i < len(s.seen); i++ {
		if s.seen[i] == s.seen[i-1] {
			s.apart[s.seen[i]] = true
		}
	}
	s.seen = nil
}

// has reports whether the lines of a record are not together.
func (s *scattered) has(record Record) bool {
	return s != nil && len(s.apart) > 0 && s.apart[maphash.String(s.seed, record.Identifier())]
}

// joins reports whether records of the kind can have several lines.
func (k *Kind) joins() bool {
	_, joins := k.New().(Joiner)
	return joins
}
