package campaign

import (
	"encoding/json"

	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/keytext"
	"punchcard/platform/search"
)

// Campaigns is the table that rows of other packages refer to.
var Campaigns = check.Table{Name: "campaigns", ID: "campaign_id"}

// The stored totals of each campaign, which its purchases must add up to.
const (
	SoldTotals      check.Totals = `SELECT store_id, campaign_id AS id, sold AS total FROM campaign_counters`
	PurchasesTotals check.Totals = `SELECT store_id, campaign_id AS id, next_position - 1 AS total FROM campaign_counters`
	CustomersTotals check.Totals = `SELECT store_id, campaign_id AS id, customers AS total FROM campaign_counters`
)

// SoldCodesQuery selects store_id, campaign_id, position and code of the codes that purchases can have taken.
const SoldCodesQuery = `SELECT store_id, campaign_id, position, code FROM campaign_codes WHERE position > 0`

// LimitsQuery selects store_id, campaign_id, usage_limit and limit_per_user of campaigns that were never changed
// and whose limits count all purchases. A changed campaign can have lower limits than the number of its purchases.
func (t Types) LimitsQuery() string {
	return `SELECT store_id, campaign_id, usage_limit, limit_per_user FROM campaigns
		WHERE NOT unlimited AND limit_period = '' AND total_limit_period = '' AND version = 1` +
		t.Except("reward", func(t *RewardType) bool { return !t.Fields.Limits })
}

// Known returns the invariant that all campaigns have one of the types. The server does not start if it is violated.
func (t Types) Known() check.Rule {
	return check.Rows("campaign.reward", `SELECT store_id, campaign_id, reward, 'a reward type of this program'
		FROM campaigns WHERE TRUE`+t.Except("reward", func(*RewardType) bool { return true }))
}

// Rules returns the invariants of campaigns, their counters and codes.
func Rules(types Types) []check.Rule {
	counters := check.Table{Name: "campaign_counters", ID: "campaign_id"}
	rules := []check.Rule{
		check.Equal("campaign.versions",
			`SELECT store_id, campaign_id AS id, version AS total FROM campaign_counters`,
			`SELECT store_id, campaign_id AS id, version AS total FROM campaigns`),
		types.Known(),
		check.Rows("campaign.archived", `SELECT store_id, campaign_id, 'active', 'inactive, as it is archived'
			FROM campaigns WHERE active AND archived_at IS NOT NULL`),
		check.OneOf("campaign.total_limit_period", check.Table{Name: "campaigns", ID: "campaign_id"}, "total_limit_period",
			append([]string{""}, limitPeriods...)...),
		check.OneOf("campaign.limit_period", check.Table{Name: "campaigns", ID: "campaign_id"}, "limit_period",
			append([]string{""}, limitPeriods...)...),
		check.Rows("campaign.positions", `SELECT store_id, campaign_id, next_position, sold + 1
			FROM campaign_counters WHERE next_position < sold + 1 OR sold < 0 OR customers < 0`),
		check.Written("campaign.code_keys", check.Table{Name: "campaign_codes", ID: "campaign_id"}, "code", keytext.Clean),
		check.Fold("campaign.loose_codes", checkLooseCodes),
		// A code that is in two positions would be sold twice.
		check.Rows("campaign.codes", `SELECT store_id, campaign_id, COUNT(*), 'one position for a code'
			FROM campaign_codes WHERE position > 0 GROUP BY store_id, campaign_id, code HAVING COUNT(*) > 1`),
		check.Rows("campaign.lists", `SELECT store_id, campaign_id, COUNT(DISTINCT list_number), COUNT(*)
			FROM campaign_codes GROUP BY store_id, campaign_id HAVING COUNT(DISTINCT list_number) <> COUNT(*)`),
		check.Rows("campaign.batches", `SELECT store_id, batch_id, added, requested FROM campaign_code_batches
			WHERE added > requested OR state = 'finished' AND added < requested
				OR state = 'running' AND finished_at IS NOT NULL OR state <> 'running' AND finished_at IS NULL`),
		check.Equal("campaign.stock",
			`SELECT store_id, campaign_id AS id, last_position - next_position + 1 AS total FROM campaign_counters
				WHERE last_position >= next_position`,
			`SELECT k.store_id, k.campaign_id AS id, COUNT(*) AS total FROM campaign_counters k
				JOIN campaign_codes c ON c.store_id = k.store_id AND c.campaign_id = k.campaign_id
				AND c.position >= k.next_position AND c.position > 0 GROUP BY k.store_id, k.campaign_id`),
		check.Refers("campaign.counted", counters, "campaign_id", Campaigns),
		check.JSON[Definition]("campaign.definition", Campaigns, "definition"),
		check.Refers("campaign.searched", search.Documents(SearchKind), "object_id", Campaigns),
		check.Fold("campaign.search", checkSearch),
	}
	for _, table := range []string{
		"campaign_codes", "campaign_targets", "campaign_categories", "campaign_labels", "campaign_names", "campaign_images",
		"campaign_code_batches",
	} {
		rules = append(rules, check.Refers("campaign.of."+table, check.Table{Name: table, ID: "campaign_id"},
			"campaign_id", Campaigns))
	}
	return rules
}

// checkSearch compares the search index with the names of the campaigns.
func checkSearch(tx *db.Tx, found func(store int64, id, is, want string)) error {
	type row struct {
		Campaign
		definition, name, words string
	}
	return db.Each(tx, func(r *row) []any {
		return []any{&r.StoreKey, &r.ID, &r.definition, db.Text(&r.name), db.Text(&r.words)}
	}, func(r row) {
		if json.Unmarshal([]byte(r.definition), &r.Definition) != nil {
			return // reported by another rule
		}
		document := r.document()
		if name, words := document.Columns(); name != r.name || words != r.words {
			found(r.StoreKey, r.ID, "found by"+r.name, "by"+name)
		}
	}, `SELECT c.store_id, c.campaign_id, c.definition, d.name, d.words FROM campaigns c
		LEFT JOIN (`+search.DocumentsOf(SearchKind)+`) d ON d.store_id = c.store_id AND d.object_id = c.campaign_id`)
}

// checkLooseCodes compares the loose forms of codes with the codes.
func checkLooseCodes(tx *db.Tx, found func(store int64, id, is, want string)) error {
	type row struct {
		store           int64
		id, code, loose string
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.store, db.Text(&r.id), &r.code, &r.loose} }, func(r row) {
		if keytext.Loose(r.code) != r.loose {
			found(r.store, r.id, "a code with another loose form", "that of the code")
		}
	}, `SELECT store_id, campaign_id, code, loose FROM campaign_codes`)
}
