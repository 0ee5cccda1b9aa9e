package journey

import (
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/level"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// recipes lists the occasions of journeys.
var recipes = []*recipe{welcome, birthday, pointsEnding, levelNear, lapsed, bought}

// recipe is an occasion.
type recipe struct {
	name  string
	hours bool // the delay is in hours, not in days
	// read reads the number that belongs to the recipe. A recipe may have none.
	read func(g *form.Group, s *store.Store, c *Content)
	// sample returns the placeholders of the recipe, with values for a preview.
	sample func(c *Content) map[string]string

	// find returns customers for whom the day is the occasion, after a key. next is empty on the last page. Recipes
	// without it begin by what customers do.
	find func(tx *db.Tx, s *store.Store, j *Journey, day calendar.Day, after string) (
		found []finding, next string, err error)
	late  int // how many missed days are made up for, after the server was stopped
	pause int // days in which a customer enters once at most, besides once for each occasion; 0 for none
	// lasts marks an occasion that goes on for days: those for whom it is one already when a journey is turned on get
	// nothing.
	lasts bool
	// oncePerCap limits messages to a customer to one within the days of the frequency cap.
	oncePerCap bool
	// applies judges the entry of a locked customer when it is due, and returns the values of placeholders. ok is false if
	// the occasion is over.
	applies func(due *judge, e *Entry, m *membership.Member) (values map[string]string, ok bool, err error)
}

// finding is an occasion of a customer.
type finding struct {
	customerID, occasion string
	dueAt                time.Time
	reason               string // why it will be skipped; empty if that is not known yet
}

// judge has what recipes need to judge the due entries of a journey.
type judge struct {
	tx      *db.Tx
	store   *store.Store
	journey *Journey
	levels  []level.Level
	usual   string                        // language
	given   *given                        // by journeys of the recipe
	sold    map[string]transaction.SoldAt // receipts that are occasions, by id
}

func recipeOf(name string) *recipe {
	at := slices.IndexFunc(recipes, func(r *recipe) bool { return r.name == name })
	if at < 0 {
		return nil
	}
	return recipes[at]
}

// Recipes returns the names of the recipes.
func Recipes() []string {
	names := make([]string, len(recipes))
	for i, r := range recipes {
		names[i] = r.name
	}
	return names
}

// findings returns an occasion of customers that is found now, and is due after the days of the delay.
func (j *Journey) findings(tx *db.Tx, s *store.Store, occasion string, customerIDs ...string) []finding {
	found := make([]finding, len(customerIDs))
	for i, id := range customerIDs {
		found[i] = finding{
			customerID: id, occasion: occasion, dueAt: calendar.AddDate(tx.Now(), 0, 0, j.Content.Delay, s.Zone),
		}
	}
	return found
}

func always(*judge, *Entry, *membership.Member) (map[string]string, bool, error) {
	return nil, true, nil
}

func nothing(*Content) map[string]string { return nil }
