package demo

import (
	"context"

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
func (l *loader) furnish(tx *db.Tx) error {
	l.shops, l.categories = nil, map[*campaign.RewardType]string{}
	for _, shop := range l.shopList {
		added, err := pos.Create(tx, l.store.Key, shop)
		if err != nil {
			return err
		}
		l.shops = append(l.shops, added.ID)
	}
	for i, group := range groups {
		id, err := category.Create(tx, l.store, category.Category{
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
	return l.divide(tx)
}

// divide adds the segments: those who come often, those whose birthday is near, and the friends of espresso.
func (l *loader) divide(tx *db.Tx) error {
	l.segments = nil
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
		added, err := segment.New().Create(tx, l.store, draft)
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

// surveyDone is the event that customers get points for once a month.
const surveyDone = "survey_done"

// promise adds the earning rules of purchases at the tills.
func (l *loader) promise(tx *db.Tx) error {
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
			Type: earning.CustomEvent, Name: "Survey", Description: "Filled in the survey", EventName: surveyDone,
			Definition: earning.Definition{Everybody: true, Points: decimal.Whole(25), Limit: earning.Limit{
				Active: true, Period: "month", Uses: 1,
			}},
		},
	} {
		rule.Active, rule.AllTime = true, true
		if _, err := earning.New(l.desk).Create(tx, l.store, rule); err != nil {
			return err
		}
	}
	return nil
}
