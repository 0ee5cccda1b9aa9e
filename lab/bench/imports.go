package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"time"
)

// importKind is a kind of file that can be imported, with as many records as wanted.
type importKind struct {
	name, path, columns string
	// lines writes the lines of one record. Its number differs from those of all others; that of a customer may not.
	lines func(to io.Writer, number, customer int)
}

var importOfReceipts = &importKind{
	"import-receipts", "admin/transaction/import",
	"documentNumber,documentType,customer.name,customer.email,item.sku.code,item.name,item.quantity," +
		"item.grossValue,item.category",
	func(to io.Writer, number, customer int) {
		for _, item := range []string{
			"COFFEE,Large coffee,2,7.80,drinks", "BEANS,Beans,1,11.50,groceries", "CAKE,Carrot cake,1,4.20,food",
		} {
			fmt.Fprintf(to, "P-%d,sell,Ida Berg,customer-%d@example.com,%s\n", number, customer, item)
		}
	},
}

var importKinds = []*importKind{importOfReceipts, {
	"import-customers", "admin/customer/import",
	"active,firstName,lastName,gender,email,phone,address.city,labels,agreement1",
	func(to io.Writer, number, _ int) {
		fmt.Fprintf(to, "true,Ida,Berg,female,imported-%d@example.com,+472%07[1]d,Oslo,origin:shop,true\n", number)
	},
}}

const (
	progressPoll = 100 * time.Millisecond
	importLimit  = time.Hour
)

// importFile imports records with the numbers from first on, and returns how long that took, the upload included. A
// record that is refused is an error.
func (t *trial) importFile(ctx context.Context, kind *importKind, first, records int) (time.Duration, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file[file]", "records.csv")
	if err != nil {
		return 0, err
	}
	fmt.Fprintln(file, kind.columns)
	for i := range records {
		kind.lines(file, first+i, (first+i)%len(t.shop.customers))
	}
	if err := form.Close(); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, importLimit)
	defer cancel()
	began := time.Now()
	request, err := http.NewRequestWithContext(ctx, "POST", t.server.Base+ofStore+kind.path, &body)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+t.shop.adminToken)
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Prefer", "respond-async")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusAccepted {
		text, _ := io.ReadAll(response.Body) // the status is the error
		return 0, fmt.Errorf("%s is not accepted: %s: %s", kind.name, response.Status, text)
	}
	err = t.awaitImport(ctx, response.Header.Get("Location"), records)
	return time.Since(began), err
}

// awaitImport returns when an import has ended. It is an error if records were refused.
func (t *trial) awaitImport(ctx context.Context, location string, records int) error {
	return t.poll(ctx, location, func(text []byte) (ended bool, err error) {
		var found struct {
			State, Error string
			TotalSuccess int
		}
		if err := json.Unmarshal(text, &found); err != nil {
			return false, err
		}
		switch {
		case found.State == "finished" && found.TotalSuccess == records:
			return true, nil
		case found.State == "finished" || found.State == "failed":
			refused, err := t.server.request("GET", location+"/errors?perPage=1", t.shop.adminToken, "")
			return false, errors.Join(fmt.Errorf("the import of %d records ended: %s %s", records, text, refused), err)
		}
		return false, nil
	})
}

// poll reads the progress of work in the background until it has ended.
func (t *trial) poll(ctx context.Context, path string, read func(text []byte) (ended bool, err error)) error {
	return await(ctx, progressPoll, func() (bool, error) {
		text, err := t.server.request("GET", path, t.shop.adminToken, "")
		if err != nil {
			return false, err
		}
		return read(text)
	})
}

// await calls a function until it returns true or fails, with a pause between two calls.
func await(ctx context.Context, pause time.Duration, ask func() (bool, error)) error {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		if is, err := ask(); is || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

// imported is the result of an import.
type imported struct {
	engine, kind string
	records      int
	took         time.Duration
	statements   int64
}

// measureImports measures each import alone on a server of its own.
func (b *bencher) measureImports(ctx context.Context, e *engine, s *shop, to *report) error {
	for _, kind := range b.imports {
		t := b.newTrial(e, s, 1, nil)
		err := t.serve(ctx, func(*database) error {
			before, err := t.server.statements()
			if err != nil {
				return err
			}
			// The first numbers may be taken by the receipts that are prepared for returns.
			took, err := t.importFile(ctx, kind, len(s.customers), b.records)
			if err != nil {
				return err
			}
			after, err := t.server.statements()
			to.imported = append(to.imported, imported{e.name, kind.name, b.records, took, after - before})
			progress("%s %s: %d records in %.1f s", e.name, kind.name, b.records, took.Seconds())
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
	}
	return nil
}

func (r *report) importTable() table {
	t := table{legend: importLegend, lines: [][]string{{"engine", "import", "records", "s", "records/s", "statements"}}}
	for _, f := range r.imported {
		t.add(f.engine, f.kind, fmt.Sprint(f.records), fmt.Sprintf("%.1f", f.took.Seconds()),
			whole(float64(f.records)/f.took.Seconds()), fmt.Sprintf("%.2f", float64(f.statements)/float64(f.records)))
	}
	return t
}

const importLegend = `
Imports of a CSV file, from its upload until the last record is stored. Statements are those for one record.`
