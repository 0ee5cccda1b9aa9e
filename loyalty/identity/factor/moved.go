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
	_, err = tx.Exec(`INSERT INTO factor_points (store_id, user_id, hour, hundredths) VALUES (?, ?, ?, ?)
		ON CONFLICT (store_id, user_id, hour) DO UPDATE SET hundredths = factor_points.hundredths + excluded.hundredths`,
		a.StoreKey, a.ID, now, hundredths)
	if err != nil {
		return 0, err
	}
	_, err = tx.Exec(`DELETE FROM factor_points WHERE store_id = ? AND user_id = ? AND hour < ?`,
		a.StoreKey, a.ID, now-int64(MovedWindow/time.Hour))
	if err != nil {
		return 0, err
	}
	return Moved(tx, a)
}

// Moved returns how many points, in hundredths, a person has moved without a second factor in the window.
func Moved(tx *db.Tx, a Account) (sum int64, err error) {
	from := tx.ServerNow().Add(-MovedWindow).UnixNano() / int64(time.Hour)
	sum, _, err = db.One(tx, func(sum *int64) []any { return []any{sum} },
		`SELECT CAST(COALESCE(SUM(hundredths), 0) AS BIGINT) FROM factor_points
		WHERE store_id = ? AND user_id = ? AND hour >= ?`, a.StoreKey, a.ID, from)
	return sum, err
}
