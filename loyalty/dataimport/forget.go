package dataimport

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// partsAtOnce is how many parts of files one step of Forget reads.
const partsAtOnce = 8

// Forget clears what imports store about a customer: identifiers of refused records, names of files, and the files of
// imports that were cancelled or have failed, if they hold an identifier. Resuming such an import would register the
// customer again. It goes through the files some parts at a time.
func Forget(tx *db.Tx, s *store.Store, known *feature.Identifiers, after string) (next string, err error) {
	identifiers := slices.Concat([]string{known.ID}, known.Emails, known.Phones, known.Cards)
	if after == "" {
		if err := forgetFailures(tx, s.Key, identifiers); err != nil {
			return "", err
		}
		for _, id := range identifiers {
			if _, err := tx.Exec(`DELETE FROM import_effects WHERE store_id = ? AND object_id = ?`, s.Key, id); err != nil {
				return "", err
			}
		}
		if err := forgetFileNames(tx, s.Key, slices.Concat(known.Names, identifiers)); err != nil {
			return "", err
		}
	}
	parts, err := partsAfter(tx, s.Key, after, partsAtOnce+1)
	if err != nil {
		return "", err
	}
	needles := needlesOf(identifiers)
	for n := range min(len(parts), partsAtOnce) {
		content := parts[n].content
		if follows := n+1 < len(parts) && parts[n+1].importID == parts[n].importID; follows {
			content = append(content, parts[n+1].content[:min(len(parts[n+1].content), identifierLimit)]...)
		}
		if holds(content, needles) {
			if _, err := tx.Exec(`DELETE FROM import_parts WHERE store_id = ? AND import_id = ?`,
				s.Key, parts[n].importID); err != nil {
				return "", err
			}
		}
		next = parts[n].key()
	}
	if len(parts) <= partsAtOnce {
		next = ""
	}
	return next, nil
}

func forgetFailures(tx *db.Tx, storeKey int64, identifiers []string) error {
	for _, text := range identifiers {
		_, err := tx.Exec(`UPDATE import_errors SET identifier = '', identifier_key = ''
			WHERE store_id = ? AND identifier_key = ? AND identifier_key <> ''`, storeKey, keyOf(text))
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetFileNames clears the names of files that contain one of the texts. There are few imports, because old ones are
// deleted.
func forgetFileNames(tx *db.Tx, storeKey int64, texts []string) error {
	all, err := table.All(tx, `SELECT store_id, import_id, file_name FROM imports
		WHERE store_id = ? AND file_name <> ''`, storeKey)
	if err != nil {
		return err
	}
	needles := needlesOf(texts)
	var cleared []*Import
	for n := range all {
		if i := &all[n]; holds([]byte(i.FileName), needles) {
			i.FileName = ""
			cleared = append(cleared, i)
		}
	}
	return table.Update(tx, "file_name", cleared...)
}

// needlesOf returns texts as they are searched for: in lower case, and also as they are written in XML.
func needlesOf(texts []string) (needles [][]byte) {
	for _, text := range texts {
		text = strings.ToLower(strings.TrimSpace(text))
		if text == "" {
			continue
		}
		needles = append(needles, []byte(text))
		var escaped bytes.Buffer
		if err := xml.EscapeText(&escaped, []byte(text)); err == nil && escaped.String() != text {
			needles = append(needles, escaped.Bytes())
		}
	}
	return needles
}

func holds(content []byte, needles [][]byte) bool {
	content = bytes.ToLower(content)
	for _, needle := range needles {
		if bytes.Contains(content, needle) {
			return true
		}
	}
	return false
}

// part is a part of a stored file.
type part struct {
	storeKey int64
	importID string
	number   int64
	content  []byte
}

var partTable = db.NewTable("import_parts", "store_id, import_id, number", func(p *part) db.Row {
	return db.Row{"store_id", &p.storeKey, "import_id", &p.importID, "number", &p.number, "content", &p.content}
})

// key is the position of a part, as it is compared by partsAfter.
func (p *part) key() string { return fmt.Sprintf("%s %d", p.importID, p.number) }

// partsAfter returns parts of the files of cancelled and failed imports, in order.
func partsAfter(tx *db.Tx, storeKey int64, after string, limit int) ([]part, error) {
	id, number := "", int64(-1)
	if after != "" {
		if _, err := fmt.Sscanf(after, "%s %d", &id, &number); err != nil {
			return nil, err
		}
	}
	return partTable.All(tx, `SELECT p.import_id, p.number, p.content FROM import_parts p
		JOIN imports i ON i.store_id = p.store_id AND i.import_id = p.import_id AND i.state IN ('cancelled', 'failed')
		WHERE p.store_id = ? AND (p.import_id, p.number) > (?, ?) ORDER BY p.import_id, p.number LIMIT ?`,
		storeKey, id, number, limit)
}
