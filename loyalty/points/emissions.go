package points

import "punchcard/platform/event"

// Facts are the events of points, for the emissions of packages that change points.
var Facts = struct {
	Added, Spent, Blocked, Returned, Transferred, Canceled, Unlocked, Expired, Reset event.Fact
}{
	Added: pointsMoved{kind: typeAdded}, Spent: pointsMoved{kind: typeSpent}, Blocked: pointsMoved{kind: typeBlocked},
	Returned: pointsMoved{kind: typeReturned}, Transferred: pointsWereTransferred{},
	Canceled: transferChanged{kind: typeCanceled}, Unlocked: transferChanged{kind: typeUnlocked},
	Expired: transferChanged{kind: typeExpired}, Reset: pointsHasBeenReset{},
}
