package campaign

import (
	"fmt"
	stdhtml "html"
	"strings"
	"testing"
	"unsafe"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

const (
	tooManySigns = "This text has too many Markdown signs."
	tooDeep      = "This text nests Markdown too deep. It should have 16 levels or less."
)

// slow are the texts, repeated, whose rendering took the longest for their length. They were found by a search among
// repeated combinations of signs.
var slow = []string{
	"[x](", "![x](", "[x](<", "](", "]([", "](|", "![&#x26;=](a", "mailto:?](https://![", "*a_ ", "~", "~~~", "~_\n",
	"[*a* ", "[a b", "_ *~~\t", "  \n_  \n\\```", "?)\\``_  \n", "a\\`", "a***b_", "x1|*\n_",
}

// deep is a text with as many levels of emphasis.
func deep(levels int) string {
	return strings.Repeat("*a **b ", levels/2) + strings.Repeat("*c ", levels%2) + "d" +
		strings.Repeat("*", levels%2) + strings.Repeat(" e** f*", levels/2)
}

func TestMarkdownOfForms(t *testing.T) {
	const path = "translations.pl.shortDescription"
	cases := []formCase{
		{"as deep as may be", fields{path: deep(MarkdownLevels)}, nil},
		{"too deep", fields{path: deep(MarkdownLevels + 1)}, one(tooDeep, path)},
		{"pictures inside pictures", fields{path: strings.Repeat("![", 20) + strings.Repeat("](https://a.b/c)", 20)},
			one(tooDeep, path)},
		{"a long text with some emphasis, links and code", fields{path: strings.Repeat(
			"Ten *percent* off, see [the **terms**](https://shop.example/terms \"All\") and `TEN-OFF`, at "+
				"https://shop.example/ten_off until 31_12.\n\n", 450)}, nil},
		{"many short links", fields{path: strings.Repeat("[a](https://a.b) ", 2000)}, nil},
		{"many lines of stars, underscores and tildes",
			fields{path: strings.Repeat("*****\n_____\n~~~~~\n-----\n", 600)}, nil},
		{"long without a sign", fields{path: strings.Repeat("a", 65_535)}, nil},
	}
	for _, part := range slow {
		cases = append(cases, formCase{fmt.Sprintf("many %q", part),
			fields{path: "x" + strings.Repeat(part, 65_000/len(part)) + "x"}, one(tooManySigns, path)})
	}
	for _, field := range []string{"shortDescription", "conditionsDescription", "usageInstruction", "brandDescription"} {
		cases = append(cases, formCase{field, fields{"translations.en." + field: strings.Repeat("[x](", 16_000)},
			one(tooManySigns, "translations.en."+field)})
	}
	expectErrors(t, valid(), cases)
}

// Texts beyond the limits that are in the database are shown as they are.
func TestMarkdownBeyondTheLimits(t *testing.T) {
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		for _, text := range []string{
			strings.Repeat("[x](", 16_000), "<b> 'a' & \"b\" " + strings.Repeat("*a_ ", 16_000), deep(MarkdownLevels + 1),
		} {
			id := s.add(func(draft *Draft) {
				draft.Definition.Translations = []Translation{{Locale: "en", Name: "Ten", ShortDescription: text}}
			})
			c, k := s.find(id)
			var shown public
			s.Write(func(tx *db.Tx) error {
				v, err := catalogue.newViewer(tx, s.Store, api.Locale{Default: "en"}, nil, c)
				if err == nil {
					v.HTML = true
					shown = v.public(c, k)
				}
				return err
			})
			if got := *shown.ShortDescription; stdhtml.UnescapeString(got) != text || harmless(got) != "" {
				t.Errorf("%.40q becomes %.80q", text, got)
			}
		}
	})
}

func TestATextIsRenderedOnce(t *testing.T) {
	r := renderings{limit: 1000}
	first, again := r.of("*a*"), r.of(string([]byte("*a*")))
	if first != "<em>a</em>" || unsafe.StringData(first) != unsafe.StringData(again) {
		t.Errorf("%q, rendered again: %t", first, unsafe.StringData(first) != unsafe.StringData(again))
	}
	done := make(chan string)
	for range 10 {
		go func() { done <- r.of("**b**") }()
	}
	want := <-done
	for range 9 {
		if got := <-done; unsafe.StringData(got) != unsafe.StringData(want) {
			t.Error("those who ask at the same time do not share a rendering")
		}
	}
}

func TestRenderingsAreBounded(t *testing.T) {
	r := renderings{limit: 1000}
	for i := range 100 {
		text := fmt.Sprintf("*text number %d*", i)
		if got := r.of(text); got != "<em>"+strings.Trim(text, "*")+"</em>" || r.bytes > 1100 || len(r.byText) > 50 {
			t.Fatalf("%q, %d texts, %d bytes", got, len(r.byText), r.bytes)
		}
	}
}
