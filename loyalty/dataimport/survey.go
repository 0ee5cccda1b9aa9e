package dataimport

import (
	"hash/maphash"
	"slices"
)

// survey finds relations between the records of a file. It keeps 8 bytes for each record that has an identifier.
type survey struct {
	seed  maphash.Seed
	seen  []uint64 // hashes of identifiers, one for each record of a CSV file
	apart map[uint64]bool
	// sought are the places of records that refer to a hash that did not come yet.
	sought map[uint64][]int64
	// waits are the places of records that refer to a later one, from 1.
	waits map[int64]bool
	count int64
}

func newSurvey() *survey {
	return &survey{seed: maphash.MakeSeed(), sought: map[uint64][]int64{}, waits: map[int64]bool{}}
}

// add takes note of the next record of a file.
func (s *survey) add(record Record, format string) {
	s.count++
	identifier := record.Identifier()
	if _, joins := record.(Joiner); joins && format == formatCSV && identifier != "" {
		s.seen = append(s.seen, s.hash(identifier))
	}
	referrer, refers := record.(Referrer)
	if !refers {
		return
	}
	for _, place := range s.sought[s.hash(identifier)] {
		s.waits[place] = true
	}
	delete(s.sought, s.hash(identifier))
	if to := referrer.RefersTo(); to != "" {
		s.sought[s.hash(to)] = append(s.sought[s.hash(to)], s.count)
	}
}

func (s *survey) hash(text string) uint64 { return maphash.String(s.seed, text) }

// end is called after the last record.
func (s *survey) end() {
	slices.Sort(s.seen)
	s.apart = map[uint64]bool{}
	for i := 1; i < len(s.seen); i++ {
		if s.seen[i] == s.seen[i-1] {
			s.apart[s.seen[i]] = true
		}
	}
	s.seen, s.sought = nil, nil
}

// isApart reports whether the lines of a record are not together: a record that can have several lines, and whose
// identifier comes again after those of others.
func (s *survey) isApart(record Record) bool {
	return s != nil && len(s.apart) > 0 && s.apart[s.hash(record.Identifier())]
}

// surveyed returns the survey of the records of a small file.
func surveyed(records []Record, format string) *survey {
	s := newSurvey()
	for _, record := range records {
		s.add(record, format)
	}
	s.end()
	return s
}

// order returns the indices of the records of a small file, so that those that wait come last.
func (s *survey) order() (order []int) {
	for _, waits := range []bool{false, true} {
		for n := range int(s.count) {
			if s.waits[int64(n)+1] == waits {
				order = append(order, n)
			}
		}
	}
	return order
}

// isSurveyed reports whether records of the kind say something about each other.
func (k *Kind) isSurveyed() bool {
	_, joins := k.New().(Joiner)
	return joins
}

// turns returns the records that are carried out in each turn: first those that wait for no later record of the file.
// Imports that an earlier version of the program began keep the order of the file.
func (r *run) turns() []func(place int64) bool {
	if r.survey == nil || len(r.survey.waits) == 0 || !r.of.Options.LaterFirst {
		return []func(int64) bool{func(int64) bool { return true }}
	}
	waits := r.survey.waits
	return []func(int64) bool{
		func(place int64) bool { return !waits[place] },
		func(place int64) bool { return waits[place] },
	}
}
