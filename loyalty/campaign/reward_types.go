package campaign

// RewardTypes is the table of all reward types, in the order in which messages list them. See
// docs/behaviour/campaigns.md#reward-types, and docs/extending.md#a-reward-type for how to add one.
var RewardTypes = Types{
	DiscountCode,
	FreeDeliveryCode,
	GiftCode,
	EventCode,
	ValueCode,
	Cashback,
	PercentageDiscount,
	CustomCampaignCode,
}
