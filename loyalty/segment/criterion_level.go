package segment

import (
	"slices"

	"punchcard/core/store"
	"punchcard/platform/form"
)

// Levels selects customers by their level.
type Levels struct {
	Levels []string `json:"levels"` // ids
}

var inLevel = CriterionType[Levels]{
	Name:       "customer_level",
	Has:        func(_ *Levels, c Candidate) any { return c.LevelID },
	Hint:       "The customer is in another level.",
	FormFields: []string{"levels"},
	Needs:      needsLevel,
	Read: func(g *form.Group, _ *store.Store) *Levels {
		l := &Levels{g.UUIDs("levels", form.MinItems(1))}
		bounded(g, "levels", len(l.Levels), EntryLimit)
		return l
	},
	Matches: func(l *Levels, c Candidate) bool { return slices.Contains(l.Levels, c.LevelID) },
}
