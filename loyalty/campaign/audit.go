package campaign

import (
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// auditedCampaign has the fields of a campaign that the audit log compares.
type auditedCampaign struct {
	*Campaign
	Reward               string
	PushNotificationText string
	MoreInformationLink  string
	PointValue           decimal.Rate
	Percentage           int64
	RewardValue          *decimal.Money
	Tax                  *int64
	TaxPriceValue        *decimal.Money
	FulfillmentTracking  bool
	ConnectType          string
	EarningRuleID        string
}

// Audited returns what the audit log compares of a campaign.
func (k *Catalogue) Audited(tx *db.Tx, storeKey int64, id string) (any, error) {
	c, _, err := k.Find(tx, storeKey, id)
	if err != nil {
		return nil, err
	}
	d := &c.Definition
	return auditedCampaign{
		c, c.Reward.Name, d.PushNotificationText, d.MoreInformationLink, d.PointValue, d.Percentage, d.RewardValue, d.Tax,
		d.TaxPriceValue, d.FulfillmentTracking, d.ConnectType, d.EarningRuleID,
	}, nil
}
