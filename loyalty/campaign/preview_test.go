package campaign

import (
	"fmt"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func (c *crowd) preview(limit int, words string) (reach customer.Reach) {
	c.Helper()
	of := c.campaign(words)
	err := store.Read(background, c.DB, c.Store, func(tx *db.Tx) (err error) {
		reach, err = previewAudience(tx, of, limit)
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	return reach
}

func TestPreviewCountsEachCustomerOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := newCrowd(t, d, "bronze a", "bronze", "silver a b", "silver b", "silver off")
		for words, want := range map[string]int64{
			"bronze": 2, "silver": 3, "bronze silver": 5, "a": 2, "bronze a": 3, "bronze b": 4, "a b": 3, "unknown": 0, "off": 0,
		} {
			got := c.preview(customer.PreviewLimit, words)
			if got.Customers != want || got.Total != 5 || got.Estimate || len(got.Examples) != int(want) {
				t.Errorf("%s: %+v, want %d", words, got, want)
			}
		}
	})
}

// A preview that may look at few customers knows the size of one segment all the same, and never exceeds the sizes of
// the targets.
func TestPreviewOfFewCustomersUsesTheSizesOfTargets(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		customers := make([]string, 300)
		for i := range customers {
			customers[i] = "bronze"
			if i >= 297 {
				customers[i] = "silver a"
			}
		}
		c := newCrowd(t, d, customers...)
		for words, want := range map[string]string{
			"a": "3 of 300, 3 shown", "silver a": "3 of 300, 3 shown", "bronze silver": "300 of 300, 5 shown",
		} {
			got := c.preview(1, words)
			if is := fmt.Sprintf("%d of %d, %d shown", got.Customers, got.Total, len(got.Examples)); is != want ||
				!got.Estimate || got.Examined >= 300 {
				t.Errorf("%s: %s, want %s: %+v", words, is, want, got)
			}
		}
		if got := c.preview(1, "silver"); got.Customers > 3 || len(got.Examples) != 3 {
			t.Errorf("silver: %+v", got)
		}
	})
}
