package dataimport

import (
	"regexp"
	"strings"
)

// What separates the fraction of a number.
const (
	point = "."
	comma = ","
)

// Decimals lists what separates the fraction of a number.
var Decimals = []string{point, comma}

// Unit is the unit of a number, which limits the digits of its fraction.
type Unit string

// The units of numbers. Those without a unit can have any number of digits.
const (
	Points Unit = "points" // two digits
	Money  Unit = "money"  // the digits of the store's currency
)

// pointsDigits is how many digits the fraction of points has at most.
const pointsDigits = 2

// number matches a number as forms take it, money the number in an amount with a currency.
var (
	number = regexp.MustCompile(`^[+-]?\d+(\.\d+)?$`)
	money  = regexp.MustCompile(`^(?:[A-Z]{3}|\p{Sc})?\s*([+\-\x{2212}]?\d[\d.,'\s\x{a0}\x{202f}]*?)\s*` +
		`(?:[A-Z]{3}|\p{Sc}|zł|kr\.?|Kč|Ft|lei)?$`)
)

// grouped matches a whole number with groups, of which the last one has three digits, by what separates them.
var grouped = map[string]*regexp.Regexp{
	point: regexp.MustCompile(`^[+-]?\d{1,3}(\.\d{2,3})*\.\d{3}$`),
	comma: regexp.MustCompile(`^[+-]?\d{1,3}(,\d{2,3})*,\d{3}$`),
}

// numeral returns the number in a cell without its sign and currency, or false if there is none.
func numeral(cell string) (text string, found bool) {
	m := money.FindStringSubmatch(strings.TrimSpace(strings.TrimPrefix(cell, "'")))
	if m == nil {
		return "", false
	}
	return strings.TrimLeft(m[1], "+-\u2212"), true
}

// fractionSign returns what separates the fraction of the number in a cell, empty if the number does not tell. A single
// sign before three digits, as in 1.500, is only sure if it cannot separate a group; otherwise the sign itself is
// returned.
func fractionSign(cell string) (sign string, isSure bool) {
	text, _ := numeral(cell)
	last := strings.LastIndexAny(text, ".,")
	if last < 0 || last == len(text)-1 {
		return "", false
	}
	sign = text[last : last+1]
	before := text[:last]
	switch {
	case strings.Contains(before, other(sign)): // that is the sign of groups
		return sign, true
	case strings.Contains(before, sign):
		return other(sign), true
	case len(text)-last-1 != len("000"), len(before) > len("000"), before[0] == '0':
		return sign, true
	}
	return sign, false
}

func other(sign string) string {
	if sign == point {
		return comma
	}
	return point
}

// quantity is a number of a file with the digits that its fraction can have, negative if any.
type quantity struct {
	cell   string
	digits int
}

// guessDecimal returns what separates the fraction of numbers, empty if none of them tells anything about it. If all
// can be read in two ways, two of three hints must agree and none contradict: the digits that the fractions can have,
// the separator of the cells and the dates. Otherwise it is ambiguous.
func guessDecimal(numbers []quantity, separator string, dates []string) (decimal string, ambiguous bool) {
	votes, byDigits := map[string]int{}, map[string]bool{}
	for _, n := range numbers {
		sign, isSure := fractionSign(n.cell)
		switch {
		case sign == "":
			continue
		case isSure:
			if decimal != point { // of a file with both, commas that are no groups are errors of their records
				decimal = sign
			}
			continue
		case n.digits >= len("000"):
			byDigits[sign] = true
		case n.digits >= 0:
			byDigits[other(sign)] = true
		}
		ambiguous = true
	}
	if decimal != "" || !ambiguous {
		return decimal, false
	}
	for sign := range byDigits {
		votes[sign]++
	}
	votes[bySeparator(separator)]++
	votes[byDates(dates)]++
	switch {
	case votes[comma] > votes[point]:
		decimal = comma
	default:
		decimal = point
	}
	return decimal, votes[decimal] < 2 || votes[other(decimal)] > 0
}

// bySeparator returns what probably separates fractions in a file whose cells are separated so: spreadsheets separate
// cells by semicolons where commas separate fractions.
func bySeparator(name string) string {
	return map[string]string{"semicolon": comma, "comma": point}[name]
}

// byDates returns what probably separates fractions where dates are written like those of the file, empty if the dates
// do not tell.
func byDates(dates []string) string {
	for _, cell := range dates {
		if m := dateCell.FindStringSubmatch(strings.TrimSpace(cell)); m != nil && len(m[1]) < 4 &&
			strings.HasPrefix(strings.TrimSpace(cell)[len(m[1]):], ".") {
			return comma
		}
	}
	if order, ambiguous := guessDates(dates); order == monthFirst && !ambiguous {
		return point
	}
	return ""
}

// readNumber returns a number without groups and currency, and with a point before its fraction.
func readNumber(cell, decimal string) string {
	m := money.FindStringSubmatch(strings.TrimSpace(strings.TrimPrefix(cell, "'")))
	if m == nil {
		return cell
	}
	text := strings.NewReplacer("\u00a0", "", "\u202f", "", " ", "", "'", "", "\u2212", "-").Replace(m[1])
	group := other(decimal)
	whole, fraction, _ := strings.Cut(text, decimal)
	if strings.Contains(fraction, group) || strings.Contains(whole, group) && !grouped[group].MatchString(whole) {
		return cell
	}
	text = strings.Replace(strings.ReplaceAll(text, group, ""), comma, point, 1)
	if !number.MatchString(text) {
		return cell
	}
	return text
}

// plain returns a number that was read without zeros at the end of its fraction.
func plain(text string) string {
	if !number.MatchString(text) || !strings.Contains(text, point) {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), point)
}
