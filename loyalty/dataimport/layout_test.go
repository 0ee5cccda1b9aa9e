package dataimport

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"punchcard/platform/fault"
)

// person is a record of these tests.
type person struct{ name, born, joined, spent, email string }

func (p *person) Identifier() string { return p.name }

func (p *person) Columns() []Column {
	return []Column{
		{Name: "name", Text: &p.name, Also: []string{"Imię i nazwisko"}}, {Name: "born", Text: &p.born, Type: Date},
		{Name: "joined", Text: &p.joined, Type: DateTime}, {Name: "spent", Text: &p.spent, Type: Number, Unit: Money},
		{Name: "email", Text: &p.email, Also: []string{"E-mail address"}},
	}
}

var people = &Kind{
	Name: "people", Root: "people", LeftOut: []string{"Total orders"}, New: func() Record { return new(person) },
}

// read returns the records of a file as text, a line for each.
func read(t *testing.T, file string, l Layout) (string, error) {
	t.Helper()
	l.money = 2
	found, err := people.readAll([]byte(file), l)
	if err != nil {
		return "", err
	}
	var lines []string
	for i, record := range found.all {
		p := record.(*person)
		lines = append(lines, fmt.Sprintf("%d %s|%s|%s|%s|%s", found.lines[i], p.name, p.born, p.joined, p.spent, p.email))
	}
	return strings.Join(lines, "\n"), nil
}

func in(t *testing.T, text string, encode func(string) (string, error)) string {
	t.Helper()
	encoded, err := encode(text)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// Files as spreadsheets, shop systems and other programs write them.
func TestFilesOfOtherPrograms(t *testing.T) {
	utf16 := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewEncoder().String
	bigEndian := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String
	macintosh := charmap.Macintosh.NewEncoder().String
	western, central := charmap.Windows1252.NewEncoder().String, charmap.Windows1250.NewEncoder().String
	for name, c := range map[string]struct{ file, want string }{
		"plain":             {"name,born\nIda,1988-02-29\n", "2 Ida|1988-02-29|||"},
		"byte order mark":   {"\ufeffname,born\nIda,1988-02-29\n", "2 Ida|1988-02-29|||"},
		"semicolons":        {"name;spent\nIda;1,50\n", "2 Ida|||1.50|"},
		"bars":              {"name|spent\nIda|1.50\n", "2 Ida|||1.50|"},
		"named separator":   {"sep=;\nname;born\nIda;29.02.1988\n", "3 Ida|1988-02-29|||"},
		"quoted separator":  {"\"sep=;\"\r\nname;born\r\nIda;29.02.1988\r\n", "3 Ida|1988-02-29|||"},
		"carriage returns":  {"name,born\rIda,1988-02-29\rOle,1990-01-01\r", "2 Ida|1988-02-29|||\n3 Ole|1990-01-01|||"},
		"UTF-16":            {in(t, "name\tborn\nØystein\t29.02.1988\n", utf16), "2 Øystein|1988-02-29|||"},
		"UTF-16 big endian": {in(t, "name\tborn\nIda\t29.02.1988\n", bigEndian), "2 Ida|1988-02-29|||"},
		"windows-1252":      {in(t, "name,born\nJürgen Müller,1988-02-29\n", western), "2 Jürgen Müller|1988-02-29|||"},
		"windows-1250":      {in(t, "name,born\nŁucja Źdźbło,1988-02-29\n", central), "2 Łucja Źdźbło|1988-02-29|||"},
		"macintosh":         {in(t, "name,born\rJürgen Müller,1988-02-29\r", macintosh), "2 Jürgen Müller|1988-02-29|||"},
		"quotes in a cell": {
			"name,born\n12\" Pizza,1988-02-29\nIda \"B\",\n\"O\"\"x\",\n",
			"2 12\" Pizza|1988-02-29|||\n3 Ida \"B\"||||\n4 O\"x||||",
		},
		"titles":          {"Our people\n\n2031-04-17,,\nname,born,spent\nIda,1988-02-29,1.5\n", "5 Ida|1988-02-29||1.5|"},
		"titles by Excel": {"sep=;\nOur people;;\nname;born;spent\nIda;;2\n", "4 Ida|||2|"},
		"day first":       {"name,born\nIda,29/02/1988\nOle,01/02/1990\n", "2 Ida|1988-02-29|||\n3 Ole|1990-02-01|||"},
		"month first":     {"name,born\nIda,02/29/1988\nOle,01/02/1990\n", "2 Ida|1988-02-29|||\n3 Ole|1990-01-02|||"},
		"points":          {"name,born\nOle,01.02.1990\n", "2 Ole|1990-02-01|||"},
		"year first":      {"name,born\nOle,1990/2/1\n", "2 Ole|1990-02-01|||"},
		"date with time": {
			"name,born,joined\nOle,1990-02-01 00:00:00,01.02.2020 9:05\n", "2 Ole|1990-02-01|2020-02-01 09:05||",
		},
		"days without a year": {
			"name,born\nIda,05-14\nOle,--02-29\nPer,14.5.\nEva,14/05\nBo,31-12\nUna,02-30\n",
			"2 Ida|1904-05-14|||\n3 Ole|1904-02-29|||\n" +
				"4 Per|1904-05-14|||\n5 Eva|1904-05-14|||\n6 Bo|1904-12-31|||\n7 Una|02-30|||",
		},
		"no such day":           {"name,born\nOle,30.02.1990\n", "2 Ole|30.02.1990|||"},
		"two digits of year":    {"name,born\nOle,01.02.90\n", "2 Ole|01.02.90|||"},
		"German numbers":        {"name;spent\nIda;1.234,50 €\nOle;2.000\n", "2 Ida|||1234.50|\n3 Ole|||2000|"},
		"English numbers":       {"name,spent\nIda,\"$1,234.50\"\nOle,\"2,000\"\n", "2 Ida|||1234.50|\n3 Ole|||2000|"},
		"Polish numbers":        {"name;spent\nIda;1\u00a0234,50 zł\nOle;-3\n", "2 Ida|||1234.50|\n3 Ole|||-3|"},
		"lakhs":                 {"name,spent\nIda,\"1,23,456.50\"\n", "2 Ida|||123456.50|"},
		"several groups":        {"name,spent\nIda,1.234.567\n", "2 Ida|||1234567|"},
		"groups of apostrophes": {"name\tspent\nIda\t1'234.500\n", "2 Ida|||1234.500|"},
		"below one":             {"name;spent\nIda;0,532\nOle;2\n", "2 Ida|||0.532|\n3 Ole|||2|"},
		"groups by the separator and the currency": {"name;spent\nIda;1.250\n", "2 Ida|||1250|"},
		"groups by the dates and the currency": {
			"name\tborn\tspent\nIda\t29.02.1988\t1.250\n", "2 Ida|1988-02-29||1250|",
		},
		"other names": {
			"IMIĘ I NAZWISKO;E-Mail Address;Total Orders\nIda;ida@example.org;3\n", "2 Ida||||ida@example.org",
		},
		"columns without use": {"name,,total orders\nIda,,3\n", "2 Ida||||"},
		"our own formula":     {"name,email\n'=1+1,'@ida\n\"x;'=1\",\n'＝1,\n", "2 =1+1||||@ida\n3 x;=1||||\n4 ＝1||||"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(t, c.file, Layout{})
			if got != c.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

// What a file does not tell is named by the request, or refused.
func TestGivenLayout(t *testing.T) {
	long := strings.Repeat("Ida ", sampleBytes/300)
	const ambiguous = "name,born\nOle,01/02/1990\n"
	for name, c := range map[string]struct {
		file, want, refused string
		Layout
	}{
		"ambiguous":    {file: ambiguous, refused: "ambiguous_dates"},
		"day":          {file: ambiguous, want: "2 Ole|1990-02-01|||", Layout: Layout{Dates: dayFirst}},
		"month":        {file: ambiguous, want: "2 Ole|1990-01-02|||", Layout: Layout{Dates: monthFirst}},
		"same":         {file: "name,born\nOle,02/02/1990\n", want: "2 Ole|1990-02-02|||"},
		"unknown":      {file: "name,shoe size\nOle,44\n", refused: "unknown_column"},
		"twice":        {file: "name,Imię i nazwisko\nOle,44\n", refused: "unknown_column"},
		"open quote":   {file: "name,born\nIda,\n\"Ole,\nPer,\n", refused: "invalid_line"},
		"late quote":   {file: "name,born\nIda,\n \"Ole\",\n", refused: "invalid_line"},
		"workbook":     {file: "PK\x03\x04\x14\x00\x06\x00", refused: "workbook"},
		"old workbook": {file: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", refused: "workbook"},
		"titles and columns": {file: "People;;\nname;born;x\nIda;1;2\n", want: "3 Ida||||",
			Layout: Layout{Columns: []string{"name", "", ""}}},
		"left out": {file: "who,shoe size\nOle,44\n", want: "2 Ole||||", Layout: Layout{Columns: []string{"name", ""}}},
		"other columns": {
			file: "a,b,c\nOle,44,1\n", refused: "columns_do_not_fit", Layout: Layout{Columns: []string{"name"}},
		},
		"decimal":      {file: "name;spent\nOle;1.234\n", want: "2 Ole|||1234|", Layout: Layout{Decimal: ","}},
		"three digits": {file: "name\tspent\nOle\t1.234\n", refused: "ambiguous_numbers"},
		"against":      {file: "name,spent\nOle,1.234\nIda,5\n", refused: "ambiguous_numbers"},
		"late number": {
			file: "name\tspent\n" + strings.Repeat(long+"\t1\n", 100) + "Ole\t1.234\n", refused: "ambiguous_numbers",
		},
		"late date": {
			file: "name,born\n" + strings.Repeat(long+",\n", 100) + "Ole,01/02/1990\n", refused: "ambiguous_dates",
		},
		"no group": {
			file: "name;spent\nIda;1,50\nOle;12.5\n", want: "2 Ida|||1.50|\n3 Ole|||12.5|", Layout: Layout{Decimal: ","},
		},
		"encoding": {
			file: in(t, "name\nŻ\n", charmap.Windows1250.NewEncoder().String), want: "2 Ż||||",
			Layout: Layout{Encoding: encoding1250},
		},
		"separator": {file: "a b;name\n", refused: notAFile, Layout: Layout{Separator: "comma"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(t, c.file, c.Layout)
			code := ""
			if refused, is := errors.AsType[*fault.Error](err); is {
				code = refused.Code
			}
			if got != c.want || code != c.refused {
				t.Errorf("got %q, %v, want %q, %q", got, err, c.want, c.refused)
			}
		})
	}
}

// Numbers that could have groups or fractions are read by what the rest of the file tells, or not at all.
func TestNumbersThatCanBeReadInTwoWays(t *testing.T) {
	for name, c := range map[string]struct {
		cells     []string
		digits    int
		separator string
		dates     []string
		want      string
		ambiguous bool
	}{
		"points in a German file":       {[]string{"1.500", "12.000"}, 2, "semicolon", nil, comma, false},
		"points in an English file":     {[]string{"1,500"}, 2, "comma", nil, point, false},
		"points against the separator":  {[]string{"1,500"}, 2, "semicolon", nil, point, true},
		"points alone":                  {[]string{"1.500"}, 2, "tab", nil, comma, true},
		"dinars":                        {[]string{"12,500"}, 3, "semicolon", nil, comma, false},
		"dinars in an English file":     {[]string{"12.500"}, 3, "comma", nil, point, false},
		"dinars alone":                  {[]string{"12,500"}, 3, "bar", nil, comma, true},
		"kilograms":                     {[]string{"1,532", "4"}, -1, "semicolon", nil, comma, true},
		"kilograms beside German dates": {[]string{"1,532"}, -1, "semicolon", []string{"31.12.2030"}, comma, false},
		"pounds beside American dates":  {[]string{"1.532"}, -1, "comma", []string{"12/31/2030"}, point, false},
		"one below 1":                   {[]string{"1,532", "0,500"}, -1, "tab", nil, comma, false},
		"one above 9,999":               {[]string{"1.532", "12345.500"}, -1, "tab", nil, point, false},
		"one with two digits":           {[]string{"1.532", "12,50"}, -1, "tab", nil, comma, false},
		"one with both":                 {[]string{"1.532", "1.234,500"}, -1, "tab", nil, comma, false},
		"whole":                         {[]string{"1532", ""}, 2, "tab", nil, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			var numbers []quantity
			for _, cell := range c.cells {
				numbers = append(numbers, quantity{cell, c.digits})
			}
			if got, ambiguous := guessDecimal(numbers, c.separator, c.dates); got != c.want || ambiguous != c.ambiguous {
				t.Errorf("got %q, %t, want %q, %t", got, ambiguous, c.want, c.ambiguous)
			}
		})
	}
}

const notAFile = "not_an_import_file"

// A letter that is none in UTF-8 behind a large part without any is read as windows-1252.
func TestLateLetter(t *testing.T) {
	file := "name\n" + strings.Repeat("Ida\n", sampleBytes) + "J\xfcrgen\n"
	text, encoding, err := toUTF8(strings.NewReader(file), "")
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(text)
	if err != nil || encoding != encodingUTF8 || !bytes.HasSuffix(all, []byte("Jürgen\n")) {
		t.Errorf("%s, %v", encoding, err)
	}
}

// FuzzDates never returns a day that does not exist.
func FuzzDates(f *testing.F) {
	f.Add("14.05.1980", "dmy")
	f.Fuzz(func(t *testing.T, cell, order string) {
		got := readDate(cell, order, false)
		if got != cell && !dateCell.MatchString(got) {
			t.Errorf("%q is read as %q", cell, got)
		}
	})
}
