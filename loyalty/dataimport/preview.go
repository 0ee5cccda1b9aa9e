package dataimport

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Limits of a preview.
const (
	PreviewRecords = 10 // records that are shown
	sampleCells    = 3  // cells that are shown of a column
)

// preview is the JSON of a file that was looked at: docs/behaviour/imports.md#preview.
type preview struct {
	Format    string `json:"format"`
	Encoding  string `json:"encoding"`
	Separator string `json:"separator,omitempty"`
	Decimal   string `json:"decimal,omitempty"`
	Dates     string `json:"dates,omitempty"`
	// AmbiguousDates means that day and month could also be the other way round.
	AmbiguousDates bool `json:"ambiguousDates"`
	// AmbiguousDecimal means that a sign in numbers such as 1.500 could also separate groups.
	AmbiguousDecimal bool            `json:"ambiguousDecimal"`
	Remembered       bool            `json:"remembered"` // the fields are those of an earlier file with the same columns
	Columns          []previewColumn `json:"columns"`    // of the file
	Fields           []previewField  `json:"fields"`     // that a column can have
	Records          []previewRecord `json:"records"`
}

type previewColumn struct {
	Name    string   `json:"name"`
	Field   string   `json:"field"` // empty for none
	Samples []string `json:"samples"`
}

type previewField struct {
	Name  string     `json:"name"`
	Type  ColumnType `json:"type"`
	Parts []string   `json:"parts,omitempty"` // fields that it excludes
}

// previewRecord is a record as it would be stored.
type previewRecord struct {
	Line       int64             `json:"line"`
	Identifier string            `json:"identifier"`
	Fields     map[string]string `json:"fields"`  // those that are filled in
	Changes    bool              `json:"changes"` // an object that exists already
	Problems   []form.Problem    `json:"errors"`
}

// preview shows how a file, or its beginning, would be read and carried out. Nothing is stored.
func (svc *Service) preview(c *api.Call) error {
	k := svc.kind(c.PathValue("kind"))
	if k == nil {
		return fault.ErrNotFound
	}
	if !c.Caller.Allowed(k.Resource, access.Modify) {
		return access.LacksPermission(k.Resource, access.Modify)
	}
	i, err := newImport(c, k)
	if err != nil {
		return err
	}
	file, err := sentFile(c)
	if err != nil {
		return err
	}
	shown, records, err := lookAt(c, k, i, file.Bytes)
	if err != nil {
		return fieldError(err)
	}
	err = store.Write(c.Context(), c.DB(), c.Store, func(tx *db.Tx) error {
		order := surveyed(records, shown.Format).order()
		ordered := make([]Record, len(order))
		for at, n := range order {
			ordered[at] = records[n]
		}
		results, err := k.Apply(tx, c.Store, i, ordered)
		if err != nil {
			return err
		}
		for at, result := range results {
			if n := order[at]; n < len(shown.Records) {
				shown.Records[n].Changes = result.Changed
				shown.Records[n].Problems = append([]form.Problem{}, result.Problems...)
			}
		}
		return errRolledBack
	})
	if !errors.Is(err, errRolledBack) {
		return err
	}
	return c.OK(shown)
}

// lookAt reads the beginning of a file. Behind the records that are shown it returns those that they refer to.
func lookAt(c *api.Call, k *Kind, i *Import, file []byte) (*preview, []Record, error) {
	l := &i.Options.Layout
	text, decoded, err := textOf(file, *l)
	if err != nil {
		return nil, nil, err
	}
	*l = decoded
	shown := &preview{
		Encoding: l.Encoding, Columns: []previewColumn{}, Fields: k.previewFields(), Records: []previewRecord{},
	}
	if !isXML(text) {
		sample := text[:min(len(text), sampleBytes)]
		o, err := k.outlineOf(sample, len(sample) == len(text), *l)
		if err != nil {
			return nil, nil, err
		}
		if l.Columns == nil {
			if shown.Remembered, err = k.recall(c, o); err != nil {
				return nil, nil, err
			}
		}
		shown.AmbiguousDates, shown.AmbiguousDecimal, shown.Columns = o.ambiguous.dates, o.ambiguous.numbers, o.columns()
		*l = o.Layout
		shown.Format, shown.Separator = formatCSV, l.Separator
		shown.Decimal, shown.Dates = cmp.Or(l.Decimal, point), cmp.Or(l.Dates, dayFirst)
		if !slices.ContainsFunc(l.Columns, func(field string) bool { return field != "" }) {
			return shown, nil, nil
		}
	}
	d, format, complete, err := k.open(bytes.NewReader(text), *l)
	if err != nil {
		return nil, nil, err
	}
	*l = complete
	shown.Format = format
	var records []Record
	needed := map[string]bool{}
	for n := 0; n < PreviewRecords || len(needed) > 0 && n < RecordLimit; n++ {
		record, line, err := d.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if n < PreviewRecords {
			shown.Records = append(shown.Records, previewRecordOf(record, line))
			if referrer, refers := record.(Referrer); refers && referrer.RefersTo() != "" {
				needed[referrer.RefersTo()] = true
			}
		} else if !needed[record.Identifier()] {
			continue
		}
		records = append(records, record)
		delete(needed, record.Identifier())
	}
	return shown, records, nil
}

func (k *Kind) previewFields() (fields []previewField) {
	for _, column := range k.New().Columns() {
		fields = append(fields, previewField{column.Name, column.textType(), column.Parts})
	}
	return fields
}

func (c *Column) textType() ColumnType {
	if c.Type == "" {
		return Text
	}
	return c.Type
}

func previewRecordOf(record Record, line int64) previewRecord {
	shown := previewRecord{
		Line: line, Identifier: record.Identifier(), Fields: map[string]string{}, Problems: []form.Problem{},
	}
	if settled, is := record.(Settled); is {
		record = settled.Stored()
	}
	for _, column := range record.Columns() {
		if text := *column.Text; text != "" {
			if column.Type == Number {
				text = plain(text)
			}
			shown.Fields[column.Name] = text
		}
	}
	return shown
}

// columns returns the columns of the file with their first cells that are filled in.
func (o *outline) columns() []previewColumn {
	columns := make([]previewColumn, len(o.header))
	for i, name := range o.header {
		columns[i] = previewColumn{Name: name, Field: o.Columns[i], Samples: []string{}}
		for _, cells := range o.rows {
			if i < len(cells) && cells[i] != "" && !slices.Contains(columns[i].Samples, cells[i]) {
				columns[i].Samples = append(columns[i].Samples, cells[i])
			}
			if len(columns[i].Samples) == sampleCells {
				break
			}
		}
	}
	return columns
}
