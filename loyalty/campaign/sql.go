package campaign

import (
	"fmt"
	"slices"
	"strings"

	"punchcard/platform/counter"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

const columns = "store_id, campaign_id, version, reward, active, featured, is_public, cost, unlimited, " +
	"single_coupon, usage_limit, limit_per_user, days_inactive, days_valid, all_time_active, active_from, active_to, " +
	"all_time_visible, visible_from, visible_to, created_at, definition, for_segments, push_text, link, point_value, " +
	"percentage, reward_value, tax, tax_price, fulfillment_tracking, connect_type, earning_rule_id, limit_period, " +
	"archived_at, total_limit_period"

// row lists the columns of a campaign, with the name of its reward type.
func (c *Campaign) row(reward *string) []any {
	d, forSegments := &c.Definition, len(c.Definition.Segments) > 0
	return []any{
		&c.StoreKey, &c.ID, &c.Version, reward, &c.Active, &c.Featured, &c.Public, &c.Cost, &c.Unlimited,
		&c.SingleCoupon, &c.Limit, &c.LimitPerUser, &c.DaysInactive, &c.DaysValid,
		&c.Activity.AllTime, db.Time(&c.Activity.From), db.Time(&c.Activity.To),
		&c.Visibility.AllTime, db.Time(&c.Visibility.From), db.Time(&c.Visibility.To),
		db.Time(&c.CreatedAt), db.JSON(d), &forSegments, &d.PushNotificationText, &d.MoreInformationLink, &d.PointValue,
		&d.Percentage, &d.RewardValue, &d.Tax, &d.TaxPriceValue, &d.FulfillmentTracking, &d.ConnectType,
		&d.EarningRuleID, &c.LimitPeriod, db.Time(&c.ArchivedAt), &c.TotalPeriod,
	}
}

const counterColumns = "store_id, campaign_id, version, sold, customers, next_position, last_position, " +
	"last_day, sold_on_last_day, held_until"

func (k *Counters) row() []any {
	return []any{
		&k.StoreKey, &k.CampaignID, &k.Version, &k.Sold, &k.Customers, &k.NextPosition, &k.LastPosition,
		(*int64)(&k.LastDay.Day), &k.LastDay.Sold, db.Time(&k.HeldUntil),
	}
}

// replacing is the ON CONFLICT clause of an INSERT of campaigns that replaces an existing row.
var replacing = "ON CONFLICT (store_id, campaign_id) DO UPDATE SET " + excluded(columns)

// excluded returns assignments of the inserted values: a = excluded.a, b = excluded.b.
func excluded(columns string) string {
	names := strings.Split(columns, ", ")
	for i, name := range names {
		names[i] = name + " = excluded." + name
	}
	return strings.Join(names, ", ")
}

// changesCounter is the name of the counter of a store's changes of campaigns, new campaigns included.
const changesCounter = "campaign changes"

// SelectChanges returns a query for the number of changes of campaigns of a store. It sets changes, which stays the
// same while no campaign changes. Purchases do not count.
func SelectChanges(storeKey int64, changes *int64) db.Query {
	return counter.SelectTotal(storeKey, changes, changesCounter)
}

// saveRow inserts or replaces a campaign.
func saveRow(tx *db.Tx, c *Campaign) error {
	counter.Add(tx, c.StoreKey, changesCounter, 1)
	reward := c.Reward.Name
	return tx.Insert("campaigns", columns, replacing, c.row(&reward))
}

// save is saveRow with the lookup rows and the search document.
func save(tx *db.Tx, c *Campaign) error {
	if err := saveRow(tx, c); err != nil {
		return err
	}
	for _, table := range []string{"campaign_targets", "campaign_categories", "campaign_labels", "campaign_names"} {
		if _, err := tx.Exec(`DELETE FROM `+table+` WHERE store_id = ? AND campaign_id = ?`,
			c.StoreKey, c.ID); err != nil {
			return err
		}
	}
	d := &c.Definition
	err := tx.Insert("campaign_targets", "store_id, target_id, campaign_id", "",
		lookupRows(c, d.targets(), func(id string) []any { return []any{id} })...)
	if err != nil {
		return err
	}
	err = tx.Insert("campaign_categories", "store_id, category_id, campaign_id", "",
		lookupRows(c, d.Categories, func(id string) []any { return []any{id} })...)
	if err != nil {
		return err
	}
	err = tx.Insert("campaign_labels", "store_id, label_key, label_value, campaign_id", "",
		lookupRows(c, d.Labels, func(l Label) []any { return []any{l.Key, l.Value} })...)
	if err != nil {
		return err
	}
	named := slices.DeleteFunc(slices.Clone(d.Translations), func(t Translation) bool { return t.Name == "" })
	return tx.Insert("campaign_names", "store_id, locale, name, name_order, campaign_id", "",
		lookupRows(c, named, func(t Translation) []any { return []any{t.Locale, t.Name, search.Fold(t.Name)} })...)
}

// lookupRows builds the lookup rows of a campaign without duplicates.
func lookupRows[T comparable](c *Campaign, things []T, columns func(T) []any) [][]any {
	rows := make([][]any, 0, len(things))
	seen := make(map[T]bool, len(things))
	for _, thing := range things {
		if !seen[thing] {
			rows = append(rows, slices.Concat([]any{c.StoreKey}, columns(thing), []any{c.ID}))
		}
		seen[thing] = true
	}
	return rows
}

// read reads the campaigns of a query of all columns.
func (t Types) read(tx *db.Tx, query string, args ...any) ([]Campaign, error) {
	type row struct {
		Campaign
		reward string
	}
	rows, err := db.All(tx, func(r *row) []any { return r.row(&r.reward) }, query, args...)
	if err != nil {
		return nil, err
	}
	found := make([]Campaign, len(rows))
	for i := range rows {
		found[i] = rows[i].Campaign
		if found[i].Reward = t.find(rows[i].reward); found[i].Reward == nil {
			return nil, fmt.Errorf("campaign %s has the unknown reward type %q", rows[i].ID, rows[i].reward)
		}
	}
	return found, nil
}

// Find returns a campaign with its counters.
func (k *Catalogue) Find(tx *db.Tx, storeKey int64, id string) (*Campaign, Counters, error) {
	found, err := k.Types.read(tx,
		`SELECT `+columns+` FROM campaigns WHERE store_id = ? AND campaign_id = ?`, storeKey, id)
	if err != nil {
		return nil, Counters{}, err
	}
	if len(found) == 0 {
		return nil, Counters{}, fault.ErrNotFound
	}
	counters, err := CountersOf(tx, storeKey, id)
	return &found[0], counters[id], err
}

// FindAll returns campaigns of a store by id. Ids must be distinct; unknown ones are missing from the result.
func (k *Catalogue) FindAll(tx *db.Tx, storeKey int64, ids ...string) (map[string]*Campaign, error) {
	found, err := k.Types.read(tx, `SELECT `+columns+` FROM ? AS v (store, id)
		CROSS JOIN campaigns c WHERE c.store_id = v.store AND c.campaign_id = v.id`,
		tx.Among(storeKey, ids...))
	byID := make(map[string]*Campaign, len(found))
	for i := range found {
		byID[found[i].ID] = &found[i]
	}
	return byID, err
}

// CountersOf returns the counters of distinct campaigns of a store. Unknown ones are missing from the result.
func CountersOf(tx *db.Tx, storeKey int64, ids ...string) (map[string]Counters, error) {
	found, query := selectCounters(tx, ``, storeKey, ids)
	if err := tx.Run(query); err != nil {
		return nil, err
	}
	return found, countHolds(tx, storeKey, found)
}

// LockCounters is CountersOf with row locks, taken in order of ids and held until the operation ends.
func LockCounters(tx *db.Tx, storeKey int64, ids ...string) (map[string]Counters, error) {
	found, query := LockingCounters(tx, storeKey, ids...)
	if err := tx.Run(query); err != nil {
		return nil, err
	}
	return found, countHolds(tx, storeKey, found)
}

// LockingCounters returns the query of LockCounters, and the map that it fills. Catalogue.Load counts the holds.
func LockingCounters(tx *db.Tx, storeKey int64, ids ...string) (map[string]Counters, db.Query) {
	return selectCounters(tx, ` ORDER BY k.campaign_id FOR UPDATE OF k`, storeKey, ids)
}

func selectCounters(tx *db.Tx, ending string, storeKey int64, ids []string) (map[string]Counters, db.Query) {
	found := make(map[string]Counters, len(ids))
	return found, db.Select((*Counters).row, func(k Counters) {
		found[k.CampaignID] = k
		k.record(tx)
	},
		`SELECT `+counterColumns+` FROM ? AS v (store, id)
		CROSS JOIN campaign_counters k WHERE k.store_id = v.store AND k.campaign_id = v.id`+ending,
		tx.Among(storeKey, ids...))
}

var (
	counterKeys = []db.Column{{Name: "store_id", Type: "BIGINT"}, {Name: "campaign_id", Type: "TEXT"}}
	counterSets = []db.Column{
		{Name: "sold", Type: "BIGINT"}, {Name: "customers", Type: "BIGINT"}, {Name: "next_position", Type: "BIGINT"},
		{Name: "last_day", Type: "BIGINT"}, {Name: "sold_on_last_day", Type: "BIGINT"},
	}
)

// SaveCounters writes locked counters back.
func SaveCounters(tx *db.Tx, all ...Counters) error {
	rows := make([][]any, len(all))
	for i, k := range all {
		k.record(tx)
		rows[i] = []any{
			k.StoreKey, k.CampaignID, k.Sold, k.Customers, k.NextPosition, int64(k.LastDay.Day), k.LastDay.Sold,
		}
		if k.Ended.Day != 0 {
			addToDay(tx, k.StoreKey, k.Ended.Day, k.CampaignID, k.Ended.Sold)
		}
	}
	return tx.Update("campaign_counters", counterKeys, counterSets, rows...)
}

// record notes the counter for a dry run.
func (k *Counters) record(tx *db.Tx) { sold.Note(tx, k.CampaignID, k.Sold) }

// redefine writes the columns of locked counters that a new definition changes.
func redefine(tx *db.Tx, k Counters) error {
	_, err := tx.Exec(`UPDATE campaign_counters SET version = ?, last_position = ?
		WHERE store_id = ? AND campaign_id = ?`, k.Version, k.LastPosition, k.StoreKey, k.CampaignID)
	return err
}

// Purchases returns the number of all purchases of a store, also of those that were taken back.
func Purchases(tx *db.Tx, storeKey int64) (int64, error) {
	return db.Value[int64](tx,
		`SELECT CAST(COALESCE(SUM(next_position - 1), 0) AS BIGINT) FROM campaign_counters WHERE store_id = ?`, storeKey)
}
