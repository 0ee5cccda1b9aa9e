package campaign

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"punchcard/api"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// oldDefinitions are the definitions of campaigns, in JSON, from when everything but filters stood in them.
var oldDefinitions = []string{
	`{"translations":[{"id":1,"locale":"en","name":"Ten off"},{"id":2,"locale":"pl","name":""}],"levels":null,` +
		`"segments":["` + segmentID + `"],"categories":["` + ruleID + `","` + ruleID + `"],` +
		`"labels":[{"key":"a","value":"b:c"},{"key":"a","value":"b:c"},{"key":"a","value":""}],` +
		`"pushNotificationText":"It's \"now\"",` +
		`"moreInformationLink":"https://shop.example","pointValue":0.29,"transactionPercentageValue":15,` +
		`"rewardValue":9.99,"tax":0,"taxPriceValue":0.07,"fulfillmentTracking":true,"connectType":"qrcode",` +
		`"earningRuleId":"` + otherID + `","cashbackProvider":"payprovider"}`,
	`{"translations":null,"levels":["` + levelID + `"],"segments":null,"categories":null,"labels":null}`,
	`{"translations":[{"id":3,"locale":"en","name":"Three"}],"levels":[],"segments":[],"categories":[],"labels":[],` +
		`"singleCode":"A"}`,
}

// Campaigns of the schema before the migration read back as they were, and are found by what they say.
func TestOldCampaignsAreKept(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			d, err := db.Open(background, dbtest.Empty(t, engine))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = d.Close() })
			if err := d.Migrate(background, migrationsBefore(t, "0007")); err != nil {
				t.Fatal(err)
			}
			ids := insertOldCampaigns(t, d)
			if err := d.Migrate(background, migrations.Files); err != nil {
				t.Fatal(err)
			}
			english := api.Locale{Wanted: "en", Default: "en"}
			err = d.Read(background, func(tx *db.Tx) error {
				for query, want := range map[string]string{
					"": "012", "labels[0][key]=a&labels[0][value]=b:c": "0", "labels[0][value]=": "012", "name=Ten": "0",
					"name=e": "02", "categoryId[]=" + ruleID: "0", "hasSegment=1": "0", "hasSegment=0": "12",
					"isFulfillmentTracking=1": "0",
				} {
					found, _, err := catalogue.page(tx, 7, ReadFilter(queryOf(t, query)), api.Page{Limit: 10}, english)
					if err != nil {
						return err
					}
					got := ""
					for _, c := range found {
						got += map[string]string{ids[0]: "0", ids[1]: "1", ids[2]: "2"}[c.ID]
					}
					if got != want {
						t.Errorf("%s: %q, want %q", query, got, want)
					}
				}
				checkOldDefinitions(t, tx, ids)
				return checkOldCodes(t, tx, ids)
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func insertOldCampaigns(t *testing.T, d *db.DB) (ids []string) {
	t.Helper()
	err := d.Write(background, func(tx *db.Tx) error {
		for i, definition := range oldDefinitions {
			ids = append(ids, tx.NewID())
			err := tx.Insert("campaigns", "store_id, campaign_id, version, reward, active, featured, is_public, cost, "+
				"unlimited, single_coupon, usage_limit, limit_per_user, days_inactive, days_valid, all_time_active, "+
				"active_from, active_to, all_time_visible, visible_from, visible_to, created_at, definition", "",
				[]any{int64(7), ids[i], int64(3), GiftCode.Name, true, false, true, int64(5), true, i == 2, int64(0), int64(0),
					int64(1), int64(2), true, nil, nil, false, int64(4), int64(5), int64(6), definition})
			if err != nil {
				return err
			}
			row := func(position, number int, code string) []any { return []any{int64(7), ids[i], position, number, code} }
			err = tx.Insert("campaign_codes", "store_id, campaign_id, position, list_number, code", "",
				row(1, 1, "A"), row(2, 2, "B"), row(-1, 3, "A"), row(3, 4, "C"))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func checkOldDefinitions(t *testing.T, tx *db.Tx, ids []string) {
	t.Helper()
	byID, err := catalogue.FindAll(tx, 7, ids...)
	if err != nil || len(byID) != len(ids) {
		t.Fatalf("%d campaigns, %v", len(byID), err)
	}
	first := byID[ids[0]]
	want := Definition{
		Translations: []Translation{{ID: 1, Locale: "en", Name: "Ten off"}, {ID: 2, Locale: "pl"}},
		Segments:     []string{segmentID}, Categories: []string{ruleID, ruleID},
		Labels:           []Label{{"a", "b:c"}, {"a", "b:c"}, {"a", ""}},
		CashbackProvider: "payprovider", PushNotificationText: `It's "now"`, MoreInformationLink: "https://shop.example",
		PointValue: 29, Percentage: 15, RewardValue: new(decimal.Hundredths(999)), Tax: new(int64(0)),
		TaxPriceValue: new(decimal.Hundredths(7)), FulfillmentTracking: true, ConnectType: "qrcode", EarningRuleID: otherID,
	}
	if diff := cmp.Diff(want, first.Definition); diff != "" {
		t.Error(diff)
	}
	if first.Version != 3 || first.Cost != 5 || !first.Public || first.DaysValid != 2 ||
		first.Visibility.To.UnixMicro() != 5 {
		t.Errorf("the first campaign is %+v", first)
	}
	if diff := cmp.Diff(Definition{Levels: []string{levelID}}, byID[ids[1]].Definition); diff != "" {
		t.Error(diff)
	}
}

func checkOldCodes(t *testing.T, tx *db.Tx, ids []string) error {
	t.Helper()
	for i, want := range []string{"A@1 B@2 A@-1 C@3", "A@1 B@2 A@-1 C@3", "A@1 B@-1000000002 A@-1 C@-1000000004"} {
		list, err := codeList(tx, 7, ids[i])
		if got := positions(list); err != nil || got != want {
			t.Errorf("campaign %d: codes %s, want %s", i, got, want)
		}
	}
	return nil
}

// migrationsBefore are those with a smaller number.
func migrationsBefore(t *testing.T, number string) fs.FS {
	t.Helper()
	files, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	before := fstest.MapFS{}
	for _, name := range files {
		text, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if name < number {
			before[name] = &fstest.MapFile{Data: text}
		}
	}
	return before
}
