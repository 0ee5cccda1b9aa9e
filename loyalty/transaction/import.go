package transaction

import (
	"errors"
	"strings"

	"punchcard/api"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// RecordLimit is the maximal number of records in a file.
const RecordLimit = 10_000

// importResult is the response of an import. See docs/behaviour/transactions.md#imports.
type importResult struct {
	Items     []importedItem `json:"items"`
	Processed int            `json:"totalProcessed"`
	Succeeded int            `json:"totalSuccess"`
	Failed    int            `json:"totalFailed"`
}

type importedItem struct {
	Status     string          `json:"status"` // success or error
	Identifier string          `json:"identifier"`
	Message    string          `json:"message,omitempty"`
	Result     *importedObject `json:"processImportResult,omitempty"`
}

type importedObject struct {
	Object identity `json:"object"`
}

// record is one entry of an imported file.
type record interface {
	identifier() string
	run(tx *db.Tx, s *store.Store, h Hooks) (*Transaction, error)
}

var (
	errFile        = fault.New(fault.Fields, "not_an_import_file", "This file is not valid.")
	errManyRecords = fault.New(fault.Fields, "too_many_records", "This file has too many records.")
)

// readFile reads the records of an imported XML file. An invalid file is an error of the field.
func readFile[T any](c *api.Call, root string) ([]T, error) {
	body, err := c.Body()
	if err != nil {
		return nil, err
	}
	g := form.Read(body, "file")
	uploaded := importedFile(g)
	if err := g.Err(); err != nil {
		return nil, err
	}
	records, refused := decodeRecords[T](uploaded.Bytes, root)
	if refused != nil {
		g.AddError("file", refused)
	}
	return records, g.Err()
}

// importedFile reads the field with the file.
func importedFile(g *form.Group) *form.File { return g.File("file", form.NotBlank) }

// importFile carries out the records of a file in order, each in its own database transaction, as if clients had sent
// them. A refused record does not stop the others. Importing the same file again has no further effect.
func importFile[T record](c *api.Call, h Hooks, root string) error {
	records, err := readFile[T](c, root)
	if err != nil {
		return err
	}
	response := importResult{Items: make([]importedItem, len(records)), Processed: len(records)}
	for i, r := range records {
		var made *Transaction
		err := c.Write(func(tx *db.Tx) (err error) {
			made, err = r.run(tx, c.Store, h)
			return err
		})
		message, err := refusal(err)
		if err != nil {
			return err
		}
		response.Items[i] = importedItem{Status: "error", Identifier: r.identifier(), Message: message}
		if message != "" {
			response.Failed++
			continue
		}
		response.Succeeded++
		response.Items[i].Status, response.Items[i].Result = "success", &importedObject{identity{made.ID}}
	}
	return c.OK(response)
}

// refusal returns the message for a refused record. Other errors are returned as they are.
func refusal(err error) (message string, _ error) {
	if refused, is := errors.AsType[*Refused](err); is {
		return strings.Join(refused.messages(), " "), nil
	}
	if failed, is := errors.AsType[*fault.Error](err); is && failed.Kind == fault.Fields {
		return strings.Join(failed.Detail.(form.Tree).Messages(), " "), nil
	}
	return "", err
}

func (r *Refused) messages() []string {
	var all []string
	if r.Document != nil {
		all = append(all, "documentNumber: "+r.Document.Message)
	}
	if r.Revised != nil {
		all = append(all, "revisedDocument: "+r.Revised.Message)
	}
	if r.POSUnknown {
		all = append(all, "posId: "+errUnknownPOS.Message)
	}
	return all
}
