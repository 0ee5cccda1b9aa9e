package trade_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// A file that begins with the newest receipts has returns before their sales, in other batches than these. The
// background carries it out like a small one.
func TestReceiptsNewestFirst(t *testing.T) {
	t.Parallel()
	const sales = 70 // more than a batch has
	var file strings.Builder
	file.WriteString("documentNumber,documentType,revisedDocument,purchaseDate,customer.name,item.sku.code,item.name," +
		"item.category,item.quantity,item.grossValue\n")
	for n := sales; n > 0; n-- {
		fmt.Fprintf(&file, "V-%d,return,R-%d,2031-04-02,Ida,TEA,Tea,drinks,1,10\n", n, n)
	}
	for n := sales; n > 0; n-- {
		fmt.Fprintf(&file, "R-%d,sell,,2031-04-01,Ida,TEA,Tea,drinks,2,20\n", n)
	}
	form := "--part\r\nContent-Disposition: form-data; name=\"file[file]\"; filename=\"receipts.csv\"\r\n\r\n" +
		file.String() + "\r\n--part--\r\n"
	const media, path = "multipart/form-data; boundary=part", "/api/DEFAULT/admin/transaction/import"
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		for _, preference := range []string{"", "respond-async"} {
			admin := servertest.LogInAdmin(t, servertest.Run(t, servertest.PlainConfig(servertest.Database(t, engine))))
			admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
				"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B").Must(t)
			request := admin.Request("POST", path, media, form)
			request.Header.Set("Prefer", preference)
			var made struct {
				ImportID                  string
				Items                     []struct{ Identifier string }
				TotalSuccess, TotalFailed int
			}
			sent := servertest.Send(t, request)
			if err := json.Unmarshal(sent.Body, &made); err != nil {
				t.Fatalf("%d %s", sent.Status, sent.Body)
			}
			if preference == "" && (made.Items[0].Identifier != "V-70" || made.Items[2*sales-1].Identifier != "R-1") {
				t.Errorf("the response begins with %s", made.Items[0].Identifier)
			}
			if preference != "" {
				progress := admin.Request("GET", "/api/DEFAULT/admin/import/"+made.ImportID, "", "")
				progress.Header.Set("Prefer", "wait=20")
				if err := json.Unmarshal([]byte(servertest.Send(t, progress).Must(t)), &made); err != nil {
					t.Fatal(err)
				}
			}
			if made.TotalSuccess != 2*sales || made.TotalFailed != 0 {
				t.Errorf("%q: %d receipts were imported, %d refused", preference, made.TotalSuccess, made.TotalFailed)
			}
		}
	})
}
