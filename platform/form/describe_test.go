package form

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"punchcard/platform/fault"
)

// outline writes described fields one a line: nested, with ! for required and the conditions in words.
func outline(fields []*Field, depth int) string {
	var out strings.Builder
	for _, f := range fields {
		name := f.Name
		if name == "" {
			name = "(element)"
		}
		fmt.Fprintf(&out, "%s%s %d", strings.Repeat("  ", depth), name, f.Kind)
		if f.Required {
			out.WriteString("!")
		}
		for _, limit := range f.Limits() {
			fmt.Fprintf(&out, " %s=%s", limit.Keyword, limit.Value)
		}
		if len(f.Choices) > 0 {
			fmt.Fprintf(&out, " %v", f.Choices)
		}
		if f.RequiredWhen != "" {
			out.WriteString("; required when " + f.RequiredWhen)
		}
		if f.ReadWhen != "" {
			out.WriteString("; read when " + f.ReadWhen)
		}
		out.WriteString("\n" + outline(f.Fields, depth+1))
	}
	return out.String()
}

func expectOutline(t *testing.T, read func(g *Group), want string) {
	t.Helper()
	if got := outline(Describe(read), 0); got != strings.TrimLeft(want, "\n") {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
}

func TestDescribeKindsAndLimits(t *testing.T) {
	expectOutline(t, func(g *Group) {
		g.Text("text", NotBlank, MaxLength(5))
		g.Verbatim("verbatim", Matches(fault.New(fault.Fields, "test", "no"), func(string) bool { return false }))
		g.Checkbox("checkbox")
		g.Integer("integer", Whole, GreaterThan(0), LessThan(9))
		g.Decimal("decimal", 2, AtLeast(-150), LessThan(1000))
		g.Choice("choice", []string{"a", "b"})
		g.UUID("uuid", NotBlank)
		g.DateTime("moment", time.UTC)
		g.Date("date")
		g.File("file", NotBlank)
		g.Texts("texts", MinItems(1), MaxLength(3))
		g.UUIDs("uuids")
		g.Ignore("ignored")
		g.Text("text")
	}, fmt.Sprintf(`
text %d! maxLength=5
verbatim %d
checkbox %d
integer %d exclusiveMinimum=0 exclusiveMaximum=9
decimal %d minimum=-1.5 exclusiveMaximum=10
choice %d [a b]
uuid %d!
moment %d
date %d
file %d!
texts %d! minItems=1 maxLength=3
uuids %d
`, KindText, KindText, KindCheckbox, KindInteger, KindDecimal, KindChoice, KindUUID, KindDateTime, KindDate, KindFile,
		KindTexts, KindUUIDs))
}

func TestDescribeNests(t *testing.T) {
	expectOutline(t, func(g *Group) {
		g.Group("optional").Text("inner")
		g.Group("demanded").Group("deep").Text("inner", NotBlank)
		for _, entry := range g.Groups("list") {
			entry.Text("name", NotBlank)
			for _, part := range entry.Groups("parts") {
				part.Integer("number")
			}
		}
		texts := g.Group("texts")
		for _, code := range append(g.Keys("texts"), "en") {
			rules := []Rule{}
			if code == "en" {
				rules = append(rules, NotBlank)
			}
			texts.Group(code).Text("name", rules...)
		}
		prices := g.Group("prices")
		for _, name := range g.Keys("prices") {
			prices.Decimal(name, 2)
		}
	}, fmt.Sprintf(`
optional %d
  inner %d
demanded %d!
  deep %d!
    inner %d!
list %d
  name %d!
  parts %d
    number %d
texts %d!
  name %d
prices %d
  (element) %d
`, KindGroup, KindText, KindGroup, KindGroup, KindText, KindGroups, KindText, KindGroups, KindInteger, KindMap,
		KindText, KindMap, KindDecimal))
}

func TestDescribeMeetsEveryBranch(t *testing.T) {
	expectOutline(t, func(g *Group) {
		switch g.Choice("kind", []string{"a", "b", "c", "d"}, NotBlank) {
		case "a":
			g.Text("onlyA", NotBlank)
			if g.Choice("deeper", []string{"x", "y"}) == "y" {
				g.Text("onlyY")
			}
		case "d":
		default:
			g.Text("notA", NotBlank)
		}
		window := g.Group("window")
		if !window.Checkbox("always") && g.Submitted("window") {
			window.Date("from", NotBlank)
		}
		if g.Submitted("part") {
			g.Text("part", NotBlank)
		}
		if window.Checkbox("listed") {
			for _, entry := range g.Groups("entries") {
				entry.Text("name")
			}
		} else if g.Submitted("entries") {
			g.AddError("entries", NotValid)
		}
		if g.Text("own") == "" {
			g.AddError("own", Blank)
		}
		g.AddError("group", fault.New(fault.Fields, "test", "Fill in one."))
		g.Text("last")
	}, fmt.Sprintf(`
kind %d! [a b c d]
onlyA %d; required when kind is a
deeper %d [x y]; read when kind is a
onlyY %d; read when deeper is y
notA %d; required when kind is b or c
window %d
  always %d
  from %d; required when always is 0
  listed %d
part %d
entries %d; read when listed is 1
  name %d
own %d!
last %d
`, KindChoice, KindText, KindChoice, KindText, KindText, KindGroup, KindCheckbox, KindDate, KindCheckbox,
		KindText, KindGroups, KindText, KindText, KindText))
}

func TestDescribeWhatIsAskedOfANode(t *testing.T) {
	expectOutline(t, func(g *Group) {
		g.Integer("page")
		g.DescribeTexts(func(n *Node) {
			if n.Has("first") || n.Child("second").Text() == "" {
				n.Child("page").Text()
			}
			n.Child("labels").Child("0").Child("key").Text()
		})
	}, fmt.Sprintf("\npage %d\nfirst %d\nsecond %d\nlabels %d\n", KindInteger, KindText, KindText, KindText))
}

// What one form reads as a text and as a group does not stop the description.
func TestDescribeOfAContradiction(t *testing.T) {
	fields := Describe(func(g *Group) {
		g.Checkbox("a")
		g.Group("a").Choice("b", []string{"x"})
	})
	if len(fields) != 1 || fields[0].Name != "a" {
		t.Errorf("%s", outline(fields, 0))
	}
}
