package campaign

import (
	"slices"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const columns = "store_id, campaign_id, version, reward, active, featured, is_public, cost, unlimited, " +
	"single_coupon, usage_limit, limit_per_user, days_inactive, days_valid, all_time_active, active_from, active_to, " +
	"all_time_visible, visible_from, visible_to, created_at, definition"

func (c *Campaign) row() []any {
	return []any{
		&c.StoreKey, &c.ID, &c.Version, &c.Reward, &c.Active, &c.Featured, &c.Public, &c.Cost, &c.Unlimited,
		&c.SingleCoupon, &c.Limit, &c.LimitPerUser, &c.DaysInactive, &c.DaysValid,
		&c.Activity.AllTime, db.Time(&c.Activity.From), db.Time(&c.Activity.To),
		&c.Visibility.AllTime, db.Time(&c.Visibility.From), db.Time(&c.Visibility.To),
		db.Time(&c.CreatedAt), db.JSON(&c.Definition),
	}
}

const counterColumns = "store_id, campaign_id, version, sold, customers, next_position, last_position"

func (k *Counters) row() []any {
	return []any{
		&k.StoreKey, &k.CampaignID, &k.Version, &k.Sold, &k.Customers, &k.NextPosition, &k.LastPosition,
	}
}

func insert(tx *db.Tx, c *Campaign, k Counters, codes []string) error {
	if err := tx.Insert("campaigns", columns, "", c.row()); err != nil {
		return err
	}
	if err := tx.Insert("campaign_counters", counterColumns, "", k.row()); err != nil {
		return err
	}
	if err := insertTargets(tx, c); err != nil {
		return err
	}
	return insertCodes(tx, c, codes)
}

func insertTargets(tx *db.Tx, c *Campaign) error {
	targets := slices.Concat(c.Definition.Levels, c.Definition.Segments)
	slices.Sort(targets)
	rows := make([][]any, 0, len(targets))
	for _, target := range slices.Compact(targets) {
		rows = append(rows, []any{c.StoreKey, target, c.ID})
	}
	return tx.Insert("campaign_targets", "store_id, target_id, campaign_id", "", rows...)
}

// insertCodes gives the first copy of every code a position to be sold at, and further copies one
// below zero.
func insertCodes(tx *db.Tx, c *Campaign, codes []string) error {
	rows := make([][]any, len(codes))
	seen := make(map[string]bool, len(codes))
	next, repeated := int64(1), int64(-1)
	for i, code := range codes {
		position := next
		if seen[code] {
			position = repeated
			repeated--
		} else {
			next++
		}
		rows[i] = []any{c.StoreKey, c.ID, position, i + 1, code}
		seen[code] = true
	}
	return tx.Insert("campaign_codes", "store_id, campaign_id, position, list_number, code", "", rows...)
}

func distinct(codes []string) int64 {
	seen := make(map[string]bool, len(codes))
	for _, code := range codes {
		seen[code] = true
	}
	return int64(len(seen))
}

// Find reads a campaign with its counters.
func Find(tx *db.Tx, storeKey int64, id string) (*Campaign, Counters, error) {
	c, found, err := db.One(tx, (*Campaign).row,
		`SELECT `+columns+` FROM campaigns WHERE store_id = $1 AND campaign_id = $2`, storeKey, id)
	if err != nil || !found {
		return nil, Counters{}, orNotFound(err)
	}
	k, err := CountersOf(tx, storeKey, id)
	return &c, k[id], err
}

func orNotFound(err error) error {
	if err == nil {
		return fault.ErrNotFound
	}
	return err
}

// FindAll reads campaigns of a store by their different ids; unknown ones are missing from the result.
func FindAll(tx *db.Tx, storeKey int64, ids ...string) (map[string]*Campaign, error) {
	wanted, args := db.Among([]any{storeKey}, ids...)
	found, err := db.All(tx, (*Campaign).row, `SELECT `+columns+` FROM `+wanted+`
		CROSS JOIN campaigns c WHERE c.store_id = $1 AND c.campaign_id = v.column1`, args...)
	byID := make(map[string]*Campaign, len(found))
	for i := range found {
		byID[found[i].ID] = &found[i]
	}
	return byID, err
}

// CountersOf reads the counters of different campaigns of a store.
func CountersOf(tx *db.Tx, storeKey int64, ids ...string) (map[string]Counters, error) {
	wanted, args := db.Among([]any{storeKey}, ids...)
	return counters(db.All(tx, (*Counters).row, `SELECT `+counterColumns+` FROM `+wanted+`
		CROSS JOIN campaign_counters k WHERE k.store_id = $1 AND k.campaign_id = v.column1`, args...))
}

// LockCounters is CountersOf, locked in the order of the ids until the operation ends.
func LockCounters(tx *db.Tx, storeKey int64, ids ...string) (map[string]Counters, error) {
	wanted, args := db.Among([]any{storeKey}, ids...)
	return counters(db.All(tx, (*Counters).row, `SELECT `+counterColumns+` FROM `+wanted+`
		CROSS JOIN campaign_counters k WHERE k.store_id = $1 AND k.campaign_id = v.column1
		ORDER BY k.campaign_id FOR UPDATE OF k`, args...))
}

func counters(found []Counters, err error) (map[string]Counters, error) {
	byID := make(map[string]Counters, len(found))
	for _, k := range found {
		byID[k.CampaignID] = k
	}
	return byID, err
}

var (
	counterKeys = []db.Column{{Name: "store_id", Type: "BIGINT"}, {Name: "campaign_id", Type: "TEXT"}}
	counterSets = []db.Column{
		{Name: "sold", Type: "BIGINT"}, {Name: "customers", Type: "BIGINT"}, {Name: "next_position", Type: "BIGINT"},
	}
)

// SaveCounters writes locked counters back.
func SaveCounters(tx *db.Tx, all ...Counters) error {
	rows := make([][]any, len(all))
	for i, k := range all {
		rows[i] = []any{k.StoreKey, k.CampaignID, k.Sold, k.Customers, k.NextPosition}
	}
	return tx.Update("campaign_counters", counterKeys, counterSets, rows...)
}

// Code is a code with the position at which it is sold.
type Code struct {
	Position int64
	Code     string
}

func (c *Code) row() []any { return []any{&c.Position, &c.Code} }

// CodesAt reads the codes of positions from to to, both included, in their order.
func CodesAt(tx *db.Tx, storeKey int64, campaignID string, from, to int64) ([]Code, error) {
	return db.All(tx, (*Code).row, `SELECT position, code FROM campaign_codes
		WHERE store_id = $1 AND campaign_id = $2 AND position BETWEEN $3 AND $4 ORDER BY position`,
		storeKey, campaignID, from, to)
}

// CodesOf lists the codes of campaigns as they were sent.
func CodesOf(tx *db.Tx, storeKey int64, ids ...string) (map[string][]string, error) {
	list, args := db.In([]any{storeKey}, ids...)
	byCampaign := make(map[string][]string, len(ids))
	type row struct{ campaign, code string }
	err := db.Each(tx, func(r *row) []any { return []any{&r.campaign, &r.code} },
		func(r row) { byCampaign[r.campaign] = append(byCampaign[r.campaign], r.code) },
		`SELECT campaign_id, code FROM campaign_codes
		WHERE store_id = $1 AND campaign_id IN `+list+` ORDER BY campaign_id, list_number`, args...)
	return byCampaign, err
}

// setActive switches the flag; changed is false when the campaign has it already.
func setActive(tx *db.Tx, storeKey int64, id string, active bool) (changed bool, err error) {
	n, err := tx.Exec(`UPDATE campaigns SET active = $3 WHERE store_id = $1 AND campaign_id = $2 AND active <> $3`,
		storeKey, id, active)
	return n == 1, err
}

// newVersion makes every node read the definition anew before its next purchase.
func newVersion(tx *db.Tx, storeKey int64, id string) error {
	for _, table := range []string{"campaigns", "campaign_counters"} {
		if _, err := tx.Exec(`UPDATE `+table+` SET version = version + 1
			WHERE store_id = $1 AND campaign_id = $2`, storeKey, id); err != nil {
			return err
		}
	}
	return nil
}

// Sortable maps the sort names of reference-behaviour 8 to columns of campaigns c.
var Sortable = map[string]string{
	"campaignId": "c.campaign_id", "reward": "c.reward", "active": "c.active", "costInPoints": "c.cost",
	"unlimited": "c.unlimited", "singleCoupon": "c.single_coupon", "limit": "c.usage_limit",
	"limitPerUser": "c.limit_per_user", "daysInactive": "c.days_inactive", "daysValid": "c.days_valid",
	"featured": "c.featured", "public": "c.is_public", "createdAt": "c.created_at",
	"campaignActivity.allTimeActive": "c.all_time_active", "campaignActivity.activeFrom": "c.active_from",
	"campaignActivity.activeTo": "c.active_to", "campaignVisibility.allTimeVisible": "c.all_time_visible",
	"campaignVisibility.visibleFrom": "c.visible_from", "campaignVisibility.visibleTo": "c.visible_to",
}

func page(tx *db.Tx, storeKey int64, order string, limit, offset int) (found []Campaign, total int64, err error) {
	total, err = db.Value[int64](tx, `SELECT COUNT(*) FROM campaigns WHERE store_id = $1`, storeKey)
	if err != nil {
		return nil, 0, err
	}
	found, err = db.All(tx, (*Campaign).row, `SELECT `+columns+` FROM campaigns c
		WHERE store_id = $1 ORDER BY `+order+` LIMIT $2 OFFSET $3`, storeKey, limit, offset)
	return found, total, err
}

// Sold is the number of all purchases of a store.
func Sold(tx *db.Tx, storeKey int64) (int64, error) {
	return db.Value[int64](tx,
		`SELECT CAST(COALESCE(SUM(sold), 0) AS BIGINT) FROM campaign_counters WHERE store_id = $1`, storeKey)
}
