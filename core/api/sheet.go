package api

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf16"
)

const (
	// SheetRows is the maximal number of rows of a sheet, a limit of the format. Further rows are on another sheet.
	SheetRows = 1 << 20
	// sheetCell is the maximal length of a text in UTF-16 units, a limit of Excel. The rest is left out.
	sheetCell = 32_767
)

// The fixed parts of a workbook, ECMA-376.
const (
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	officeNames   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageNames  = "http://schemas.openxmlformats.org/package/2006/"
	sheetNames    = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	sheetPart     = "xl/worksheets/sheet%d.xml"
	sheetBegin    = `<worksheet xmlns="` + sheetNames + `"><sheetData>`
	sheetEnd      = `</sheetData></worksheet>`
	relationsHead = `<Relationships xmlns="` + packageNames + `relationships">`
)

// sheetWriter writes a spreadsheet while it is sent.
type sheetWriter struct {
	zip    *zip.Writer
	to     *bufio.Writer // the present sheet
	titles []string
	sheets int
	rows   int // of the present sheet
	most   int // rows of a sheet
}

func newSheet(to io.Writer) *sheetWriter {
	return &sheetWriter{zip: zip.NewWriter(to), most: SheetRows}
}

// plainNumber matches what a spreadsheet keeps exactly as a number.
var plainNumber = regexp.MustCompile(`^-?\d{1,9}(\.\d{1,6})?$`)

// row adds a row. The first one has the titles, with which further sheets begin, too.
func (w *sheetWriter) row(columns []TableColumn, cells []string) error {
	switch {
	case w.titles == nil:
		w.titles = cells
		if err := w.begin(); err != nil {
			return err
		}
	case w.rows == w.most:
		if err := w.next(); err != nil {
			return err
		}
	}
	return w.write(columns, cells)
}

// next ends a full sheet and begins another.
func (w *sheetWriter) next() error {
	if err := w.end(); err != nil {
		return err
	}
	if err := w.begin(); err != nil {
		return err
	}
	return w.write(make([]TableColumn, len(w.titles)), w.titles)
}

func (w *sheetWriter) begin() error {
	w.sheets, w.rows = w.sheets+1, 0
	part, err := w.zip.Create(fmt.Sprintf(sheetPart, w.sheets))
	if err == nil {
		w.to = bufio.NewWriterSize(part, 16<<10)
		_, err = w.to.WriteString(xmlHead + sheetBegin)
	}
	return err
}

func (w *sheetWriter) end() error {
	_, _ = w.to.WriteString(sheetEnd) // the writer returns its first error from Flush
	return w.to.Flush()
}

// write writes a row: amounts and counts as numbers, everything else as text.
func (w *sheetWriter) write(columns []TableColumn, cells []string) error {
	w.rows++
	_, _ = w.to.WriteString("<row>") // the writer returns its first error from the last call
	for i, cell := range cells {
		if columns[i].Number && plainNumber.MatchString(cell) {
			_, _ = w.to.WriteString("<c><v>" + cell + "</v></c>")
			continue
		}
		_, _ = w.to.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">`)
		_ = xml.EscapeText(w.to, []byte(shortened(cell)))
		_, _ = w.to.WriteString("</t></is></c>")
	}
	_, err := w.to.WriteString("</row>")
	return err
}

// shortened returns a text that fits into a cell.
func shortened(cell string) string {
	if len(cell) <= sheetCell {
		return cell
	}
	units := 0
	for at, r := range cell {
		if units += utf16.RuneLen(r); units > sheetCell {
			return cell[:at]
		}
	}
	return cell
}

// close ends the sheet and writes the parts of the workbook that name the sheets.
func (w *sheetWriter) close() error {
	if err := w.end(); err != nil {
		return err
	}
	var sheets, relations, types strings.Builder
	for n := 1; n <= w.sheets; n++ {
		part := fmt.Sprintf(sheetPart, n)
		fmt.Fprintf(&sheets, `<sheet name="Sheet%d" sheetId="%[1]d" r:id="rId%[1]d"/>`, n)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s/worksheet" Target="/%s"/>`, n, officeNames, part)
		fmt.Fprintf(&types, `<Override PartName="/%s" ContentType="%sworksheet+xml"/>`, part, spreadsheetML)
	}
	for _, part := range []struct{ name, content string }{
		{"[Content_Types].xml", `<Types xmlns="` + packageNames + `content-types"><Default Extension="rels" ` +
			`ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + spreadsheetML + `sheet.main+xml"/>` +
			types.String() + `</Types>`},
		{"_rels/.rels", relationsHead + `<Relationship Id="rId1" Type="` + officeNames +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="` + sheetNames + `" xmlns:r="` + officeNames + `"><sheets>` +
			sheets.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", relationsHead + relations.String() + `</Relationships>`},
	} {
		to, err := w.zip.Create(part.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(to, xmlHead+part.content); err != nil {
			return err
		}
	}
	return w.zip.Close()
}
