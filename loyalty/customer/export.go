package customer

import (
	"time"

	"punchcard/api"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// exportHeader is the first line of exports of customers.
var exportHeader = []string{
	"First name", "Last name", "E-mail address", "Gender", "Telephone", "Loyalty card number", "Birthdate", "Created at",
	"Legal agreement", "Marketing agreement", "Data processing agreement",
}

// Export writes customers as CSV, page by page. The function next returns the ids that follow an id.
func Export(c *api.Call, name string, next func(tx *db.Tx, after string, limit int) ([]string, error)) error {
	table := c.CSV(name)
	if err := table.Row(exportHeader...); err != nil {
		return err
	}
	const page = 500
	for after, more := "", true; more; {
		var ids []string
		var byID map[string]*Customer
		err := c.Read(func(tx *db.Tx) (err error) {
			if ids, err = next(tx, after, page); err == nil && len(ids) > 0 {
				byID, err = FindAll(tx, c.Store.Key, ids...)
			}
			return err
		})
		for _, id := range ids {
			if who := byID[id]; who != nil && err == nil {
				err = table.Row(who.exported(c.Store)...)
			}
			after = id
		}
		if err != nil {
			return err
		}
		more = len(ids) == page
	}
	return table.Close()
}

func (c *Customer) exported(s *store.Store) []string {
	born := c.BirthDate
	if born != "" {
		born += " 00:00:00" // the table shows all dates with a time
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
