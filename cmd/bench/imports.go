package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"time"
)

// importKind is a kind of file that can be imported, with as many records as wanted.
type importKind struct {
	name, path, columns string
	// lines writes the lines of one record. The number is different for each record of a database.
	lines func(to io.Writer, number int)
}

var (
	importOfReceipts = importKind{
		"import of receipts", "admin/transaction/import",
		"documentNumber,documentType,customer.name,customer.email,item.sku.code,item.name,item.quantity," +
			"item.grossValue,item.category",
		func(to io.Writer, number int) {
			for _, item := range []string{
				"COFFEE,Large coffee,2,7.80,drinks", "BEANS,Beans,1,11.50,groceries", "CAKE,Carrot cake,1,4.20,food",
			} {
				fmt.Fprintf(to, "P-%d,sell,Ida Berg,customer-%[1]d@example.com,%s\n", number, item)
			}
		},
	}
	importOfCustomers = importKind{
		"import of customers", "admin/customer/import",
		"active,firstName,lastName,email,phone,address.city,labels,agreement1",
		func(to io.Writer, number int) {
			fmt.Fprintf(to, "true,Ida,Berg,imported-%d@example.com,+472%07[1]d,Oslo,origin:shop,true\n", number)
		},
	}
)

const (
	importPoll  = 100 * time.Millisecond
	importLimit = time.Hour
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
		kind.lines(file, first+i)
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
		return 0, fmt.Errorf("the %s is not accepted: %s: %s", kind.name, response.Status, text)
	}
	err = t.awaitImport(ctx, response.Header.Get("Location"), records)
	return time.Since(began), err
}

// awaitImport returns when an import has ended. It is an error if records were refused.
func (t *trial) awaitImport(ctx context.Context, location string, records int) error {
	poll := time.NewTicker(importPoll)
	defer poll.Stop()
	for {
		text, err := t.server.request("GET", location, t.shop.adminToken, "")
		if err != nil {
			return err
		}
		var found struct {
			State, Error string
			TotalSuccess int
		}
		if err := json.Unmarshal(text, &found); err != nil {
			return err
		}
		switch {
		case found.State == "finished" && found.TotalSuccess == records:
			return nil
		case found.State == "finished" || found.State == "failed":
			return fmt.Errorf("the import of %d records ended: %s", records, text)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-poll.C:
		}
	}
}
