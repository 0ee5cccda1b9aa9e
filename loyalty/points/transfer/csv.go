package transfer

import (
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// exportColumns are the columns of the export.
var exportColumns = api.Titled(
	"Created at", "Type", "State", "Points#", "Expires at", "Locked until", "First name", "Last name", "E-mail address",
	"Telephone", "Loyalty card number", "Comment", "Issuer", "Document number", "Point of sale", "Transfer ID",
)

// csvRows is the number of transfers that the CSV export reads at a time.
const csvRows = 500

// exportList serves the transfers of the list as CSV, in order of creation: docs/behaviour/points.md#csv-export.
func exportList(c *api.Call) error {
	filter, unread, err := readFilter(c)
	if err != nil {
		return err
	}
	if err := c.RefuseUnread(unread); err != nil {
		return err
	}
	var found []points.Transfer
	var views []view
	next := func(tx *db.Tx) error {
		after := ""
		if len(found) > 0 {
			after = found[len(found)-1].ID
		}
		if found, err = points.After(tx, c.Store.Key, filter, after, csvRows); err != nil || len(found) == 0 {
			return err
		}
		views, err = viewsOf(tx, c.Store, found)
		return err
	}
	if err := c.Read(next); err != nil {
		return err
	}
	table, err := c.Table("points_transfers", exportColumns)
	for err == nil && len(found) > 0 {
		for i := range found {
			if err := table.Row(cells(&found[i], &views[i], c.Store.Zone)...); err != nil {
				return err
			}
		}
		err = c.Read(next)
	}
	if err != nil {
		return err
	}
	return table.Close()
}

// cells are the columns of exportColumns. Points that leave the account have a minus.
func cells(t *points.Transfer, v *view, zone *time.Location) []string {
	value := v.Value.String()
	if !t.IsLot() {
		value = "-" + value
	}
	return []string{
		api.CellTime(t.CreatedAt, zone), v.Type, v.State, value, api.CellTime(t.ExpiresAt, zone),
		api.CellTime(t.LockedUntil, zone),
		v.CustomerFirstName, v.CustomerLastName, v.CustomerEmail, v.CustomerPhone, v.CustomerLoyaltyCardNumber,
		v.Comment, v.Issuer, v.DocumentNumber, v.POSName, v.ID,
	}
}
