package privacy

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// person is the customer as exported.
type person struct {
	customerapi.Detail
	CampaignPurchases *struct{} `json:"campaignPurchases,omitempty"` // omitted: purchases have a section
	LastLoginAt       *string   `json:"lastLoginAt,omitempty"`
	AnonymizedAt      *string   `json:"anonymizedAt,omitempty"`
}

// exportedData is the beginning of an export. Each section follows as a further member that holds a list.
type exportedData struct {
	ExportedAt string              `json:"exportedAt"`
	Customer   person              `json:"customer"`
	Balance    customerapi.Balance `json:"balance"`
}

// exportDocument describes an export with the lists of all features.
type exportDocument struct{ exports []feature.Export }

// Members returns a value of a struct with the members of the document.
func (d exportDocument) Members() any {
	var fields []reflect.StructField
	for field := range reflect.TypeFor[exportedData]().Fields() {
		fields = append(fields, field)
	}
	for _, e := range d.exports {
		fields = append(fields, reflect.StructField{
			Name: strings.ToUpper(e.Name[:1]) + e.Name[1:], Type: reflect.TypeFor[[]json.RawMessage](),
			Tag: reflect.StructTag(`json:"` + e.Name + `"`),
		})
	}
	return reflect.Zero(reflect.StructOf(fields)).Interface()
}

// exports returns the lists that follow the customer and the balance, in their order.
func (svc *Service) exports() (all []feature.Export) {
	for i := range svc.stored {
		all = append(all, svc.stored[i].Exports...)
	}
	slices.SortFunc(all, func(a, b feature.Export) int { return cmp.Compare(a.Rank, b.Rank) })
	return all
}

// exportData streams all data of a customer as one JSON document of any length. Each page is read in a
// transaction of its own, so the pages may show slightly different moments.
func (svc *Service) exportData(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var document exportedData
	err = c.Read(func(tx *db.Tx) (err error) {
		document, err = dataOf(c, tx, locale)
		return err
	})
	if err != nil {
		return err
	}
	if _, err := event.Number(c.Context(), c.DB()); err != nil {
		return err
	}
	id := document.Customer.ID
	header := c.ResponseHeader()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Disposition", `attachment; filename="customer_`+id+`.json"`)
	to := newExportWriter(c)
	to.member("{", "exportedAt", document.ExportedAt)
	to.member(",", "customer", document.Customer)
	to.member(",", "balance", document.Balance)
	for _, e := range svc.exports() {
		if err := to.section(c, e.Name, e.Read, id); err != nil {
			return err
		}
	}
	return to.close()
}

// exportWriter writes the document to the response. It remembers the first error.
type exportWriter struct {
	*bufio.Writer
	json *json.Encoder
	err  error
}

func newExportWriter(c *api.Call) *exportWriter {
	to := bufio.NewWriterSize(c.Stream(), 16<<10)
	s := &exportWriter{Writer: to, json: json.NewEncoder(to)}
	s.json.SetEscapeHTML(false) // as in all responses
	return s
}

func (s *exportWriter) member(before, name string, value any) {
	s.item(before+`"`+name+`":`, value)
}

func (s *exportWriter) item(before string, value any) {
	if _, err := s.WriteString(before); s.err == nil {
		s.err = err
	}
	if s.err == nil {
		s.err = s.json.Encode(value)
	}
}

func (s *exportWriter) close() error {
	if s.err == nil {
		s.err = s.WriteByte('}')
	}
	return errors.Join(s.err, s.Flush())
}

// dataOf reads the first part of the export: the customer and the balance.
func dataOf(c *api.Call, tx *db.Tx, locale api.Locale) (exportedData, error) {
	who, err := customer.Of(c, tx)
	if err != nil {
		return exportedData{}, err
	}
	levels, err := level.All(tx, c.Store.Key)
	if err != nil {
		return exportedData{}, err
	}
	details, err := customerapi.Details(c, tx, levels, locale, []customer.Customer{*who})
	if err != nil {
		return exportedData{}, err
	}
	has, err := customerapi.BalanceNow(c, tx, levels, locale, who)
	return exportedData{
		ExportedAt: api.Timestamp(tx.Now(), c.Store.Zone),
		Customer: person{
			Detail: details[0], LastLoginAt: api.OptionalTimestamp(who.LastLoginAt, c.Store.Zone),
			AnonymizedAt: api.OptionalTimestamp(who.AnonymizedAt, c.Store.Zone),
		},
		Balance: has,
	}, err
}

// section writes a section, page by page.
func (s *exportWriter) section(c *api.Call, name string, page feature.Page, customerID string) error {
	before := `,"` + name + `":[`
	for after, more := "", true; more && s.err == nil; more = after != "" {
		var items []any
		err := c.Read(func(tx *db.Tx) (err error) {
			items, after, err = page(tx, c.Store, customerID, after)
			return err
		})
		if err != nil {
			return err
		}
		for _, item := range items {
			s.item(before, item)
			before = ","
		}
	}
	if before != "," { // the section is empty
		_, _ = s.WriteString(before)
	}
	return errors.Join(s.err, s.WriteByte(']'))
}
