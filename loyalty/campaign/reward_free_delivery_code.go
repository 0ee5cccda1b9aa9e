package campaign

// FreeDeliveryCode is free delivery.
var FreeDeliveryCode = &RewardType{
	Name: "free_delivery_code", Fields: CouponFields, Buyable: true, TakesOff: TakesDelivery,
}
