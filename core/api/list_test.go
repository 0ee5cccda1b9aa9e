package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// showPage responds with the requested page.
func showPage(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	return c.OK(fmt.Sprintf("%d %d %q %v", page.Offset, page.Limit, page.Sort, page.Descending))
}

func TestPageOfTheQuery(t *testing.T) {
	const tooLarge = "400"
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now)
	s := open(t, d, api.Endpoint{Method: "GET", Path: "/list", Access: access.Public(), Handle: showPage})
	for _, c := range []struct{ query, want string }{
		{"", `0 10 \"\" false`},
		{"page=1&perPage=10", `0 10 \"\" false`},
		{"page=2", `10 10 \"\" false`},
		{"page=3&perPage=7", `14 7 \"\" false`},
		{"page=0", `0 10 \"\" false`},
		{"page=-4", `0 10 \"\" false`},
		{"page=two&perPage=many", `0 10 \"\" false`},
		{"page=1.5&perPage=2.5", `0 10 \"\" false`},
		{"page[]=2&perPage[x]=3", `0 10 \"\" false`},
		{"perPage=0&page=2", `10 10 \"\" false`},
		{"perPage=-1", `0 100 \"\" false`},
		{"perPage=-1&page=5", `0 100 \"\" false`},
		{"page=-99999999999999999999", `0 10 \"\" false`},
		{"perPage=-99999999999999999999", `0 100 \"\" false`},
		{"page=10", `90 10 \"\" false`},
		{"page=100&perPage=1", `99 1 \"\" false`},
		{"perPage=100", `0 100 \"\" false`},
		{"page=11", tooLarge},
		{"page=101&perPage=1", tooLarge},
		{"perPage=101", tooLarge},
		{"page=2&perPage=51", tooLarge},
		{"page=99999999999999999999", tooLarge},
		{"perPage=99999999999999999999", tooLarge},
		{"page=9223372036854775807&perPage=9223372036854775807", tooLarge},
		{"page=4294967297&perPage=4294967297", tooLarge},
		{"sort=name", `0 10 \"name\" false`},
		{"sort=name&direction=ASC", `0 10 \"name\" false`},
		{"sort=name&direction=aSc", `0 10 \"name\" false`},
		{"sort=name&direction=", `0 10 \"name\" false`},
		{"sort=name&direction=desc", `0 10 \"name\" true`},
		{"sort=name&direction=DESC", `0 10 \"name\" true`},
		{"sort=name&direction=sideways", `0 10 \"name\" true`},
		{"sort=name&direction=ascending", `0 10 \"name\" true`},
		{"perPage=-1&sort=name&direction=desc", `0 100 \"name\" true`},
	} {
		status, body := s.get(t, "/list?"+c.query, "")
		body = strings.TrimSpace(body)
		if c.want == tooLarge {
			if status != 400 || body != `{"error":{"code":400,"message":"Result window is too large"}}` {
				t.Errorf("%s: %d %s, want a refusal", c.query, status, body)
			}
		} else if status != 200 || body != `"`+c.want+`"` {
			t.Errorf("%s: %d %s, want %s", c.query, status, body, c.want)
		}
	}
}

// rowsOrdered lists the ids of five rows, of which 2 and 4 have no value, and 1 and 5 the same one.
func rowsOrdered(t *testing.T, d *db.DB, order db.Order) string {
	t.Helper()
	var ids []string
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		return db.Each(tx, func(id *int64) []any { return []any{id} }, func(id int64) { ids = append(ids, fmt.Sprint(id)) },
			`SELECT id FROM (SELECT 1 AS id, 30 AS v UNION ALL SELECT 2, NULL UNION ALL SELECT 3, 10 UNION ALL
			SELECT 4, NULL UNION ALL SELECT 5, 30) AS list ORDER BY ?`, order)
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(ids, " ")
}

func TestOrderBy(t *testing.T) {
	order := api.Order{Columns: map[string]api.Column{"value": "v", "number": "id"}, Tie: "id"}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, c := range []struct {
			sort       string
			descending bool
			want       string
		}{
			{"", false, "1 2 3 4 5"},
			{"number", false, "1 2 3 4 5"},
			{"number", true, "5 4 3 2 1"},
			{"value", false, "3 1 5 2 4"},
			{"value", true, "2 4 1 5 3"},
			{"unknown", false, "1 2 3 4 5"},
			{"unknown", true, "5 4 3 2 1"},
			{"VALUE", false, "1 2 3 4 5"},
			{"v", false, "1 2 3 4 5"},
			{"v; DROP TABLE stores", true, "5 4 3 2 1"},
		} {
			page := api.Page{Sort: c.sort, Descending: c.descending}
			if got := rowsOrdered(t, d, page.OrderBy(order)); got != c.want {
				t.Errorf("sort %q, descending %v: %s, want %s", c.sort, c.descending, got, c.want)
			}
		}
	})
}

func TestPagesOfAListMakeTheList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(rapid.String()).Draw(t, "list")
		perPage := rapid.IntRange(1, 10).Draw(t, "perPage")
		var joined []string
		for offset := 0; offset < len(all)+2*perPage; offset += perPage {
			part := api.Page{Offset: offset, Limit: perPage}.Of(all)
			if len(part) > perPage || offset >= len(all) && len(part) > 0 {
				t.Fatalf("%d rows at %d of %d, %d per page", len(part), offset, len(all), perPage)
			}
			joined = append(joined, part...)
		}
		if !slices.Equal(joined, all) {
			t.Fatalf("the pages are %q, the list is %q", joined, all)
		}
	})
}
