package audit

import (
	"time"

	"punchcard/platform/check"
	"punchcard/platform/db"
)

var entries = check.Table{Name: "audit_entries", ID: "audit_id"}

// Rules returns the invariants of the audit log.
func Rules() []check.Rule {
	return []check.Rule{
		check.JSON[Data]("audit.data", entries, "data"),
		check.Rows("audit.user", `SELECT store_id, audit_id, user_type, 'the type of a user' FROM audit_entries
			WHERE user_type NOT IN ('', 'admin', 'key', 'seller', 'customer')
				OR user_type = '' AND (user_id <> '' OR username <> '`+NotLogged+`')`),
		check.Rows("audit.purchase", `SELECT store_id, audit_id, entity_type, 'empty' FROM audit_entries
			WHERE event_type = '`+BuyCampaign+`' AND entity_type <> ''`),
		check.Fold("audit.archive", checkArchives),
	}
}

// checkArchives reports archives whose file name is not that of their time, or that were made empty.
func checkArchives(tx *db.Tx, found func(store int64, id, is, want string)) error {
	all, err := Archives(tx)
	for i := range all {
		a := &all[i]
		if a.Filename != FilenameOf(a.Before.UTC()) {
			found(0, a.Filename, a.Before.UTC().Format(time.RFC3339), "the time of the file name")
		}
		if a.Entries <= 0 || a.CreatedAt.Before(a.Before) {
			found(0, a.Filename, "empty, or made before its time", "made of earlier entries")
		}
	}
	return err
}
