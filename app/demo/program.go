package demo

import (
	"context"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// SellerShop is the identifier of the point of sale where the seller of the demonstration works.
const SellerShop = "HARBOUR"

// shops are the points of sale.
var shops = []pos.Details{
	{Name: "Harbour", Identifier: SellerShop, Description: "The roastery with the long bench.", Location: pos.Location{
		Street: "ul. Portowa", Address1: "4", Postal: "80-220", City: "Gdańsk", Province: "pomorskie", Country: "PL",
	}},
	{Name: "Old town", Identifier: "OLDTOWN", Description: "Coffee to go, and a shelf of tea.", Location: pos.Location{
		Street: "Rynek", Address1: "17", Postal: "31-110", City: "Kraków", Province: "małopolskie", Country: "PL",
	}},
}

// product is an article that a till sells.
type product struct {
	sku, name, category, maker, roast string
	price                             int64 // hundredths
}

// goods are the products of all tills.
var goods = []product{
	{"ESPRESSO-250", "Espresso, 250 g", "coffee", "Amber & Oak", "dark", 11_90},
	{"FILTER-250", "Filter coffee, 250 g", "coffee", "Amber & Oak", "light", 12_50},
	{"TEA-SENCHA", "Sencha, 100 g", "tea", "Green Hill", "", 9_40},
	{"MUG-OAK", "Mug", "things", "Clay & Co", "", 16_00},
	{"CAKE", "A slice of cake", "food", "Amber & Oak", "", 4_20},
	{"DRIPPER", "Dripper", "things", "Clay & Co", "", 24_90},
}

// groups are the categories of campaigns.
var groups = []struct {
	en, pl  string
	rewards []*campaign.RewardType
}{
	{"Savings", "Oszczędności", []*campaign.RewardType{
		campaign.DiscountCode, campaign.FreeDeliveryCode, campaign.ValueCode, campaign.PercentageDiscount, campaign.Cashback,
	}},
	{"Gifts and events", "Prezenty i wydarzenia", []*campaign.RewardType{
		campaign.GiftCode, campaign.EventCode, campaign.CustomCampaignCode,
	}},
}

// furnish adds the categories and points of sale that campaigns and tills refer to.
func (l *loader) furnish(tx *db.Tx, s *store.Store) error {
	l.categories = map[*campaign.RewardType]string{}
	for _, shop := range shops {
		added, err := pos.Create(tx, s.Key, shop)
		if err != nil {
			return err
		}
		l.shops = append(l.shops, added.ID)
	}
	for i, group := range groups {
		id, err := category.Create(tx, s, category.Category{
			Active: true, SortOrder: int64(i + 1),
			Translations: []category.Translation{{Name: group.en, Locale: "en"}, {Name: group.pl, Locale: "pl"}},
		})
		if err != nil {
			return err
		}
		for _, reward := range group.rewards {
			l.categories[reward] = id
		}
	}
	return l.divide(tx, s)
}

// divide adds the segments: those who come often, those whose birthday is near, and the friends of espresso.
func (l *loader) divide(tx *db.Tx, s *store.Store) error {
	for _, draft := range []segment.Draft{
		{Name: "Regulars", Description: "Two purchases or more", Parts: onePart(segment.Criterion{
			Type: "transaction_count", Fields: &segment.TransactionCount{Min: 2, Max: 1000},
		})},
		{Name: "Birthday within a month", Parts: onePart(segment.Criterion{
			Type: "anniversary", Fields: &segment.Anniversary{Of: segment.Birthday, Days: 30},
		})},
		{Name: "Espresso", Description: "Bought it or says so", Parts: onePart(
			segment.Criterion{Type: "bought_skus", Fields: &segment.BoughtSKUs{SKUs: []string{"ESPRESSO-250"}}},
			segment.Criterion{Type: "customer_has_labels_with_values", Fields: &segment.HasLabels{
				Labels: []segment.Label{{Key: "favourite", Value: "espresso"}},
			}},
		)},
	} {
		draft.Active = true
		added, err := segment.New().Create(tx, s, draft)
		if err != nil {
			return err
		}
		l.segments = append(l.segments, added.ID)
	}
	return nil
}

func onePart(criteria ...segment.Criterion) []segment.Part {
	return []segment.Part{{Criteria: criteria}}
}

// reckon rebuilds the segments.
func (l *loader) reckon(ctx context.Context) error {
	for _, id := range l.segments {
		if _, err := segment.New().Rebuild(ctx, l.db, l.store.Key, id); err != nil {
			return err
		}
	}
	return nil
}

// promise adds the earning rules of purchases at the tills.
func (l *loader) promise(tx *db.Tx, s *store.Store) error {
	for _, rule := range []earning.Rule{
		{
			Type: earning.Spending, Name: "One point for each euro", Description: "Delivery does not count.",
			Definition: earning.Definition{Everybody: true, General: earning.General{
				PointValue: decimal.Whole(1).Rate(), ExcludeDeliveryCost: true, LabelsInclusion: earning.AnyLabels,
			}},
		},
		{
			Type: earning.ProductPurchase, Name: "Ten points for a bag of espresso", Description: "On top of the others.",
			Definition: earning.Definition{
				Everybody: true, SKUs: []string{"ESPRESSO-250"}, Points: decimal.Whole(10),
			},
		},
		{
			Type: earning.CustomEvent, Name: "Survey", Description: "Filled in the survey", EventName: "survey_done",
			Definition: earning.Definition{Everybody: true, Points: decimal.Whole(25), Limit: earning.Limit{
				Active: true, Period: "month", Uses: 1,
			}},
		},
	} {
		rule.Active, rule.AllTime = true, true
		if _, err := earning.New(l.desk).Create(tx, s, rule); err != nil {
			return err
		}
	}
	return nil
}
