package campaign

import (
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Filter selects campaigns of a list. Nil and empty fields select all. See docs/behaviour/campaigns.md#lists.
type Filter struct {
	Labels              []Label // each must match; an empty key or value matches any
	Active              *bool
	Public              *bool
	Featured            *bool
	FulfillmentTracking *bool
	ForSegments         *bool // at least one segment is a target
	Reward              string
	WithoutExchanged    bool     // no campaigns of types that are exchanged
	Name                string   // a part of the name in the locale itself, case-sensitive
	Categories          []string // any of them
	VisibleAt           time.Time
	Archived            bool // only archived ones; otherwise none of them
}

// LabelConditions is the maximal number of labels in a filter. Further ones are ignored.
const LabelConditions = 100

// ReadFilter reads the filters of a query.
func ReadFilter(query *form.Node) Filter {
	f := Filter{
		Active: flag(query, "active"), Public: flag(query, "isPublic"), Featured: flag(query, "isFeatured"),
		FulfillmentTracking: flag(query, "isFulfillmentTracking"),
		Reward:              query.Child("campaignType").Text(), Name: query.Child("name").Key(),
		Categories: readCategories(query.Child("categoryId")),
	}
	f.Archived, _ = form.ParseBool(query.Child("archived").Text())
	if forSegments, valid := form.ParseBool(query.Child("hasSegment").Text()); valid {
		f.ForSegments = &forSegments
	}
	for _, condition := range query.Child("labels").Children() {
		label := Label{condition.Child("key").Key(), condition.Child("value").Key()}
		if label != (Label{}) && len(f.Labels) < LabelConditions {
			f.Labels = append(f.Labels, label)
		}
	}
	return f
}

// describeFilter describes the filters that ReadFilter reads. Labels and categories are lists.
func describeFilter(q *form.Group) {
	for _, label := range q.Groups("labels") {
		label.Key("key")
		label.Key("value")
	}
	q.Texts("categoryId")
	q.DescribeTexts(func(query *form.Node) { ReadFilter(query) })
}

// flag reads a boolean filter. Blank text filters nothing, and invalid text means false.
func flag(query *form.Node, name string) *bool {
	text := query.Child(name).Text()
	if text == "" {
		return nil
	}
	yes, _ := form.ParseBool(text)
	return &yes
}

// readCategories reads a list of ids. Other values are ignored.
func readCategories(list *form.Node) (ids []string) {
	for _, id := range list.Children() {
		if text := strings.ToLower(id.Text()); text != "" {
			ids = append(ids, text)
		}
	}
	return ids
}

// where returns the filter as a condition on campaigns c of a store.
func (f *Filter) where(types Types, storeKey int64, locale api.Locale) *db.SQL {
	w := db.NewSQL("c.store_id = ?", storeKey)
	for _, is := range []struct {
		column string
		wanted *bool
	}{
		{"c.active", f.Active}, {"c.is_public", f.Public}, {"c.featured", f.Featured},
		{"c.fulfillment_tracking", f.FulfillmentTracking}, {"c.for_segments", f.ForSegments},
	} {
		if is.wanted != nil {
			w.And(is.column+" = ?", *is.wanted)
		}
	}
	if f.Reward != "" {
		w.And("c.reward = ?", f.Reward)
	}
	if f.Archived {
		w.And("c.archived_at IS NOT NULL")
	} else {
		w.And("c.archived_at IS NULL")
	}
	if f.WithoutExchanged {
		w.Add(types.Except("c.reward", func(t *RewardType) bool { return t.Exchanged }))
	}
	if !f.VisibleAt.IsZero() {
		now := f.VisibleAt.UnixMicro()
		w.And("(c.all_time_visible OR (c.visible_from <= ? AND c.visible_to >= ?))", now, now)
	}
	if f.Name != "" {
		w.And(`EXISTS (SELECT 1 FROM campaign_names n WHERE n.store_id = ? AND n.locale = ?
			AND n.campaign_id = c.campaign_id AND REPLACE(n.name, ?, '') <> n.name)`, storeKey, locale.Wanted, f.Name)
	}
	f.addLabels(w, storeKey)
	if len(f.Categories) > 0 {
		w.And(`EXISTS (SELECT 1 FROM campaign_categories g WHERE g.store_id = ?
			AND g.category_id IN ? AND g.campaign_id = c.campaign_id)`, storeKey, db.List(f.Categories))
	}
	return w
}

// addLabels selects campaigns that have a label for every condition. It is a single subquery, because PostgreSQL takes
// seconds to plan joins of many.
func (f *Filter) addLabels(w *db.SQL, storeKey int64) {
	if len(f.Labels) == 0 {
		return
	}
	var sets []string
	var values []any
	for _, label := range f.Labels {
		set := `SELECT l.campaign_id FROM campaign_labels l WHERE l.store_id = ?`
		values = append(values, storeKey)
		if label.Key != "" {
			set, values = set+` AND l.label_key = ?`, append(values, label.Key)
		}
		if label.Value != "" {
			set, values = set+` AND l.label_value = ?`, append(values, label.Value)
		}
		sets = append(sets, set)
	}
	w.And(`c.campaign_id IN (`+strings.Join(sets, ` INTERSECT `)+`)`, values...)
}
