package form

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/platform/fault"
)

func read(t *testing.T, query string) *Group {
	t.Helper()
	node, err := ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return Read(node)
}

// body returns the response to the caller of the form, empty when nothing is wrong.
func body(t *testing.T, g *Group) string {
	t.Helper()
	err := g.Err()
	if err == nil {
		return ""
	}
	known, ok := errors.AsType[*fault.Error](err)
	if !ok || known.Kind != fault.Fields {
		t.Fatalf("Err() = %v", err)
	}
	data, err := json.Marshal(known.Detail)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func expect(t *testing.T, g *Group, want string) {
	t.Helper()
	if got := body(t, g); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// problems are the messages of one field of a form that has just this field.
func problems(t *testing.T, g *Group, name string) []string {
	t.Helper()
	if (g.Err() != nil) != g.Failed(name) {
		t.Errorf("Err() = %v, Failed = %t", g.Err(), g.Failed(name))
	}
	var messages []string
	for _, problem := range g.field.child(name).errors {
		messages = append(messages, problem.Message)
	}
	return messages
}

func TestReadListsEveryFieldInReadingOrder(t *testing.T) {
	g := read(t, "name=+Ada+&levels[]=a&levels[]=b&coupons[]=&window[from]=never&unknown=1&empty[x]=1")
	if got := g.Text("name", NotBlank); got != "Ada" {
		t.Errorf("name = %q", got)
	}
	g.Checkbox("active")
	g.UUIDs("levels", MinItems(1))
	g.Texts("coupons", MinItems(1))
	window := g.Group("window")
	window.DateTime("from", time.UTC, NotBlank)
	window.DateTime("to", time.UTC, NotBlank)
	window.AddFormError(fault.New(fault.Fields, "test", "from <b> to"))
	g.Group("empty")
	g.Choice("10", []string{"x"}, NotBlank)
	expect(t, g, `{"form":{"children":{"name":{},"active":{},`+
		`"levels":{"errors":["This value is not valid."],"children":{"0":{},"1":{}}},`+
		`"coupons":{"errors":["This collection should contain 1 element or more."],"children":{"0":{}}},`+
		`"window":{"errors":["from \u003cb\u003e to"],"children":{"from":{"errors":["This value is not valid."]},`+
		`"to":{"errors":["This value should not be blank."]}}},`+
		`"empty":{},"10":{"errors":["This value should not be blank."]}}},"errors":[]}`)
	for field, failed := range map[string]bool{"name": false, "levels": true, "window": true, "absent": false} {
		if g.Failed(field) != failed {
			t.Errorf("Failed(%s) = %t", field, !failed)
		}
	}
	if window.Err() == nil || !g.Submitted("unknown") || g.Submitted("active") || window.Submitted("to") {
		t.Error("what was submitted, or the error of the inner group, is wrong")
	}
}

func TestHasValue(t *testing.T) {
	g := read(t, "a=&b= &c[]=&d[0][key]=&d[0][value]=+&e=0&f[]=&f[]=x&g[0][key]=k")
	for _, name := range []string{"a", "b", "c", "d", "none"} {
		if g.HasValue(name) {
			t.Errorf("%s has a value", name)
		}
	}
	for _, name := range []string{"e", "f", "g"} {
		if !g.HasValue(name) {
			t.Errorf("%s has no value", name)
		}
	}
}

func TestReadNothing(t *testing.T) {
	for _, node := range []*Node{nil, {text: " "}} {
		g := Read(node)
		name := g.Group("translations").Group("en").Text("name", NotBlank)
		if name != "" || g.Checkbox("active") || g.Groups("rows") != nil || g.Keys("translations") != nil ||
			g.File("photo") != nil || g.Texts("coupons") != nil || !g.DateTime("at", nil).IsZero() {
			t.Error("something was read")
		}
		expect(t, g, `{"form":{"children":{"translations":{"children":{"en":{"children":{"name":`+
			`{"errors":["This value should not be blank."]}}}}},"active":{},"rows":{},"photo":{},"coupons":{},"at":{}}},`+
			`"errors":[]}`)
	}
	if err := Read(nil).Err(); err != nil {
		t.Errorf("Err() = %v", err)
	}
}

func TestReadFormErrors(t *testing.T) {
	g := read(t, "")
	g.AddFormError(fault.New(fault.Fields, "test", "No."))
	g.AddFormError(fault.New(fault.Fields, "test", "No."))
	expect(t, g, `{"form":{"errors":["No."],"children":{}},"errors":["No."]}`)
	expect(t, Read(&Node{text: "x"}),
		`{"form":{"errors":["This value is not valid."],"children":{}},"errors":["This value is not valid."]}`)

	g = read(t, "email=a")
	g.Text("email")
	g.AddError("email", fault.New(fault.Fields, "test", "Taken."))
	g.AddError("email", fault.New(fault.Fields, "test", "Taken."))
	g.AddError("phone", fault.New(fault.Fields, "test", "Odd."))
	g.Group("address").AddError("city", fault.New(fault.Fields, "test", "Far."))
	g.Group("address").AddError("city", fault.New(fault.Fields, "test", "Big."))
	expect(t, g, `{"form":{"children":{"email":{"errors":["Taken."]},"phone":{"errors":["Odd."]},`+
		`"address":{"children":{"city":{"errors":["Far.","Big."]}}}}},"errors":[]}`)
}

func TestReadWrongShapes(t *testing.T) {
	node := &Node{group: &shapes}
	for name, take := range map[string]func(g *Group, name string){
		"text":     func(g *Group, name string) { g.Text(name, NotBlank) },
		"verbatim": func(g *Group, name string) { g.Verbatim(name, NotBlank) },
		"checkbox": func(g *Group, name string) { g.Checkbox(name) },
		"integer":  func(g *Group, name string) { g.Integer(name, NotBlank, AtLeast(1)) },
		"decimal":  func(g *Group, name string) { g.Decimal(name, 2, NotBlank, AtLeast(1)) },
		"choice":   func(g *Group, name string) { g.Choice(name, []string{""}, NotBlank) },
		"uuid":     func(g *Group, name string) { g.UUID(name, NotBlank) },
		"moment":   func(g *Group, name string) { g.DateTime(name, time.UTC, NotBlank) },
		"date":     func(g *Group, name string) { g.Date(name, NotBlank) },
	} {
		for _, field := range []string{"map", "list", "file"} {
			g := Read(node)
			take(g, field)
			if got := problems(t, g, field); !slices.Equal(got, []string{NotValid.Message}) {
				t.Errorf("%s of a %s: %q", name, field, got)
			}
		}
	}
	for _, c := range []struct {
		field string
		read  func(g *Group, name string)
		want  []string
	}{
		{"text", func(g *Group, name string) { g.Group(name) }, []string{NotValid.Message}},
		{"file", func(g *Group, name string) { g.Group(name) }, []string{NotValid.Message}},
		{"blank", func(g *Group, name string) { g.Group(name) }, nil},
		{"text", func(g *Group, name string) { g.Groups(name) }, []string{NotValid.Message}},
		{"map", func(g *Group, name string) { g.Groups(name) }, []string{NotValid.Message}},
		{"blank", func(g *Group, name string) { g.Groups(name) }, nil},
		{"text", func(g *Group, name string) { g.File(name, NotBlank) }, []string{NotValid.Message}},
		{"map", func(g *Group, name string) { g.File(name) }, []string{NotValid.Message}},
		{"blank", func(g *Group, name string) { g.File(name, NotBlank) }, []string{Blank.Message}},
		{"absent", func(g *Group, name string) { g.File(name, NotBlank) }, []string{Blank.Message}},
		{"file", func(g *Group, name string) { g.File(name, NotBlank) }, nil},
		{"text", func(g *Group, name string) { g.Texts(name) }, nil},
		{"map", func(g *Group, name string) { g.UUIDs(name, NotBlank) }, []string{Blank.Message}},
		{"file", func(g *Group, name string) { g.UUIDs(name, MinItems(2)) },
			[]string{"This collection should contain 2 elements or more."}},
		{"mixed", func(g *Group, name string) { g.Texts(name, MinItems(9)) }, []string{NotValid.Message}},
	} {
		g := Read(node)
		c.read(g, c.field)
		if got := problems(t, g, c.field); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.field, got, c.want)
		}
	}
}

// shapes has one child of each shape.
var shapes = func() (g group) {
	leaf, file := &Node{text: "x"}, &Node{file: &File{Name: "a.png", Bytes: []byte("x")}}
	list, named := &group{}, &group{}
	list.push(leaf)
	named.put("x", leaf)
	mixed := &group{}
	mixed.push(leaf)
	mixed.push(&Node{group: named})
	g.put("text", leaf)
	g.put("blank", &Node{text: " "})
	g.put("file", file)
	g.put("list", &Node{group: list})
	g.put("map", &Node{group: named})
	g.put("mixed", &Node{group: mixed})
	return g
}()

func TestReadGroups(t *testing.T) {
	g := read(t, "items[3][sku]=a&items[1][sku]=b&items[7]=x&items[8]=&t[en][name]=E&t[pl][name]=P&t[xx]=1")
	items := g.Groups("items")
	var codes []string
	for _, item := range items {
		codes = append(codes, item.Text("sku", NotBlank))
	}
	if !slices.Equal(codes, []string{"a", "b", "", ""}) {
		t.Errorf("codes %q", codes)
	}
	translations := g.Group("t")
	for _, locale := range g.Keys("t") {
		translations.Group(locale).Text("name")
	}
	expect(t, g, `{"form":{"children":{"items":{"children":{"0":{"children":{"sku":{}}},"1":{"children":{"sku":{}}},`+
		`"2":{"errors":["This value is not valid."],"children":{"sku":{"errors":["This value should not be blank."]}}},`+
		`"3":{"children":{"sku":{"errors":["This value should not be blank."]}}}}},`+
		`"t":{"children":{"en":{"children":{"name":{}}},"pl":{"children":{"name":{}}},`+
		`"xx":{"errors":["This value is not valid."],"children":{"name":{}}}}}}},"errors":[]}`)
	items[1].AddError("sku", fault.New(fault.Fields, "test", "Unknown."))
	if !strings.Contains(body(t, g), `"1":{"children":{"sku":{"errors":["Unknown."]}}}`) {
		t.Error("an error added to an item is lost")
	}
}

func TestReadLists(t *testing.T) {
	id, upper := "0192d9a0-0000-7000-8000-00000000abcd", "0192D9A0-0000-7000-8000-00000000ABCD"
	long := Matches(fault.New(fault.Fields, "test", "Not Y."), func(text string) bool { return text == "y" })
	for _, c := range []struct {
		query  string
		read   func(g *Group) []string
		want   []string
		errors []string
	}{
		{"l[]=+x+&l[]=&l[]=y", func(g *Group) []string { return g.Texts("l", MinItems(2)) }, []string{"x", "y"}, nil},
		{"l[5]=x&l[2]=y", func(g *Group) []string { return g.Texts("l", NotBlank) }, []string{"x", "y"}, nil},
		{"l[]=", func(g *Group) []string { return g.Texts("l", NotBlank, MinItems(1)) }, nil,
			[]string{Blank.Message, "This collection should contain 1 element or more."}},
		{"l[]=xyz&l[]=y", func(g *Group) []string { return g.Texts("l", MaxLength(2), long) }, []string{"xyz", "y"},
			[]string{"This value is too long. It should have 2 characters or less.", "Not Y."}},
		{"l[]=" + upper, func(g *Group) []string { return g.UUIDs("l") }, []string{id}, nil},
		{"l[]=" + id + "&l[]=x&l[]=z", func(g *Group) []string { return g.UUIDs("l", MinItems(2)) }, []string{id},
			[]string{NotValid.Message}},
	} {
		g := read(t, c.query)
		if got := c.read(g); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.query, got, c.want)
		}
		if got := problems(t, g, "l"); !slices.Equal(got, c.errors) {
			t.Errorf("%s: errors %q, want %q", c.query, got, c.errors)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	node, err := ParseQuery("name=Ada&active=1&cost=10.50&limit=3&at=2017-10-05+10:59")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		g := Read(node)
		g.Text("name", NotBlank, MaxLength(255))
		g.Checkbox("active")
		g.Decimal("cost", 2, NotBlank, AtLeast(0))
		g.Integer("limit", AtLeast(0))
		g.DateTime("at", time.UTC)
		if err := g.Err(); err != nil {
			b.Fatal(err)
		}
	}
}
