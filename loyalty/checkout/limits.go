package checkout

const (
CouponLimit = 20
RewardLimit = 20
)
