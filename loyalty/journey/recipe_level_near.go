package journey

import (
	"strings"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// levelNear is when a customer needs no more than some points or money for the next level, once for each level and
// each time the customer reached the present one.
var levelNear = &recipe{
	name: "level_near", lasts: true, pause: Pause,
	read: func(g *form.Group, s *store.Store, c *Content) {
		if s.Settings.TierAssignType == store.TierPoints {
			c.Missing = decimal.Hundredths(g.Decimal("missing", 2, form.NotBlank, form.GreaterThan(0))).Money()
		} else {
			c.Missing = s.ReadMoney(g, "missing", form.NotBlank, form.GreaterThan(0))
		}
	},
	sample: func(c *Content) map[string]string {
		return map[string]string{"missing": c.Missing.String(), "next_level_name": "Gold"}
	},
	find: findNear,
	applies: func(due *judge, e *Entry, m *membership.Member) (map[string]string, bool, error) {
		next, missing, err := ahead(due.tx, due.store, due.levels, m.Customer, m.Wallet.Account)
		if err != nil || next == nil || !strings.HasPrefix(e.Occasion, next.ID) {
			return nil, false, err
		}
		if near, err := isNear(due.tx, due.store, due.journey, m.Customer, missing, due.given); err != nil || !near {
			return nil, false, err
		}
		locale := api.Locale{Wanted: m.Locale, Default: due.usual}
		return map[string]string{"missing": missing.String(), "next_level_name": next.Name(locale)}, true, nil
	},
}

// ahead returns the level after that of a customer, and what is missing to it. It returns nil if there is none.
func ahead(tx *db.Tx, s *store.Store, levels []level.Level, c *customer.Customer, account points.Account) (
	next *level.Level, missing decimal.Money, err error) {
	basis, err := membership.ReadLevelBasis(tx, s, c, account)
	if err != nil {
		return nil, 0, err
	}
	value := basis.Value(s, c.Purchases)
	if next = level.Next(levels, level.Find(levels, c.LevelID), value); next != nil {
		missing = next.ConditionValue - value
	}
	return next, missing, nil
}

// isNear reports whether no more than what the journey says is missing to the next level, also without the points that
// such journeys gave since the present one was reached.
func isNear(tx *db.Tx, s *store.Store, j *Journey, c *customer.Customer, missing decimal.Money, had *given) (
	bool, error) {
	if missing > j.Content.Missing || s.Settings.TierAssignType != store.TierPoints {
		return missing <= j.Content.Missing, nil
	}
	sum, err := had.sinceLevel(tx, c)
	return missing+sum.Money() <= j.Content.Missing, err
}

func findNear(tx *db.Tx, s *store.Store, j *Journey, _ calendar.Day, after string) (
	found []finding, next string, err error) {
	ids, err := customer.ActiveAfter(tx, s.Key, "", after, searched)
	if err != nil || len(ids) == 0 {
		return nil, "", err
	}
	customers, err := customer.FindAll(tx, s.Key, ids...)
	if err != nil {
		return nil, "", err
	}
	accounts, err := points.Balances(tx, s, ids...)
	if err != nil {
		return nil, "", err
	}
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return nil, "", err
	}
	had, err := readGiven(tx, s.Key, j.Recipe, ids...)
	if err != nil {
		return nil, "", err
	}
	for _, id := range ids {
		c := customers[id]
		if c == nil {
			continue
		}
		to, missing, err := ahead(tx, s, levels, c, accounts[id])
		if err != nil {
			return nil, "", err
		}
		if to == nil {
			continue
		}
		near, err := isNear(tx, s, j, c, missing, had)
		if err != nil {
			return nil, "", err
		}
		if near {
			reached := calendar.DayOf(c.LevelAchievedAt, s.Zone).String()
			found = append(found, j.findings(tx, s, to.ID+" "+reached, id)...)
		}
	}
	if len(ids) == searched {
		next = ids[searched-1]
	}
	return found, next, nil
}
