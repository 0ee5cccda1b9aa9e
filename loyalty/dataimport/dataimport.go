// Package dataimport imports files with many records, such as customers or receipts: docs/behaviour/imports.md.
// Features describe what they import as a Kind. Small files are carried out while the client waits, large ones by
// background work. A record takes effect at most once, because the number of records that were carried out is stored
// in the transaction of their effects.
package dataimport

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Limits of imports.
const (
	RecordLimit = 10_000    // records that are carried out while the client waits
	FileLimit   = 200 << 20 // bytes of a file
	RecordBytes = 10 << 20  // bytes of one record
	AtOnce      = 4         // large imports that one node carries out at a time

	// FileRetention is for how long the file of an import that was cancelled or has failed is kept, so that it can be
	// resumed.
	FileRetention = 7 * 24 * time.Hour
	// Retention is for how long imports and their errors are kept.
	Retention = 90 * 24 * time.Hour
)

// The states of an import.
const (
	Uploading = "uploading"
	Waiting   = "waiting"
	Running   = "running"
	Finished  = "finished"
	Cancelled = "cancelled"
	Failed    = "failed"
)

// States lists the states.
var States = []string{Uploading, Waiting, Running, Finished, Cancelled, Failed, Undoing, Undone}

// Kind is a kind of record that can be imported.
type Kind struct {
	Name     string    // in paths and lists, such as customers
	Path     string    // of the endpoint that takes files, below the path of the store
	Summary  string    // of that endpoint
	Audit    api.Audit // of that endpoint
	Resource string    // that the caller needs MODIFY on
	Root     string    // root element of XML files; its child elements are the records

	// New returns an empty record for the decoder.
	New func() Record
	// Example is a record for the template.
	Example func() Record
	// Keys are the fields by which records are matched with existing objects; none if these are never changed.
	Keys []string
	// Guarded are the fields of existing objects that change only if the request names them.
	Guarded []string
	// LeftOut are names of columns that files of other programs have, and for which there is no field.
	LeftOut []string
	// Batch is how many records share a transaction.
	Batch int
	// Apply carries out records, and returns a result for each. It writes nothing for a record that it refuses. In a dry
	// run the transaction is rolled back.
	Apply func(tx *db.Tx, s *store.Store, i *Import, records []Record) ([]Result, error)
	// Undo takes back what a record did, and returns one of Outcomes. It is nil for kinds that cannot be undone.
	Undo func(tx *db.Tx, s *store.Store, e Effect) (outcome string, err error)
	// Points returns how many points the records of a file move, in hundredths, of which many need a second factor. Files
	// that are not read while the client waits always need it. It is nil for kinds that move none.
	Points func(records []Record) int64
	// Newcomers means that the records become customers.
	Newcomers bool
	// Object is the object of a successful record in responses.
	Object func(id string) any
}

// Record is an entry of a file. Its XML tags name the elements.
type Record interface {
	// Identifier tells the client which record a result is about.
	Identifier() string
	// Columns are the columns of a CSV file, with the texts of the record. The names are those of XML elements, with dots
	// between nested ones.
	Columns() []Column
}

// Joiner is a record that can have several lines in a CSV file.
type Joiner interface {
	Record
	// Join adds the next line of the file, and reports whether it belongs to the record. A record whose lines contradict
	// each other is refused by Apply.
	Join(next Record) bool
}

// Settled is a record that is stored otherwise than its file has it, such as a full name as first and last name.
type Settled interface {
	Record
	// Stored returns the record with the texts that will be stored.
	Stored() Record
}

// Referrer is a record that can need another one of the file, such as a return its sale. It is carried out after it.
type Referrer interface {
	Record
	// RefersTo returns the identifier of that record, empty for none.
	RefersTo() string
}

// Column is a column of a CSV file with its text in a record.
type Column struct {
	Name  string
	Text  *string
	Type  ColumnType // empty for text
	Unit  Unit       // of a number
	Extra bool       // left out of the template
	Also  []string   // other names of the column, in any case and with any signs between letters
	Parts []string   // the columns that together say the same, and that it excludes
}

// Result is the outcome of a record.
type Result struct {
	ID      string // of the object that was made or changed
	Changed bool   // the object existed before
	Former  any    // how it was before, for Kind.Undo; nil for a new object
	Version int64  // of the object, for Kind.Undo
	Message string // why the record was refused; empty on success
	// Problems are the errors of the message with their codes.
	Problems []form.Problem
}

// Actor is the user who imports.
type Actor struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	Permanent bool   `json:"permanent,omitempty"` // identified by a permanent token
}

// Update is the value of Options.Existing that changes existing objects.
const Update = "update"

// Options are how a file is read, and what is withheld from customers.
type Options struct {
	Layout   Layout   `json:"layout,omitzero"`
	Existing string   `json:"existing,omitempty"` // Update, or records of existing objects are refused
	Key      string   `json:"key,omitempty"`      // one of Kind.Keys, empty for the first one
	Replace  []string `json:"replace,omitempty"`  // those of Kind.Guarded that change

	// LaterFirst means that records wait for later ones of the file that they refer to.
	LaterFirst bool `json:"laterFirst,omitempty"`

	WithoutMessages bool `json:"withoutMessages,omitempty"` // about what the records change for them
	// The others are those of Kind.Newcomers.
	WithoutPoints  bool `json:"withoutPoints,omitempty"`  // those of the earning rule for new accounts
	WithoutWelcome bool `json:"withoutWelcome,omitempty"` // in the inbox
}

// Import is one file with its progress.
type Import struct {
	StoreKey   int64
	ID         string
	Kind       string
	State      string
	Format     string
	FileName   string
	Bytes      int64
	DryRun     bool // the effects are rolled back
	Options    Options
	Records    int64 // in the file; 0 until they are counted
	Done       int64 // records that were carried out, from the beginning of the file
	Failed     int64 // refused ones among them
	Undone     int64 // records that were undone
	Remaining  int64 // records that undoing has left, or could not undo as a whole
	Error      string
	ErrorCode  string
	CreatedBy  Actor
	CreatedAt  time.Time
	StartedAt  time.Time
	FinishedAt time.Time

	hash       string  // SHA-256 of the file in hexadecimal; empty while it is uploading
	onlyNew    bool    // refuses a file that was imported before
	before     *Import // an earlier import of the same content
	owner      string  // the run that carries it out
	leaseUntil time.Time
}

// Failure is a record that was refused.
type Failure struct {
	storeKey   int64
	importID   string
	Record     int64 // number in the file, from 1
	Line       int64
	Identifier string
	Message    string
	Problems   []form.Problem
}

var (
	errFile = fault.New(fault.Fields, "not_an_import_file", "This file is not valid.")
	errLine = fault.New(fault.Fields, "invalid_line", "Line %d of this file is not valid.")
	errUTF8 = fault.New(fault.Fields, "line_not_utf",
		"Line %d of this file is not UTF-8. Save the file as CSV in UTF-8.")
	errWorkbook = fault.New(fault.Fields, "workbook",
		"This file is a workbook of a spreadsheet. Save it as CSV UTF-8 there, and send that file.")
	errColumn  = fault.New(fault.Fields, "unknown_column", "This file has an unknown column: %s.")
	errColumns = fault.New(fault.Fields, "columns_do_not_fit", "This file has %d columns.")
	errTwice   = fault.New(fault.Fields, "field_of_two_columns", "Two columns have the field %s.")
	errOverlap = fault.New(fault.Fields, "overlapping_fields", "The fields %s and %s exclude each other.")
	errDates   = fault.New(fault.Fields, "ambiguous_dates",
		"The dates of this file can be read in two ways. Send dates=dmy if they begin with the day, or dates=mdy.")
	errNumbers = fault.New(fault.Fields, "ambiguous_numbers", "The numbers of this file can be read in two ways, such as "+
		"1.500. Send decimal=, if commas separate the fraction, or decimal=. if points do.")
	errRecord = fault.New(fault.Fields, "invalid_record", "This record is not valid.")
	errLarge  = fault.New(fault.Fields, "record_too_large", "The record at line %d of this file is too large.")
	errBefore = fault.New(fault.Fields, "file_imported_before", "This file was imported before: %s.")
	errApart  = fault.New(fault.Fields, "lines_apart",
		"The lines of this record are not one after the other in the file.")
	errDefect = fault.New(fault.Fields, "import_stopped",
		"The import has stopped because of an error of the server. It can be resumed.")

	errNotRunning = fault.New(fault.Refused, "import_not_running", "This import is not in progress.")
	errNotStopped = fault.New(fault.Refused, "import_not_stopped", "This import was neither cancelled nor has it failed.")
	errNoFile     = fault.New(fault.Refused, "import_file_deleted", "The file of this import was deleted.")
)

// Form converts a record, whose JSON is the form that a client would have sent, to that form.
func Form(fields any) (*form.Group, error) {
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	node, err := form.Decode("application/json", bytes.NewReader(text))
	return form.Read(node), err
}

// Refuse returns the result of a record that was refused by an error of its form. Other errors are returned as they
// are.
func Refuse(err error) (Result, error) {
	refused, is := errors.AsType[*fault.Error](err)
	switch {
	case !is:
		return Result{}, err
	case refused.Kind == fault.Fields:
		if tree, is := refused.Detail.(form.Tree); is {
			return Result{Message: strings.Join(tree.Messages(), " "), Problems: tree.Problems()}, nil
		}
		return refusal(refused), nil
	case refused.Kind == fault.Refused:
		return refusal(refused), nil
	case refused.Kind == fault.Invalid, refused.Kind == fault.TooLarge: // it cannot be read as a form
		return refusal(errRecord), nil
	}
	return Result{}, err
}

func refusal(of *fault.Error) Result {
	return Result{Message: of.Message, Problems: []form.Problem{{Detail: of.Message, Pointer: "#", Code: of.Code}}}
}
