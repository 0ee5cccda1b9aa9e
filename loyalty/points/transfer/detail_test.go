package transfer_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// One transfer shows its present state, also while the job has not stored it yet.
func TestDetailsOfADueTransfer(t *testing.T) {
	forEach(t, func(t *testing.T, s *shop) {
		s.t = t
		base := s.serve()
		id := s.grant(s.ida, "due", 10, 40) // pending for five days
		for _, c := range []struct {
			days                int
			state, left, lapsed string
		}{
			{0, points.Pending, "10", ""}, {6, points.Active, "10", ""}, {60, points.Expired, "", "10"},
		} {
			s.clock.Advance(time.Duration(c.days) * 24 * time.Hour)
			var got struct {
				State, Comment      string
				Left, ExpiredPoints json.Number
				LockedUntil         string
			}
			body := readRequest(t, base+"/api/SHOP/points/transfer/"+strings.ToUpper(id))
			if err := json.Unmarshal([]byte(body), &got); err != nil {
				t.Fatal(err)
			}
			if got.State != c.state || got.Left.String() != c.left || got.ExpiredPoints.String() != c.lapsed ||
				(got.LockedUntil != "") != (c.state == points.Pending) {
				t.Errorf("after %d days: %s", c.days, body)
			}
		}
	})
}

// The export reads page by page, and leaves out and repeats nothing.
func TestExportReadsEveryPage(t *testing.T) {
	const many = 1001
	forEach(t, func(t *testing.T, s *shop) {
		s.t = t
		base := s.serve()
		s.write(func(tx *db.Tx) error {
			_, err := points.Change(tx, points.Owner{Store: s.store, CustomerID: s.ole},
				func(w *points.Wallet) (entries []event.Entry, err error) {
					for i := range many {
						_, entry := w.Add(points.Grant{
							Value: decimal.Whole(1), Comment: fmt.Sprint("n", i), CreatedAt: s.clock.Now(),
						})
						entries = append(entries, entry)
					}
					return entries, nil
				})
			return err
		})
		for query, want := range map[string]int{
			"": many + 8, "?type=adding": many + 5, "?customerId=" + s.ole + "&state=pending": many,
			"?createdAtTo=2031-03-05": 6, "?customerFirstName=nobody": 0, "?type=lost": 0,
		} {
			rows, err := csv.NewReader(strings.NewReader(readRequest(t, base+"/api/SHOP/csv/points/transfer"+query))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for _, row := range rows[1:] {
				seen[row[len(row)-1]] = true
			}
			if len(seen) != want || len(rows) != want+1 {
				t.Errorf("%q: %d rows with %d ids, want %d", query, len(rows)-1, len(seen), want)
			}
		}
	})
}

// read returns the body of a successful GET as an administrator.
func readRequest(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s (%v)", url, response.StatusCode, body, err)
	}
	return string(body)
}
