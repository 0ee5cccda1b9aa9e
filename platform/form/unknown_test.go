package form_test

import (
	"errors"
	"strings"
	"testing"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

func TestUnknownNames(t *testing.T) {
	fields := form.Describe(func(g *form.Group) {
		g = g.Group("customer")
		g.Text("firstName")
		g.Group("address").Text("city")
		for _, label := range g.Groups("labels") {
			label.Text("key")
		}
		for _, language := range g.Keys("translations") {
			g.Group("translations").Group(language).Text("name")
		}
		g.Texts("tags")
		g.Group("anything")
	})
	parameters := form.Describe(func(g *form.Group) { g.Text("page") })
	for _, c := range []struct{ query, body, want string }{
		{"page=1&_locale=en", `{"customer":{"firstName":"I","address":{"city":"O"},"labels":[{"key":"k"}],` +
			`"translations":{"en":{"name":"n"}},"tags":["a","b"],"anything":{"at":{"all":1}}}}`, ""},
		{"", `{"customer":"text"}`, ""},
		{"pgae=1", "", `#/pgae There is no such parameter. Did you mean "page"?`},
		{"size=1", `{"unread":1}`, "#/size There is no such parameter."},
		{"", `{"customer":{"first_name":"I"}}`, `#/customer/first_name There is no such field. Did you mean "firstName"?`},
		{"", `{"customer":{"labels":[{"key":"k"},{"kye":"k"}]}}`,
			`#/customer/labels/1/kye There is no such field. Did you mean "key"?`},
		{"", `{"customer":{"translations":{"pl":{"title":"n"}}}}`,
			"#/customer/translations/pl/title There is no such field."},
		{"", `{"other":{"a":1},"customer":{"b":2}}`, "#/other There is no such field.|#/customer/b There is no such field."},
	} {
		query, err := form.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		body, err := form.Decode("application/json", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if refused, is := errors.AsType[*fault.Error](form.UnknownIn(body, query, fields, parameters, "_locale")); is {
			for _, p := range refused.Detail.(form.Tree).Problems() {
				got = append(got, p.Pointer+" "+p.Detail)
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s %s: %s, want %s", c.query, c.body, strings.Join(got, "|"), c.want)
		}
	}
}
