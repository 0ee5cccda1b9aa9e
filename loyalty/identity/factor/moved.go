package factor

import (
	"time"

	"punchcard/platform/db"
)

// MovedWindow is for how long points count that a person has moved without a second factor. They are counted by the
// hour, so that some count for almost an hour longer.
const MovedWindow = 24 * time.Hour

// Move counts points, in hundredths, that a person moves without a second factor. It returns how many they have moved
// in the window, these included. Concurrent calls for one person wait for each other.
func Move(tx *db.Tx, a Account, hundredths int64) (sum int64, err error) {
	hour := int64(time.Hour)
	now := tx.ServerNow().UnixNano() / hour
	if err := movedTable.InsertAdding(tx, &movedHour{a.StoreKey, a.ID, now, hundredths}); err != nil {
		return 0, err
	}
	_, err = tx.Exec(`DELETE FROM factor_points WHERE store_id = ? AND user_id = ? AND hour < ?`,
		a.StoreKey, a.ID, now-int64(MovedWindow/time.Hour))
	if err != nil {
		return 0, err
	}
	return Moved(tx, a)
}

// movedHour is how many points a person moved in an hour.
type movedHour struct {
	storeKey         int64
	userID           string
	hour, hundredths int64
}

var movedTable = db.NewTable("factor_points", "store_id, user_id, hour", func(m *movedHour) db.Row {
	return db.Row{"store_id", &m.storeKey, "user_id", &m.userID, "hour", &m.hour, "hundredths", &m.hundredths}
})

// Moved returns how many points, in hundredths, a person has moved without a second factor in the window.
func Moved(tx *db.Tx, a Account) (sum int64, err error) {
	from := tx.ServerNow().Add(-MovedWindow).UnixNano() / int64(time.Hour)
	return db.Value[int64](tx, `SELECT CAST(COALESCE(SUM(hundredths), 0) AS BIGINT) FROM factor_points
		WHERE store_id = ? AND user_id = ? AND hour >= ?`, a.StoreKey, a.ID, from)
}
