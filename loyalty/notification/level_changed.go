package notification

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/arrival"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// reportLevels queues messages to the customers whose level changed by itself, with the level of now. It runs in the
// transaction that deletes the arrivals, so that each change is reported once.
func reportLevels(tx *db.Tx, s *store.Store, arrivals []arrival.Arrival) error {
	var changed []arrival.Arrival
	for _, a := range arrivals {
		if a.FromLevel != "" {
			changed = append(changed, a)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	changed, err := arrival.Lock(tx, s.Key, changed)
	if err != nil {
		return err
	}
	from := map[string]string{} // the first level that a customer left, by id
	var ids []string
	for _, a := range changed {
		if from[a.CustomerID] == "" {
			from[a.CustomerID] = a.FromLevel
			ids = append(ids, a.CustomerID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	customers, err := customer.FindAll(tx, s.Key, ids...)
	if err != nil {
		return err
	}
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return err
	}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return err
	}
	var all []message.Message
	for _, id := range ids {
		c := customers[id]
		if c == nil || !c.IsActive() || c.LevelID == from[id] {
			continue
		}
		locale := api.Locale{Wanted: c.Locale, Default: languages.Default()}
		all = append(all, message.To(c, template.LevelChanged, map[string]string{
			"level_name": nameOf(levels, c.LevelID, locale), "previous_level_name": nameOf(levels, from[id], locale),
		}))
	}
	return message.Queue(tx, s, all...)
}

// nameOf returns the name of a level, empty if it was deleted.
func nameOf(levels []level.Level, id string, locale api.Locale) string {
	if l := level.Find(levels, id); l != nil {
		return l.Name(locale)
	}
	return ""
}
