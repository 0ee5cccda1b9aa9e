package dataimport

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"punchcard/core/api"
)

// ColumnType is how the cells of a column are read.
type ColumnType string

// The types of columns.
const (
	Text     ColumnType = "text"
	Date     ColumnType = "date"     // 14.05.1980 is 1980-05-14
	DateTime ColumnType = "dateTime" // the same with an optional time
	Number   ColumnType = "number"   // 1.234,50 is 1234.50
)

// The orders of day, month and year.
const (
	dayFirst   = "dmy"
	monthFirst = "mdy"
	yearFirst  = "ymd"
)

// DateOrders lists the orders of day, month and year. A date that begins with the year is read in any order.
var DateOrders = []string{dayFirst, monthFirst, yearFirst}

// value returns a cell as the form of the record takes it. What cannot be read stays, so that the form refuses it. A
// date or a number that can be read in two ways is an error if the layout does not tell how.
func (l *Layout) value(t ColumnType, cell string) (string, error) {
	switch t {
	case Date, DateTime:
		order := l.Dates
		if order == "" {
			found, ambiguous := guessDates([]string{cell})
			if ambiguous {
				return "", errDates
			}
			order = found
		}
		if date, found := readBirthday(cell, order); found && t == Date {
			return date, nil
		}
		return readDate(cell, order, t == DateTime), nil
	case Number:
		decimal := l.Decimal
		if decimal == "" {
			sign, isSure := fractionSign(cell)
			if sign != "" && !isSure {
				return "", errNumbers
			}
			decimal = cmp.Or(sign, point)
		}
		return readNumber(cell, decimal), nil
	}
	return api.FromCSV(cell), nil
}

// dateCell matches a date of three numbers, and perhaps a time.
var dateCell = regexp.MustCompile(`^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})\.?` +
	`(?:[ T,]+(\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?$`)

// birthday matches a day without a year: 05-14, --05-14, 14.5. or 14/5.
var birthday = regexp.MustCompile(`^(?:--)?(\d{1,2})([./-])(\d{1,2})\.?$`)

// UnknownYear is the year of a birthday without one. Only day and month of birthdays count. It is a leap year.
const UnknownYear = 1904

// readBirthday returns a day without a year as a date, or false if the cell is none.
func readBirthday(cell, order string) (date string, found bool) {
	m := birthday.FindStringSubmatch(strings.TrimSpace(cell))
	if m == nil {
		return "", false
	}
	month, day := m[1], m[3]
	if m[2] == "." || m[2] == "/" && order != monthFirst {
		day, month = month, day
	}
	if n, _ := strconv.Atoi(month); n > 12 { // they are digits
		day, month = month, day
	}
	date = fmt.Sprintf("%d-%02s-%02s", UnknownYear, month, day)
	_, err := time.Parse(time.DateOnly, date)
	return date, err == nil
}

// readDate returns a date as 1980-05-14, with the time behind it if there is one and it is wanted.
func readDate(cell, order string, withTime bool) string {
	m := dateCell.FindStringSubmatch(strings.TrimSpace(cell))
	if m == nil {
		return cell
	}
	year, month, day := m[1], m[2], m[3]
	if len(year) != 4 {
		day, month, year = m[1], m[2], m[3]
		if order == monthFirst {
			day, month = month, day
		}
	}
	text := fmt.Sprintf("%s-%02s-%02s", year, month, day)
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return cell
	}
	if at := m[4]; withTime && at != "" {
		if len(at) < len("15:04") || at[1] == ':' {
			at = "0" + at
		}
		text += " " + at
	}
	return text
}

// guessDates returns the order of the dates in cells, and whether they can be read in two ways. The order is empty if
// no cell tells anything about it.
func guessDates(cells []string) (order string, ambiguous bool) {
	day, month := false, false // whether a date can only begin with the day, or the month
	for _, cell := range cells {
		m := dateCell.FindStringSubmatch(strings.TrimSpace(cell))
		if b := birthday.FindStringSubmatch(strings.TrimSpace(cell)); b != nil && b[2] == "/" {
			m = []string{b[0], b[1], b[3]}
		}
		if m == nil || len(m[1]) == 4 {
			continue
		}
		first, _ := strconv.Atoi(m[1]) // they are digits
		second, _ := strconv.Atoi(m[2])
		switch {
		case first > 12 || strings.Contains(m[0][:len(m[1])+1], "."): // points separate only dates with the day first
			day = true
		case second > 12:
			month = true
		case first != second:
			ambiguous = true
		}
	}
	switch {
	case month && !day:
		return monthFirst, false
	case day, ambiguous:
		return dayFirst, !day
	}
	return "", false
}
