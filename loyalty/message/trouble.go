package message

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
)

// Blocked is a channel that does not work although messages wait for it.
type Blocked struct {
	Channel string // or toAdministrators
	Waiting int    // messages, up to delivery.CountLimit
}

// toAdministrators stands for e-mails to administrators, which the settings of a store do not concern.
const toAdministrators = "administrators"

// Blocked lists the channels of a store that do not work although messages wait for them.
func (c *Config) Blocked(tx *db.Tx, s *store.Store) (blocked []Blocked, err error) {
	settings, err := settingsOf(tx, s.Key)
	if err != nil {
		return nil, err
	}
	for _, channel := range channels {
		if c.obstacle(settings, channel) == "" {
			continue
		}
		waiting, err := countWaiting(tx, s.Key, queuesOf(channel)...)
		if err != nil {
			return nil, err
		}
		if waiting > 0 {
			blocked = append(blocked, Blocked{channel, waiting})
		}
	}
	if c.administratorsObstacle() != "" {
		waiting, err := countWaiting(tx, s.Key, administrators)
		if err != nil {
			return nil, err
		}
		if waiting > 0 {
			blocked = append(blocked, Blocked{toAdministrators, waiting})
		}
	}
	return blocked, nil
}

// CountFailed counts the messages of a store that failed since a time, among the newest ones that failed: at most
// limit.
func CountFailed(tx *db.Tx, storeKey int64, since time.Time, limit int) (int, error) {
	return db.Value[int](tx, `SELECT COUNT(*) FROM (SELECT finished_at FROM messages
		WHERE store_id = ? AND queue <> ? AND state = ? ORDER BY message_id DESC LIMIT ?) AS newest
		WHERE finished_at >= ?`, storeKey, notifications, Dead, limit, since.UnixMicro())
}
