package campaign

// EventCode is an invitation.
var EventCode = &RewardType{Name: "event_code", Fields: CouponFields, Buyable: true}
