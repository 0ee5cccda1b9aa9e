package factor

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"punchcard/platform/db"
)

// recoveryLength is the number of characters of a recovery code, of 5 random bits each.
const recoveryLength = 16

// NewRecoveryCodes replaces the recovery codes of an account. They are random, so their hashes need no salt.
func NewRecoveryCodes(tx *db.Tx, a Account) (codes []string, err error) {
	if err := deleteCodes(tx, a); err != nil {
		return nil, err
	}
	rows := make([]*recoveryCode, RecoveryCodes)
	for i := range rows {
		code := rand.Text()[:recoveryLength]
		codes = append(codes, code[:4]+"-"+code[4:8]+"-"+code[8:12]+"-"+code[12:])
		rows[i] = &recoveryCode{a.StoreKey, a.ID, hashCode(a, code)}
	}
	return codes, codeTable.Insert(tx, rows...)
}

type recoveryCode struct {
	storeKey         int64
	userID, codeHash string
}

var codeTable = db.NewTable("factor_recovery_codes", "store_id, user_id, code_hash", func(c *recoveryCode) db.Row {
	return db.Row{"store_id", &c.storeKey, "user_id", &c.userID, "code_hash", &c.codeHash}
})

// FirstRecoveryCodes makes recovery codes unless the account has some.
func FirstRecoveryCodes(tx *db.Tx, a Account) ([]string, error) {
	left, err := CodesLeft(tx, a)
	if err != nil || left > 0 {
		return nil, err
	}
	return NewRecoveryCodes(tx, a)
}

// UseRecoveryCode accepts a recovery code of an account that has another factor, and deletes it.
func UseRecoveryCode(tx *db.Tx, a Account, code string) error {
	n, err := tx.Exec(`DELETE FROM factor_recovery_codes WHERE store_id = ? AND user_id = ? AND code_hash = ?`,
		a.StoreKey, a.ID, hashCode(a, code))
	if err == nil && n == 0 {
		err = ErrWrong
	}
	return err
}

// hashCode ignores case, spaces and hyphens.
func hashCode(a Account, code string) string {
	code = strings.NewReplacer(" ", "", "-", "").Replace(strings.ToUpper(code))
	sum := sha256.Sum256([]byte(a.ID + " " + code))
	return hex.EncodeToString(sum[:])
}
