package dataimport

import (
	"fmt"

	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Imports is the table of imports.
var Imports = check.Table{Name: "imports", ID: "import_id"}

// Rules returns the invariants of imports, their files and the records that were refused.
func Rules() []check.Rule {
	return []check.Rule{
		check.OneOf("import.state", Imports, "state", States...),
		check.Rows("import.ended", `SELECT store_id, import_id, state, 'a state that fits the time of its end' FROM imports
			WHERE (state IN ('finished', 'cancelled', 'failed', 'undoing', 'undone')) <> (finished_at IS NOT NULL)`),
		check.Rows("import.undone", `SELECT i.store_id, i.import_id,
				i.undone || ' undone and ' || i.remaining || ' remaining',
				COUNT(CASE WHEN e.outcome = 'undone' THEN 1 END) || ' undone and ' ||
				COUNT(CASE WHEN e.outcome NOT IN ('', 'undone') THEN 1 END) || ' remaining'
			FROM imports i JOIN import_effects e ON e.store_id = i.store_id AND e.import_id = i.import_id
			GROUP BY i.store_id, i.import_id, i.undone, i.remaining
			HAVING i.undone <> COUNT(CASE WHEN e.outcome = 'undone' THEN 1 END)
				OR i.remaining <> COUNT(CASE WHEN e.outcome NOT IN ('', 'undone') THEN 1 END)`),
		check.OneOf("import.outcome", check.Table{Name: "import_effects", ID: "record"}, "outcome", append(Outcomes, "")...),
		check.Refers("import.of_effect", check.Table{Name: "import_effects", ID: "record"}, "import_id", Imports),
		check.Rows("import.progress", `SELECT store_id, import_id, done, 'at least ' || failed || ' and at most ' || records
			FROM imports WHERE done < failed OR done > records OR state = 'finished' AND done <> records`),
		check.Fold("import.failed", checkFailed),
		check.Refers("import.of_error", check.Table{Name: "import_errors", ID: "record"}, "import_id", Imports),
		check.Refers("import.of_file", check.Table{Name: "import_parts", ID: "number"}, "import_id", Imports),
		check.Rows("import.error", `SELECT e.store_id, e.import_id, e.record, 'a record that was carried out'
			FROM import_errors e CROSS JOIN imports i
			WHERE i.store_id = e.store_id AND i.import_id = e.import_id AND (e.record < 1 OR e.record > i.done)`),
	}
}

// checkFailed compares the number of refused records with their rows. It leaves out old imports, whose rows are being
// deleted in several transactions.
func checkFailed(tx *db.Tx, found func(store int64, id, is, want string)) error {
	type row struct {
		store        int64
		id           string
		failed, rows int64
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.store, &r.id, &r.failed, &r.rows} }, func(r row) {
		found(r.store, r.id, fmt.Sprintf("%d failed", r.failed), fmt.Sprint(r.rows))
	}, `SELECT i.store_id, i.import_id, i.failed, COUNT(e.record) FROM imports i
		LEFT JOIN import_errors e ON e.store_id = i.store_id AND e.import_id = i.import_id
		WHERE i.created_at >= ? GROUP BY i.store_id, i.import_id, i.failed HAVING i.failed <> COUNT(e.record)`,
		tx.ServerNow().Add(-Retention).UnixMicro())
}
