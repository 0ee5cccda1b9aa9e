package campaign

import (
	"fmt"

	"punchcard/platform/counter"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

// stored is a row of campaigns.
type stored struct {
	Campaign
	reward      string // name of its type
	forSegments bool
}

var table = db.NewConfiguration("campaigns", "store_id, campaign_id", func(c *stored) db.Row {
	d := &c.Definition
	return db.Row{
		"store_id", &c.StoreKey, "campaign_id", &c.ID, "version", &c.Version, "reward", &c.reward, "active", &c.Active,
		"featured", &c.Featured, "is_public", &c.Public, "cost", &c.Cost, "unlimited", &c.Unlimited,
		"single_coupon", &c.SingleCoupon, "usage_limit", &c.Limit, "limit_per_user", &c.LimitPerUser,
		"days_inactive", &c.DaysInactive, "days_valid", &c.DaysValid, "all_time_active", &c.Activity.AllTime,
		"active_from", db.Time(&c.Activity.From), "active_to", db.Time(&c.Activity.To),
		"all_time_visible", &c.Visibility.AllTime, "visible_from", db.Time(&c.Visibility.From),
		"visible_to", db.Time(&c.Visibility.To), "created_at", db.Time(&c.CreatedAt), "definition", db.JSON(d),
		"for_segments", &c.forSegments, "push_text", &d.PushNotificationText, "link", &d.MoreInformationLink,
		"point_value", &d.PointValue, "percentage", &d.Percentage, "reward_value", &d.RewardValue, "tax", &d.Tax,
		"tax_price", &d.TaxPriceValue, "fulfillment_tracking", &d.FulfillmentTracking, "connect_type", &d.ConnectType,
		"earning_rule_id", &d.EarningRuleID, "limit_period", &c.LimitPeriod, "archived_at", db.Time(&c.ArchivedAt),
		"total_limit_period", &c.TotalPeriod,
	}
})

var counterTable = db.NewTable("campaign_counters", "store_id, campaign_id", func(k *Counters) db.Row {
	return db.Row{
		"store_id", &k.StoreKey, "campaign_id", &k.CampaignID, "version", &k.Version, "sold", &k.Sold,
		"customers", &k.Customers, "next_position", &k.NextPosition, "last_position", &k.LastPosition,
		"last_day", (*int64)(&k.LastDay.Day), "sold_on_last_day", &k.LastDay.Sold, "held_until", db.Time(&k.HeldUntil),
	}
})

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
	return table.Put(tx, &stored{*c, c.Reward.Name, len(c.Definition.Segments) > 0})
}

// save is saveRow with the lookup rows and the search document.
func save(tx *db.Tx, c *Campaign) error {
	if err := saveRow(tx, c); err != nil {
		return err
	}
	d := &c.Definition
	var targets, categories, labels, names []lookup
	for _, id := range d.targets() {
		targets = append(targets, lookup{c.StoreKey, c.ID, id, ""})
	}
	for _, id := range d.Categories {
		categories = append(categories, lookup{c.StoreKey, c.ID, id, ""})
	}
	for _, l := range d.Labels {
		labels = append(labels, lookup{c.StoreKey, c.ID, l.Key, l.Value})
	}
	for _, t := range d.Translations {
		if t.Name != "" {
			names = append(names, lookup{c.StoreKey, c.ID, t.Locale, t.Name})
		}
	}
	for _, in := range []struct {
		table *db.Table[lookup]
		rows  []lookup
	}{{targetTable, targets}, {categoryTable, categories}, {labelTable, labels}, {nameTable, names}} {
		_, err := tx.Exec(`DELETE FROM `+in.table.Name+` WHERE store_id = ? AND campaign_id = ?`, c.StoreKey, c.ID)
		if err != nil {
			return err
		}
		if err := in.table.Insert(tx, distinct(in.rows)...); err != nil {
			return err
		}
	}
	return nil
}

// lookup is a row by which lists find a campaign.
type lookup struct {
	storeKey   int64
	campaignID string
	key, value string
}

var (
	targetTable = db.NewTable("campaign_targets", "store_id, target_id, campaign_id", func(l *lookup) db.Row {
		return l.row("target_id")
	})
	categoryTable = db.NewTable("campaign_categories", "store_id, category_id, campaign_id", func(l *lookup) db.Row {
		return l.row("category_id")
	})
	labelTable = db.NewTable("campaign_labels", "store_id, label_key, label_value, campaign_id",
		func(l *lookup) db.Row { return append(l.row("label_key"), "label_value", &l.value) })
	nameTable = db.NewTable("campaign_names", "store_id, locale, campaign_id", func(l *lookup) db.Row {
		return append(l.row("locale"), "name", &l.value, "name_order", db.Derived(&l.value, search.Fold))
	})
)

func (l *lookup) row(key string) db.Row {
	return db.Row{"store_id", &l.storeKey, key, &l.key, "campaign_id", &l.campaignID}
}

// distinct returns pointers to the different rows, in their order.
func distinct(rows []lookup) (all []*lookup) {
	seen := make(map[lookup]bool, len(rows))
	for i := range rows {
		if !seen[rows[i]] {
			all = append(all, &rows[i])
		}
		seen[rows[i]] = true
	}
	return all
}

// read reads the campaigns of a query.
func (t Types) read(tx *db.Tx, query string, args ...any) ([]Campaign, error) {
	rows, err := table.All(tx, query, args...)
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
		`SELECT * FROM campaigns WHERE store_id = ? AND campaign_id = ?`, storeKey, id)
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
	found, err := k.Types.read(tx, `SELECT c.* FROM ? AS v (store, id)
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
	return found, counterTable.Select(func(k Counters) {
		found[k.CampaignID] = k
		k.record(tx)
	},
		`SELECT k.* FROM ? AS v (store, id)
		CROSS JOIN campaign_counters k WHERE k.store_id = v.store AND k.campaign_id = v.id`+ending,
		tx.Among(storeKey, ids...))
}

// SaveCounters writes locked counters back.
func SaveCounters(tx *db.Tx, all ...Counters) error {
	for i := range all {
		k := &all[i]
		k.record(tx)
		if k.Ended.Day != 0 {
			addToDay(tx, k.StoreKey, k.Ended.Day, k.CampaignID, k.Ended.Sold)
		}
	}
	return counterTable.Update(tx, "sold, customers, next_position, last_day, sold_on_last_day", db.Pointers(all)...)
}

// record notes the counter for a dry run.
func (k *Counters) record(tx *db.Tx) { sold.Note(tx, k.CampaignID, k.Sold) }

// redefine writes the columns of locked counters that a new definition changes.
func redefine(tx *db.Tx, k Counters) error {
	return counterTable.Update(tx, "version, last_position", &k)
}

// Purchases returns the number of all purchases of a store, also of those that were taken back.
func Purchases(tx *db.Tx, storeKey int64) (int64, error) {
	return db.Value[int64](tx,
		`SELECT CAST(COALESCE(SUM(next_position - 1), 0) AS BIGINT) FROM campaign_counters WHERE store_id = ?`, storeKey)
}
