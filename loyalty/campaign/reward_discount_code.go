package campaign

// DiscountCode is a discount.
var DiscountCode = &RewardType{
	Name: "discount_code", Fields: CouponFields, Buyable: true, TakesOff: TakesShare,
}
