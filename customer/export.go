package customer

import (
	"time"

	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/store"
)

// exportHeader is the first line of exports of customers (program-api D14).
var exportHeader = []string{
	"First name", "Last name", "E-mail address", "Gender", "Telephone", "Loyalty card number", "Birthdate", "Created at",
	"Legal agreement", "Marketing agreement", "Data processing agreement",
}

// Export writes customers as a table, page by page: next reads the ids after the last one.
func Export(c *api.Call, name string, next func(tx *db.Tx, after string, limit int) ([]string, error)) error {
	table := c.CSV(name)
	if err := table.Row(exportHeader...); err != nil {
		return err
	}
	const page = 500
	for after, more := "", true; more; {
		err := c.Read(func(tx *db.Tx) error {
			ids, err := next(tx, after, page)
			if more = len(ids) == page; err != nil || len(ids) == 0 {
				return err
			}
			after = ids[len(ids)-1]
			byID, err := FindAll(tx, c.Store.Key, ids...)
			if err != nil {
				return err
			}
			for _, id := range ids {
				if who := byID[id]; who != nil && err == nil {
					err = table.Row(who.exported(c.Store)...)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return table.Close()
}

func (c *Customer) exported(s *store.Store) []string {
	born := c.BirthDate
	if born != "" {
		born += " 00:00:00" // as all dates of the table
	}
	row := []string{
		c.FirstName, c.LastName, c.Email, c.Gender, c.Phone, c.LoyaltyCard, born,
		c.CreatedAt.In(s.Zone).Format(time.DateTime),
	}
	for _, agreed := range c.Agreements {
		row = append(row, map[bool]string{true: "1"}[agreed])
	}
	return row
}
