package campaign

import (
	"strings"

	"punchcard/core/api"
	"punchcard/platform/db"
)

// sortable maps the sort fields of all reward types to columns of campaigns c. A field that a campaign does not show is
// NULL.
var sortable = map[string]api.Column{
	"campaignId": "c.campaign_id", "reward": "c.reward", "active": "c.active", "costInPoints": "c.cost",
	"moreInformationLink": "NULLIF(c.link, '')", "pushNotificationText": "NULLIF(c.push_text, '')",
	"unlimited": "c.unlimited", "singleCoupon": "c.single_coupon", "limit": "NULLIF(c.usage_limit, 0)",
	"limitPerUser": "NULLIF(c.limit_per_user, 0)", "daysInactive": "c.days_inactive", "daysValid": "c.days_valid",
	"rewardValue": "c.reward_value", "tax": "c.tax", "taxPriceValue": "c.tax_price",
	"featured": "c.featured", "public": "c.is_public", "createdAt": "c.created_at",
	"connectType": "NULLIF(c.connect_type, '')", "earningRuleId": "NULLIF(c.earning_rule_id, '')",
	"fulfillmentTracking":               "c.fulfillment_tracking",
	"campaignActivity.allTimeActive":    "c.all_time_active",
	"campaignActivity.activeFrom":       "CASE WHEN NOT c.all_time_active THEN c.active_from END",
	"campaignActivity.activeTo":         "CASE WHEN NOT c.all_time_active THEN c.active_to END",
	"campaignVisibility.allTimeVisible": "c.all_time_visible",
	"campaignVisibility.visibleFrom":    "CASE WHEN NOT c.all_time_visible THEN c.visible_from END",
	"campaignVisibility.visibleTo":      "CASE WHEN NOT c.all_time_visible THEN c.visible_to END",
}

// page returns a page of the campaigns that the filter selects, and their total.
func (k *Catalogue) page(tx *db.Tx, storeKey int64, f Filter, request api.Page, locale api.Locale) (
	found []*Campaign, total int64, err error) {
	from := db.NewSQL(`FROM campaigns c WHERE ?`, f.where(k.Types, storeKey, locale))
	counted := from.Select(`COUNT(*)`)
	if total, err = db.Value[int64](tx, counted.Text(), counted.Args()...); err != nil {
		return nil, 0, err
	}
	q := from.Select(`c.campaign_id`)
	request.AddTo(q, k.Types.order(q, request, locale))
	ids, err := db.AllValues[string](tx, q.Text(), q.Args()...)
	if err != nil {
		return nil, 0, err
	}
	found, err = k.inOrder(tx, storeKey, ids)
	return found, total, err
}

// inOrder returns the campaigns with the ids, in the order of the ids.
func (k *Catalogue) inOrder(tx *db.Tx, storeKey int64, ids []string) ([]*Campaign, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	byID, err := k.FindAll(tx, storeKey, ids...)
	found := make([]*Campaign, 0, len(ids))
	for _, id := range ids {
		if c := byID[id]; c != nil {
			found = append(found, c)
		}
	}
	return found, err
}

// order returns how campaigns can be sorted. Names sort as they are shown in the locale, whose languages become
// arguments of q if the page is sorted by them.
func (t Types) order(q *db.SQL, page api.Page, locale api.Locale) api.Order {
	order := api.Order{Columns: t.Sortable(), Tie: "c.campaign_id"}
	if page.Sort == "name" {
		order = order.With("name", api.Column(shownName(q, locale, "name_order")))
	}
	return order
}

// shownName is the SQL of a column of the name of campaign c in the first of the locale's languages that has one. The
// languages become arguments of q.
func shownName(q *db.SQL, locale api.Locale, column string) string {
	var names strings.Builder
	locale.Text(func(code string) string { // returns no text, so that it is called for all languages
		if code != "" {
			names.WriteString(`(SELECT n.` + column + ` FROM campaign_names n WHERE n.store_id = c.store_id
				AND n.locale = ` + q.Arg(code) + ` AND n.campaign_id = c.campaign_id), `)
		}
		return ""
	})
	return `COALESCE(` + names.String() + `NULL)`
}

// Names returns the names of campaigns in the locale. Those without one are missing. Ids must be distinct.
func Names(tx *db.Tx, storeKey int64, locale api.Locale, ids ...string) (map[string]string, error) {
	q := new(db.SQL)
	q.Add(`SELECT c.campaign_id, COALESCE(`+shownName(q, locale, "name")+`, '') FROM ? AS v (store, id)
		CROSS JOIN campaigns c WHERE c.store_id = v.store AND c.campaign_id = v.id`, tx.Among(storeKey, ids...))
	names := make(map[string]string, len(ids))
	type row struct{ id, name string }
	err := db.Each(tx, func(r *row) []any { return []any{&r.id, &r.name} },
		func(r row) { names[r.id] = r.name }, q.Text(), q.Args()...)
	return names, err
}

// activeName is the id and name of an active campaign.
type activeName struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
}

// activeNames returns all active campaigns, whatever their windows.
func activeNames(tx *db.Tx, storeKey int64, locale api.Locale) ([]activeName, error) {
	q := new(db.SQL)
	q.Add(`SELECT c.campaign_id, COALESCE(`+shownName(q, locale, "name")+`, '') FROM campaigns c
		WHERE c.store_id = ? AND c.active = TRUE ORDER BY c.campaign_id`, storeKey)
	return db.All(tx, func(a *activeName) []any { return []any{&a.ID, &a.Name} }, q.Text(), q.Args()...)
}
