package occasion_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/occasion"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// TestPlans shows that the job reads only the customers of its days.
func TestPlans(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		var mutex sync.Mutex
		asked := map[string][]any{}
		config := dbtest.Config(t, engine)
		config.Trace = func(query string, args []any) {
			mutex.Lock()
			defer mutex.Unlock()
			asked[query] = append([]any{}, args...)
		}
		c := &dbtest.Clock{}
		c.Set(time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC))
		d := dbtest.Open(t, config, c.Now)
		s := &shop{shoptest.Open(t, d, "SHOP", nil, shoptest.Level("Base", 0)), c, map[string]string{}}
		s.Configure(func(settings *store.Settings) { settings.WinBackDays = 30 })
		for _, event := range []string{template.Birthday, template.WinBack} {
			s.Write(func(tx *db.Tx) error {
				return template.Create(tx, s.Store, template.Template{
					Key:  template.Key{Event: event, Channel: template.SMS, Language: "en"},
					Text: template.Text{Content: "Hello"}, Enabled: true,
				})
			})
		}
		for batch := range 2 {
			s.Write(func(tx *db.Tx) error { return s.fill(tx, batch*250, 250) })
		}
		dbtest.Analyze(t, d)
		mutex.Lock()
		clear(asked) // what only the job asks is wanted
		mutex.Unlock()
		if _, err := occasion.Send(t.Context(), d, s.Store); err != nil {
			t.Fatal(err)
		}
		mutex.Lock()
		statements := maps.Clone(asked)
		mutex.Unlock()
		for table, index := range map[string]string{
			"FROM customers": "customers_birthday", "FROM transactions": "transactions_purchased",
		} {
			seen := false
			for query, args := range statements {
				if !strings.Contains(query, table) || !strings.Contains(query, "LIMIT") {
					continue
				}
				seen = true
				s.Read(func(tx *db.Tx) error {
					lines, err := dbtest.Plan(tx, query, args)
					if plan := strings.Join(lines, "\n"); !strings.Contains(plan, index) {
						t.Errorf("%s does not use %s:\n%s", query, index, plan)
					}
					return err
				})
			}
			if !seen {
				t.Errorf("no statement was seen with %s", table)
			}
		}
	})
}

// fill adds customers with a birthday and a sale on each day of the last months.
func (s *shop) fill(tx *db.Tx, from, n int) error {
	for i := from; i < from+n; i++ {
		day := tx.Now().AddDate(0, 0, -i%200)
		email := fmt.Sprintf("c%d@example.com", i)
		_, err := customer.Register(tx, s.Store, customer.Registration{
			FirstName: "C", LastName: "C", Email: email, BirthDate: day.AddDate(-30, 0, 0).Format(time.DateOnly), Active: true,
			Agreements: [3]bool{true, true, false},
		})
		if err != nil {
			return err
		}
		_, err = transaction.Register(tx, s.Store, transaction.Transaction{
			DocumentNumber: email, Type: transaction.Sell, PurchasedAt: day,
			Items: []transaction.Item{{
				SKU: transaction.SKU{Code: "TEA"}, Name: "Tea", Quantity: 1_000, GrossValue: decimal.Whole(5).Money(),
				Category: "drinks",
			}},
			CustomerData: transaction.CustomerData{Name: "C", Email: email},
		}, transaction.Hooks{})
		if err != nil {
			return err
		}
	}
	return nil
}
