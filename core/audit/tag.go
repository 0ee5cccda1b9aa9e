package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"punchcard/core/store"
	"punchcard/platform/db"
)

// moving are the members of objects that change by what customers do and by jobs, beside those that entries ignore.
var moving = []string{
	"levelId", "levelAchievedAt", "open", "passwordHash", "passwordTemporary", "failingSince", "disabled",
}

// Tag returns a text that changes with every change of an object that entries show, empty if there is no object.
func Tag(tx *db.Tx, s *store.Store, object Object, id string) (string, error) {
	all, err := readMembers(tx, s, object, id)
	if err != nil || all == nil {
		return "", err
	}
	for _, name := range moving {
		delete(all, name)
	}
	text, err := json.Marshal(all)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), err
}
