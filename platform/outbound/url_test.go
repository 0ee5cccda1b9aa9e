package outbound_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

func TestURLsOfForms(t *testing.T) {
	const notValid, notAllowed = "This value is not a valid URL.", "This address is not allowed."
	const tooLong = "This value is too long. It should have 2048 characters or less. url: " + notValid
	all, never := outbound.Public, outbound.Private+1
	for _, c := range []struct {
		url     string
		from    outbound.Reach // the least that allows it
		problem string
	}{
		{"", all, ""},
		{"https://shop.example/hook?a=b", all, ""},
		{"http://shop.example:8080", all, ""},
		{"https://8.8.8.8/", all, ""},
		{"https://7.shop2.example/", all, ""},
		{"ftp://shop.example/", never, notValid},
		{"javascript:alert(1)", never, notValid},
		{"//shop.example/", never, notValid},
		{"shop.example", never, notValid},
		{"https://", never, notValid},
		{"https:///hook", never, notValid},
		{"https://user:password@shop.example/", never, notValid},
		{"https://user@shop.example/", never, notValid},
		{"https://shop.example/#part", never, notValid},
		{"https://shop.example:0/", never, notValid},
		{"https://shop.example:99999/", never, notValid},
		{"https://shop example/", never, notValid},
		{"https://shop.example/\r\nX: y", never, notValid},
		{"http://127.1/", never, notValid},
		{"http://2130706433/", never, notValid},
		{"http://0x7f.1/", never, notValid},
		{"http://0177.0.0.1/", never, notValid},
		{"https://shop.example/" + strings.Repeat("a", outbound.MaxURL), never, tooLong},
		{"http://127.0.0.1/", outbound.Loopback, notAllowed},
		{"http://[::1]:8080/", outbound.Loopback, notAllowed},
		{"http://LOCALHOST:8080/", outbound.Loopback, notAllowed},
		{"http://hooks.localhost./", outbound.Loopback, notAllowed},
		{"http://ｌｏｃａｌｈｏｓｔ/", outbound.Loopback, notAllowed},
		{"http://ⓛocalhost/", outbound.Loopback, notAllowed},
		{"https://müller.example/", all, ""},
		{"http://10.0.0.1/", outbound.Private, notAllowed},
		{"http://169.254.169.254/latest/meta-data", never, notAllowed},
		{"http://[::ffff:169.254.169.254]/", never, notAllowed},
		{"http://[64:ff9b::a9fe:a9fe]/", never, notAllowed},
		{"http://[2002:a9fe:a9fe::]/", never, notAllowed},
		{"http://[fe80::1]/", never, notAllowed},
	} {
		for reach := outbound.Public; reach <= outbound.Private; reach++ {
			client := outbound.NewClient(outbound.Config{Reach: reach})
			want := c.problem
			if reach >= c.from {
				want = ""
			}
			if got := refusal(t, c.url, client.URLRules()...); got != want {
				t.Errorf("reach %d, %.50s: %q, want %q", reach, c.url, got, want)
			}
			if want != notAllowed {
				want = "" // no address, or one that is allowed
			}
			if got := refusal(t, c.url, client.HostRule()); got != want {
				t.Errorf("reach %d, host of %.50s: %q, want %q", reach, c.url, got, want)
			}
		}
	}
}

// refusal returns the form error for a URL, empty without one.
func refusal(t *testing.T, text string, rules ...form.Rule) string {
	t.Helper()
	body, err := form.ParseQuery(url.Values{"url": {text}}.Encode())
	if err != nil {
		t.Fatal(err)
	}
	g := form.Read(body)
	g.Text("url", rules...)
	refused, ok := errors.AsType[*fault.Error](g.Err())
	if !ok {
		return ""
	}
	return strings.TrimPrefix(strings.Join(refused.Detail.(form.Tree).Messages(), " "), "url: ")
}
