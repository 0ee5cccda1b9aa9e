package campaign

// ValueCode is a voucher of a fixed value.
var ValueCode = &RewardType{Name: "value_code", Fields: CouponFields, Buyable: true, TakesOff: TakesValue}
