package privacy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// A long history is exported completely, each row once, and erased completely.
func TestLongHistoriesAreExportedAndForgotten(t *testing.T) {
	const transfers, documents = 450, 120 // more than two pages and more than one
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		database := servertest.Database(t, engine)
		base := servertest.Run(t, servertest.PlainConfig(database))
		h := &hidden{T: t, admin: servertest.LogInAdmin(t, base)}
		h.admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=L&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=L&level[reward][value]=5&level[reward][code]=L").Must(t)
		h.ida = h.admin.Form("/api/DEFAULT/admin/customer/register", "customer[firstName]=Brzezicka&"+
			"customer[lastName]=B&customer[email]=zdz.brz@example.org&customer[agreement1]=1").ID(t)
		d := dbtest.Open(t, db.Config{URL: database.Database, File: database.Data + "/punchcard.db"}, servertest.FixedClock)
		if err := d.Write(t.Context(), func(tx *db.Tx) error { return h.remember(tx, transfers, documents) }); err != nil {
			t.Fatal(err)
		}
		before := h.export()
		if len(before.Transfers) != transfers || len(before.Transactions) != documents ||
			len(before.TransactionEvents) != 2*documents || len(before.Events) < transfers {
			t.Errorf("%d transfers, %d transactions, %d of their events, %d other events", len(before.Transfers),
				len(before.Transactions), len(before.TransactionEvents), len(before.Events))
		}
		seen := map[string]bool{}
		for _, one := range before.Transfers {
			seen[one.PointsTransferID] = true
		}
		for _, one := range before.Transactions {
			seen[one.TransactionID] = true
		}
		for _, one := range append(before.Events, before.TransactionEvents...) {
			seen[fmt.Sprint(one.ID)] = true
		}
		if len(seen) != transfers+documents+len(before.Events)+2*documents {
			t.Errorf("only %d different things", len(seen))
		}
		h.admin.Send("POST", "/api/DEFAULT/admin/customer/"+h.ida+"/anonymize", "", "").Must(t)
		stored := readTexts(t, d)
		for _, s := range []string{"Brzezicka", "zdz.brz@example.org"} {
			if found := stored.holding(s); len(found) > 0 {
				t.Errorf("%q is still in %v", s, found)
			}
		}
		if after := h.export(); len(after.Transfers) != transfers || len(after.Transactions) != documents {
			t.Errorf("then %d transfers, %d transactions", len(after.Transfers), len(after.Transactions))
		}
	})
}

// remember grants the customer points with comments, and registers receipts.
func (h *hidden) remember(tx *db.Tx, transfers, documents int) error {
	s, _, err := store.ByCode(tx, "DEFAULT")
	if err != nil {
		return err
	}
	owner := points.Owner{Store: s, CustomerID: h.ida}
	_, err = points.Change(tx, owner, func(w *points.Wallet) (all []event.Entry, _ error) {
		for range transfers {
			_, entry := w.Add(points.Grant{
				Value: decimal.Whole(1), Comment: "For Brzezicka", Issuer: points.ByAdmin, CreatedAt: tx.Now(),
			})
			all = append(all, entry)
		}
		return all, nil
	})
	for i := range documents {
		if err != nil {
			return err
		}
		_, err = transaction.Register(tx, s, transaction.Transaction{
			DocumentNumber: fmt.Sprintf("R-%d", i), Type: transaction.Sell,
			CustomerData: transaction.CustomerData{Name: "Brzezicka", Email: "zdz.brz@example.org"},
			Items: []transaction.Item{{
				SKU: transaction.SKU{Code: "TEA"}, Name: "Tea", Quantity: 1_000, GrossValue: decimal.Whole(1).Money(),
				Category: "drinks",
			}},
		}, transaction.Hooks{})
	}
	return err
}

type export struct {
	Transfers                 []struct{ PointsTransferID string }
	Transactions              []struct{ TransactionID string }
	Events, TransactionEvents []struct{ ID int64 }
}

// export returns everything that is stored about the customer.
func (h *hidden) export() (e export) {
	h.Helper()
	r := h.admin.Send("GET", "/api/DEFAULT/admin/customer/"+h.ida+"/export", "", "")
	if err := json.Unmarshal([]byte(r.Must(h.T)), &e); err != nil {
		h.Fatal(err)
	}
	if got := r.Header.Get("Content-Disposition"); got != `attachment; filename="customer_`+h.ida+`.json"` {
		h.Errorf("it is sent as %s", got)
	}
	if got := r.Header.Get("Cache-Control"); !strings.Contains(got, "no-store") {
		h.Errorf("it may be kept: %s", got)
	}
	return e
}
