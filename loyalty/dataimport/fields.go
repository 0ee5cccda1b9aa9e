package dataimport

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"punchcard/platform/search"
)

// fieldsOf finds the fields of columns by their names: first those of the fields themselves, then other names for them,
// each field once.
func (k *Kind) fieldsOf(header []string) []string {
	fields, taken := make([]string, len(header)), map[string]bool{}
	own, also := map[string]string{}, map[string]string{}
	for _, column := range k.New().Columns() {
		own[nameKey(column.Name)] = column.Name
		for _, name := range column.Also {
			also[nameKey(name)] = column.Name
		}
	}
	for _, names := range []map[string]string{own, also} {
		for i, name := range header {
			if field := names[nameKey(name)]; fields[i] == "" && field != "" && !taken[field] {
				fields[i], taken[field] = field, true
			}
		}
	}
	k.settle(header, fields)
	return fields
}

// settle leaves out fields beside which others say a part of the same. A column that has the plain name of the field,
// such as Name, is the part that is missing: the last name beside the first name.
func (k *Kind) settle(header, fields []string) {
	for _, column := range k.New().Columns() {
		at := slices.Index(fields, column.Name)
		isThere := func(part string) bool { return slices.Contains(fields, part) }
		missing := slices.DeleteFunc(slices.Clone(column.Parts), isThere)
		switch {
		case at < 0, len(missing) == len(column.Parts):
		case len(missing) == 1 && nameKey(header[at]) == nameKey(column.Name):
			fields[at] = missing[0]
		default:
			fields[at] = ""
		}
	}
}

// overlap returns a field with one of its parts, if both are among fields.
func (k *Kind) overlap(fields []string) (whole, part string, found bool) {
	for _, column := range k.New().Columns() {
		for _, part := range column.Parts {
			if slices.Contains(fields, column.Name) && slices.Contains(fields, part) {
				return column.Name, part, true
			}
		}
	}
	return "", "", false
}

// unknown returns the name of the first column that has no field, and no reason to be left out. All parts of what it
// says are a reason.
func (k *Kind) unknown(header, fields []string) (name string, found bool) {
	for i, name := range header {
		name = strings.TrimSpace(name)
		if name == "" || fields[i] != "" {
			continue
		}
		known := func(other string) bool { return nameKey(other) == nameKey(name) }
		isSaid := func(c Column) bool {
			return len(c.Parts) > 0 && (known(c.Name) || slices.ContainsFunc(c.Also, known)) &&
				!slices.ContainsFunc(c.Parts, func(part string) bool { return !slices.Contains(fields, part) })
		}
		if !slices.ContainsFunc(k.LeftOut, known) && !slices.ContainsFunc(k.New().Columns(), isSaid) {
			return name, true
		}
	}
	return "", false
}

// nameKey returns the name of a column without what differs between programs: case, accents, and all but letters and
// digits.
func nameKey(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, search.Fold(name))
}

// printable reports whether a name from a file can stand in a message.
func printable(name string) bool {
	return len(name) <= 100 && utf8.ValidString(name) && !strings.ContainsFunc(name, func(c rune) bool { return c < ' ' })
}
