package segment

// matches reports whether a customer belongs to a segment with these parts. Only active customers do. Rebuilds, the
// check of one customer and explanations use it.
func (svc *Service) matches(parts []Part, f *Facts, basis Basis) bool {
	return f.IsActive() && svc.partsMatch(parts, f, basis)
}

// partsMatch reports whether the facts match the parts. The criteria of a part are joined by OR and the parts by AND;
// with basis.Alternative it is the other way round.
func (svc *Service) partsMatch(parts []Part, f *Facts, basis Basis) bool {
	for i := range parts {
		if svc.partMatches(parts[i].Criteria, f, basis) == basis.Alternative {
			return basis.Alternative
		}
	}
	return !basis.Alternative && len(parts) > 0
}

func (svc *Service) partMatches(criteria []Criterion, f *Facts, basis Basis) bool {
	for i := range criteria {
		if svc.criterionMatches(&criteria[i], f, basis) != basis.Alternative {
			return !basis.Alternative
		}
	}
	return basis.Alternative
}

func (svc *Service) criterionMatches(c *Criterion, f *Facts, basis Basis) bool {
	return svc.byName[c.Type].matches(c.Fields, f.candidate(c, basis))
}

// candidate returns a customer for whom a criterion is decided.
func (f *Facts) candidate(c *Criterion, basis Basis) Candidate {
	return Candidate{Facts: f, Today: basis.Day, Counted: f.counted[c.ID]}
}
