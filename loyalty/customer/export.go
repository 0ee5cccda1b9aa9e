package customer

import (
	"strconv"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// ExportColumns are the columns of exports of customers: docs/behaviour/customers.md#csv-export. The names are those of
// the fields of imports.
var ExportColumns = []api.TableColumn{
	{Name: "firstName", Title: "First name"}, {Name: "lastName", Title: "Last name"},
	{Name: "email", Title: "E-mail address"}, {Name: "gender", Title: "Gender"}, {Name: "phone", Title: "Telephone"},
	{Name: "loyaltyCardNumber", Title: "Loyalty card number"}, {Name: "birthDate", Title: "Birthdate"},
	{Name: "createdAt", Title: "Created at"}, {Name: "agreement1", Title: "Legal agreement"},
	{Name: "agreement2", Title: "Marketing agreement"}, {Name: "agreement3", Title: "Data processing agreement"},
	more("customerId", "Customer ID", false),
	more("status", "Status", false),
	more("level", "Level", false),
	more("points", "Points", true),
	more("spent", "Spent", true),
	more("purchases", "Purchases", true),
	more("lastPurchaseAt", "Last purchase", false),
	more("locale", "Language", false),
	more("street", "Street", false),
	more("houseNumber", "House number", false),
	more("postal", "Postal code", false),
	more("city", "City", false),
	more("country", "Country", false),
	more("company", "Company", false),
	more("labels", "Labels", false),
}

// more returns a column that requests name. Those who may export a level or a segment see it only if they may see
// customers.
func more(name, title string, number bool) api.TableColumn {
	return api.TableColumn{Name: name, Title: title, Number: number, Extra: true, Resource: access.Customers}
}

// Export writes customers as a table, page by page. The function next returns the ids that follow an id.
func Export(c *api.Call, name string, next func(tx *db.Tx, after string, limit int) ([]string, error)) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	table, err := c.Table(name, ExportColumns)
	if err != nil {
		return err
	}
	const page = 500
	for after, more := "", true; more; {
		var ids []string
		var byID map[string]*Customer
		var balances map[string]points.Account
		var levels []level.Level
		err := c.Read(func(tx *db.Tx) (err error) {
			if ids, err = next(tx, after, page); err != nil || len(ids) == 0 {
				return err
			}
			if byID, err = FindAll(tx, c.Store.Key, ids...); err == nil && table.Wants("points") {
				balances, err = points.Balances(tx, c.Store, ids...)
			}
			if err == nil && table.Wants("level") {
				levels, err = level.All(tx, c.Store.Key)
			}
			return err
		})
		for _, id := range ids {
			if who := byID[id]; who != nil && err == nil {
				err = table.Row(append(who.exported(c.Store), who.exportedMore(c.Store, levels, locale, balances[id])...)...)
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

// exportedMore returns the cells of the columns that are shown only if the request names them.
func (c *Customer) exportedMore(s *store.Store, levels []level.Level, locale api.Locale, balance points.Account,
) []string {
	levelName := ""
	if l := level.Find(levels, c.LevelID); l != nil {
		levelName = l.Name(locale)
	}
	labels := make([]string, len(c.Labels))
	for i, l := range c.Labels {
		labels[i] = l.Key + ":" + l.Value
	}
	return []string{
		c.ID, c.Status, levelName, balance.Points.String(), c.Purchases.Amount.String(),
		strconv.FormatInt(c.Purchases.Count, 10), api.CellTime(c.Purchases.LastAt, s.Zone), c.Locale,
		c.Address.Street, c.Address.Address1,
		c.Address.Postal, c.Address.City, c.Address.Country, c.Company.Name, strings.Join(labels, ";"),
	}
}
