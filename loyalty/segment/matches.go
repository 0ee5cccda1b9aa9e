package segment

// matches reports whether a customer belongs to a segment with these parts. Only active customers do. The
// criteria of a part are joined by OR and the parts by AND; with basis.Alternative it is the other way round.
// Rebuilds and the check of one customer both use it.
func (svc *Service) matches(parts []Part, f *Facts, basis Basis) bool {
	if !f.IsActive() || len(parts) == 0 {
		return false
	}
	for i := range parts {
		if svc.partMatches(parts[i].Criteria, f, basis) == basis.Alternative {
			return basis.Alternative
		}
	}
	return !basis.Alternative
}

func (svc *Service) partMatches(criteria []Criterion, f *Facts, basis Basis) bool {
	for _, c := range criteria {
		candidate := Candidate{Facts: f, Today: basis.Day, Counted: f.counted[c.ID]}
		if svc.byName[c.Type].matches(c.Fields, candidate) != basis.Alternative {
			return !basis.Alternative
		}
	}
	return basis.Alternative
}
