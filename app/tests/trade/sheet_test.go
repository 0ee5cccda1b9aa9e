package trade_test

import (
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// A spreadsheet of customers keeps all digits of a card as text, and has points as numbers.
func TestSheetOfCustomers(t *testing.T) {
	t.Parallel()
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		admin := servertest.LogInAdmin(t, servertest.Run(t, servertest.PlainConfig(servertest.Database(t, engine))))
		admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B").Must(t)
		id := admin.Form("/api/DEFAULT/admin/customer/register", "customer[firstName]=Ida&"+
			"customer[lastName]=Berg&customer[agreement1]=1&customer[email]=ida@example.org&"+
			"customer[loyaltyCardNumber]=6100000100000017").ID(t)
		admin.Form("/api/DEFAULT/points/transfer/add", "transfer[customer]="+id+"&transfer[points]=12.5").Must(t)
		r := admin.Send("GET", "/api/DEFAULT/csv/customer?format=xlsx&columns[]=loyaltyCardNumber&columns[]=points",
			"", "").Must(t)
		file, err := excelize.OpenReader(strings.NewReader(r))
		if err != nil {
			t.Fatal(err)
		}
		for cell, want := range map[string]struct {
			text string
			kind excelize.CellType
		}{
			"A1": {"Loyalty card number", excelize.CellTypeInlineString}, "B1": {"Points", excelize.CellTypeInlineString},
			"A2": {"6100000100000017", excelize.CellTypeInlineString}, "B2": {"12.5", excelize.CellTypeUnset},
		} {
			text, err := file.GetCellValue("Sheet1", cell)
			if err != nil {
				t.Fatal(err)
			}
			kind, err := file.GetCellType("Sheet1", cell)
			if text != want.text || kind != want.kind || err != nil {
				t.Errorf("%s is %q of type %d, want %q of type %d, %v", cell, text, kind, want.text, want.kind, err)
			}
		}
	})
}
