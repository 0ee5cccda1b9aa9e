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

// exportList exports the transfers of the list in order of creation: docs/behaviour/points.md#csv-export.
func exportList(c *api.Call) (api.Pages, error) {
	filter, unread, err := readFilter(c)
	if err != nil {
		return nil, err
	}
	after := ""
	return func(tx *db.Tx) ([][]string, error) {
		found, err := points.After(tx, c.Store.Key, filter, after, csvRows)
		if err != nil || len(found) == 0 {
			return nil, err
		}
		views, err := viewsOf(tx, c.Store, found)
		if err != nil {
			return nil, err
		}
		rows := make([][]string, len(found))
		for i := range found {
			rows[i] = cells(&found[i], &views[i], c.Store.Zone)
		}
		after = found[len(found)-1].ID
		return rows, nil
	}, c.RefuseUnread(unread)
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
