package form

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"punchcard/platform/fault"
)

const (
	urlencoded = "application/x-www-form-urlencoded"
	jsonType   = "application/json"
)

// show writes a tree as one line: a list as […], a map as {…}, a file as <name size>.
func show(n *Node) string {
	var out strings.Builder
	switch {
	case n == nil:
		return "nil"
	case n.File() != nil:
		return fmt.Sprintf("<%s %d>", n.File().Name, len(n.File().Bytes))
	case !n.IsGroup():
		return strconv.Quote(n.Text())
	case n.IsList():
		for _, child := range n.Children() {
			out.WriteString(show(child) + " ")
		}
		return "[" + strings.TrimSuffix(out.String(), " ") + "]"
	}
	for name, child := range n.Children() {
		fmt.Fprintf(&out, "%s:%s ", name, show(child))
	}
	return "{" + strings.TrimSuffix(out.String(), " ") + "}"
}

func decode(t *testing.T, contentType, body string) *Node {
	t.Helper()
	node, err := Decode(contentType, strings.NewReader(body))
	if err != nil {
		t.Fatalf("Decode(%q, %.80q) = %v", contentType, body, err)
	}
	return node
}

func TestDecodePairs(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"", `[]`},
		{"&&", `[]`},
		{"a", `{a:""}`},
		{"a=1&b=2&a=3", `{a:"3" b:"2"}`},
		{"a[b][c]=v&a[b][d]=w", `{a:{b:{c:"v" d:"w"}}}`},
		{"a%5Bb%5D=x+y%26%C5%82", `{a:{b:"x y&ł"}}`},
		{"a=b=c", `{a:"b=c"}`},
		{"a[]=x&a[]=y", `{a:["x" "y"]}`},
		{"a[0]=x&a[1]=y", `{a:["x" "y"]}`},
		{"a[7]=x&a[2]=y&a[]=z", `{a:["x" "y" "z"]}`},
		{"a[9223372036854775806]=x&a[5]=y", `{a:["x" "y"]}`},
		{"a[7][b]=x&a[3][b]=y&a[7][c]=z", `{a:[{b:"x" c:"z"} {b:"y"}]}`},
		{"a[99999999999999999999]=x", `{a:{99999999999999999999:"x"}}`},
		{"a[01]=x&a[1]=y", `{a:{01:"x" 1:"y"}}`},
		{"a[x]=1&a[]=2&a[]=3", `{a:{x:"1" 0:"2" 1:"3"}}`},
		{"a[]=1&a[x]=2&a[]=3", `{a:{0:"1" x:"2" 1:"3"}}`},
		{"c[][used]=1&c[][code]=x&c[][used]=0&c[][code]=y", `{c:[{used:"1" code:"x"} {used:"0" code:"y"}]}`},
		{"c[][used]=1&c[][used]=0&c[][id]=7", `{c:[{used:"1"} {used:"0" id:"7"}]}`},
		{"c[][a][x]=1&c[][a][y]=2&c[][a][x]=3", `{c:[{a:{x:"1" y:"2"}} {a:{x:"3"}}]}`},
		{"c[][tags][]=1&c[][tags][]=2", `{c:[{tags:["1" "2"]}]}`},
		{"c[0][a]=1&c[][b]=2", `{c:[{a:"1"} {b:"2"}]}`},
		{"a[0][x]=1&a[0][y]=2&a[1][x]=3", `{a:[{x:"1" y:"2"} {x:"3"}]}`},
		{"a" + strings.Repeat("[b]", MaxDepth-1) + "=1",
			`{a:` + strings.Repeat("{b:", MaxDepth-1) + `"1"` + strings.Repeat("}", MaxDepth)},
		{strings.Repeat("n", MaxNameBytes) + "=1", "{" + strings.Repeat("n", MaxNameBytes) + `:"1"}`},
	} {
		if got := show(decode(t, urlencoded, c.body)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
		}
		query, err := ParseQuery(c.body)
		if err != nil || show(query) != c.want {
			t.Errorf("ParseQuery(%q) = %s, %v", c.body, show(query), err)
		}
	}
}

func TestDecodeJSON(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{` {} `, `[]`},
		{`{"a":{"b":"x"},"c":[1,2.50,-3e400,123456789012345678901234567890]}`,
			`{a:{b:"x"} c:["1" "2.50" "-3e400" "123456789012345678901234567890"]}`},
		{`{"a":true,"b":false,"c":null,"d":[],"e":{}}`, `{a:"true" b:"false" c:"" d:[] e:[]}`},
		{`{"a":1,"b":2,"a":{"c":3}}`, `{a:{c:"3"} b:"2"}`},
		{`{"a":{"x":1},"a":{"y":2}}`, `{a:{y:"2"}}`},
		{`{"a":{"5":"x","2":"y"}}`, `{a:["x" "y"]}`},
		{`{"a":"\u0142\n"}`, `{a:"ł\n"}`},
	} {
		if got := show(decode(t, jsonType+"; charset=utf-8", c.body)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
		}
	}
}

func TestDecodeParts(t *testing.T) {
	body := "--b\r\nContent-Disposition: form-data; name=\"a[b][]\"\r\n\r\nx\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"a[b][]\"\r\n\r\ny&z%20\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"a[f]\"; filename=\"../p.png\"\r\n" +
		"Content-Type: image/png\r\n\r\n\x89PNG\x00\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"none\"; filename=\"\"\r\n" +
		"Content-Type: application/octet-stream\r\n\r\n\r\n--b--\r\n"
	node := decode(t, "multipart/form-data; boundary=b", body)
	if got, want := show(node), `{a:{b:["x" "y&z%20"] f:<p.png 5>} none:""}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := string(node.Child("a").Child("f").File().Bytes); got != "\x89PNG\x00" {
		t.Errorf("file bytes %q", got)
	}
}

func TestDecodeEmptyBodyOfAnyType(t *testing.T) {
	for _, contentType := range []string{"", urlencoded, jsonType, "multipart/form-data; boundary=b", "text/csv", ";"} {
		if got := show(decode(t, contentType, "")); got != "[]" {
			t.Errorf("%q: %s", contentType, got)
		}
	}
	if node, err := Decode("", nil); err != nil || node.Len() != 0 {
		t.Errorf("nil body: %v, %v", node, err)
	}
}

func part(header, text string) string {
	return "--b\r\nContent-Disposition: " + header + "\r\n\r\n" + text + "\r\n--b--\r\n"
}

type refusal struct {
	contentType, body string
	want              fault.Kind
}

func refusals() []refusal {
	multi := "multipart/form-data; boundary=b"
	deepJSON := strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)
	return []refusal{
		{urlencoded, "a[b", fault.Invalid},
		{urlencoded, "]x[=1", fault.Invalid},
		{urlencoded, "x]y[=", fault.Invalid},
		{urlencoded, "[a]=1", fault.Invalid},
		{urlencoded, "=1", fault.Invalid},
		{urlencoded, "a[][]=1", fault.Invalid},
		{urlencoded, "a[][][x]=1", fault.Invalid},
		{urlencoded, "a[b]c=1", fault.Invalid},
		{urlencoded, "a[b[c]]=1", fault.Invalid},
		{urlencoded, "a[b]]=1", fault.Invalid},
		{urlencoded, "a=1&a[b]=2", fault.Invalid},
		{urlencoded, "a[b]=2&a=1", fault.Invalid},
		{urlencoded, "a[]=1&a[0][x]=2", fault.Invalid},
		{urlencoded, "a[9223372036854775807]=x&a[]=y", fault.Invalid},
		{urlencoded, "a[9223372036854775807]=x&a[][y]=z", fault.Invalid},
		{urlencoded, "a=%zz", fault.Invalid},
		{urlencoded, "a=%4", fault.Invalid},
		{urlencoded, "%=1", fault.Invalid},
		{urlencoded, "a=%00", fault.Invalid},
		{urlencoded, "a%00=1", fault.Invalid},
		{urlencoded, "a=\x00", fault.Invalid},
		{urlencoded, "a=%ff", fault.Invalid},
		{urlencoded, "\xff=1", fault.Invalid},
		{urlencoded, "a" + strings.Repeat("[b]", MaxDepth) + "=1", fault.Invalid},
		{urlencoded, "a" + strings.Repeat("[", 10_000), fault.Invalid},
		{urlencoded, "a" + strings.Repeat("[b]", 10_000), fault.Invalid},
		{urlencoded, strings.Repeat("n", MaxNameBytes+1), fault.Invalid},
		{urlencoded, strings.Repeat("a&", MaxFields+1), fault.Invalid},
		{urlencoded, "a=" + strings.Repeat("x", 11<<20), fault.TooLarge},
		{jsonType, deepJSON, fault.Invalid},
		{jsonType, `{"a":` + strings.Repeat("[", MaxDepth) + `1`, fault.Invalid},
		{jsonType, `{"a":[` + strings.Repeat("[],", MaxFields) + `1]}`, fault.Invalid},
		{jsonType, `{"a":1} {}`, fault.Invalid},
		{jsonType, `{"a":1}x`, fault.Invalid},
		{jsonType, `{"a":1,}`, fault.Invalid},
		{jsonType, `{"a" 1}`, fault.Invalid},
		{jsonType, `{"a":[1,]}`, fault.Invalid},
		{jsonType, `{"a":[1}`, fault.Invalid},
		{jsonType, `{"a":`, fault.Invalid},
		{jsonType, `{"a":01}`, fault.Invalid},
		{jsonType, `{a:1}`, fault.Invalid},
		{jsonType, ` `, fault.Invalid},
		{jsonType, `[]`, fault.Invalid},
		{jsonType, `null`, fault.Invalid},
		{jsonType, `"a"`, fault.Invalid},
		{jsonType, `{"a":"` + "\xff" + `"}`, fault.Invalid},
		{jsonType, `{"a":"\u0000"}`, fault.Invalid},
		{jsonType, `{"\u0000":1}`, fault.Invalid},
		{jsonType, `{"` + strings.Repeat("n", MaxNameBytes+1) + `":1}`, fault.Invalid},
		{jsonType, `{"a":"` + strings.Repeat("x", 11<<20) + `"}`, fault.TooLarge},
		{multi, part(`form-data; name="a[b"`, "1"), fault.Invalid},
		{multi, part(`form-data`, "1"), fault.Invalid},
		{multi, part(`attachment; name="a"`, "1"), fault.Invalid},
		{multi, part(`form-data; name="a"`, "\x00"), fault.Invalid},
		{multi, part(`form-data; name="a"`, "\xff"), fault.Invalid},
		{multi, part("form-data; name=\"a\xff\"", "1"), fault.Invalid},
		{multi, part("form-data; name=\"a\"; filename=\"a\xff\"", "1"), fault.Invalid},
		{multi, "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1", fault.Invalid},
		{multi, "hello", fault.Invalid},
		{multi, part(`form-data; name="a"; filename="f"`, strings.Repeat("x", 11<<20)), fault.TooLarge},
		{"multipart/form-data", part(`form-data; name="a"`, "1"), fault.Invalid},
		{"", "{}", fault.UnsupportedMedia}, {"", "a=%zz", fault.Invalid},
		{"text/plain", "a=1", fault.UnsupportedMedia},
		{"application", "a=1", fault.UnsupportedMedia},
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range refusals() {
		node, err := Decode(c.contentType, strings.NewReader(c.body))
		known, ok := errors.AsType[*fault.Error](err)
		if node != nil || !ok || known.Kind != c.want || known.Message != "" {
			t.Errorf("Decode(%q, %.60q) = %s, %v; want kind %d", c.contentType, c.body, show(node), err, c.want)
		}
	}
}

func TestDecodeTakesJustTheLimits(t *testing.T) {
	full := "a=" + strings.Repeat("x", MaxBodyBytes-2)
	if got := len(decode(t, urlencoded, full).Child("a").Text()); got != MaxBodyBytes-2 {
		t.Errorf("%d bytes", got)
	}
	pairs := strings.Repeat("a[]=&", MaxFields-1)
	if got := decode(t, urlencoded, pairs).Child("a").Len(); got != MaxFields-1 {
		t.Errorf("%d pairs", got)
	}
	array := `{"a":[` + strings.Repeat("0,", MaxFields-2) + `0]}`
	if got := decode(t, jsonType, array).Child("a").Len(); got != MaxFields-1 {
		t.Errorf("%d elements", got)
	}
	if _, err := ParseQuery(pairs + "a[]="); fault.KindOf(err) != fault.Invalid {
		t.Errorf("one pair more: %v", err)
	}
	if _, err := Decode(jsonType, strings.NewReader(`{"b":0,`+array[1:])); fault.KindOf(err) != fault.Invalid {
		t.Errorf("one element more: %v", err)
	}
}

func TestDecodeReadError(t *testing.T) {
	limited := fault.New(fault.Limited, "test", "slow down")
	for _, c := range []struct {
		cause error
		want  fault.Kind
	}{{io.ErrUnexpectedEOF, fault.Invalid}, {limited, fault.Limited}} {
		_, err := Decode(urlencoded, io.MultiReader(strings.NewReader("a=1"), iotest.ErrReader(c.cause)))
		if fault.KindOf(err) != c.want || !errors.Is(err, c.cause) {
			t.Errorf("after %v: %v", c.cause, err)
		}
	}
}

func TestNodeLookups(t *testing.T) {
	var query strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&query, "m[k%d]=%d&l[%d]=%d&", i, i, 9999-i, i)
	}
	node := decode(t, urlencoded, query.String())
	for i := range 1000 {
		if got := node.Child("m").Child(fmt.Sprint("k", i)).Text(); got != strconv.Itoa(i) {
			t.Fatalf("m[k%d] = %q", i, got)
		}
		if got := node.Child("l").Child(strconv.Itoa(i)).Text(); got != strconv.Itoa(i) {
			t.Fatalf("l[%d] = %q", i, got)
		}
	}
	if node.Child("m").Has("k1000") || node.Child("l").Has("1000") || node.Child("l").Has("-1") || node.Has("") {
		t.Error("a child that was not submitted")
	}
	var absent *Node
	if absent.Has("a") || absent.Text() != "" || absent.IsGroup() || absent.IsList() || absent.Len() != 0 ||
		absent.File() != nil || absent.Child("a").Child("b") != nil {
		t.Error("a nil node has something")
	}
	for range absent.Children() {
		t.Error("a nil node has children")
	}
	if text := node.Child("m").Child("k1"); text.Len() != 0 || text.Child("0") != nil || text.IsList() {
		t.Error("a text has children")
	}
}

// couponBodies are lists of n codes in each encoding that a client may choose.
func couponBodies(n int) map[string][2]string {
	var appended, indexed, backwards, array, parts strings.Builder
	w := multipart.NewWriter(&parts)
	_ = w.SetBoundary("short") // keeps 100,000 parts within the limit of a body
	for i := range n {
		fmt.Fprintf(&appended, "c[coupons][]=code%d&", i)
		fmt.Fprintf(&indexed, "c[coupons][%d]=code%d&", i, i)
		fmt.Fprintf(&backwards, "c[coupons][%d]=code%d&", n-1-i, i)
		fmt.Fprintf(&array, `,"code%d"`, i)
		_ = w.WriteField("c[coupons][]", fmt.Sprint("code", i)) // a Builder takes every write
	}
	_ = w.Close()
	return map[string][2]string{
		"appended":  {urlencoded, appended.String()},
		"indexed":   {urlencoded, indexed.String()},
		"backwards": {urlencoded, backwards.String()},
		"json":      {jsonType, `{"c":{"coupons":[` + array.String()[1:] + `]}}`},
		"multipart": {w.FormDataContentType(), parts.String()},
	}
}

func TestDecodeManyCoupons(t *testing.T) {
	for name, c := range couponBodies(50_000) {
		coupons := Read(decode(t, c[0], c[1]).Child("c")).Texts("coupons")
		if len(coupons) != 50_000 || coupons[0] != "code0" || coupons[49_999] != "code49999" {
			t.Errorf("%s: %d coupons", name, len(coupons))
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	flat := "customer%5BfirstName%5D=Ada&customer%5BlastName%5D=Lovelace&customer%5Bemail%5D=ada%40example.com" +
		"&customer%5Bphone%5D=%2B48123&customer%5Bagreement1%5D=1"
	bodies := couponBodies(100_000)
	bodies["flat"] = [2]string{urlencoded, flat}
	bodies["flat json"] = [2]string{jsonType,
		`{"customer":{"firstName":"Ada","lastName":"Lovelace","email":"ada@example.com","phone":"+48","agreement1":1}}`}
	for _, name := range []string{"flat", "flat json", "appended", "indexed", "backwards", "json", "multipart"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bodies[name][1])))
			for b.Loop() {
				if _, err := Decode(bodies[name][0], strings.NewReader(bodies[name][1])); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Filters that were encoded twice are decoded twice. A plus stays, and so does what would not be valid text.
func TestParseFiltersDecodesAgain(t *testing.T) {
	for raw, want := range map[string]string{
		"user%40example.com":        "user@example.com",
		"user%2540example.com":      "user@example.com",
		"Wo%25C5%25BA+Niak":         "Wo\u017a Niak",
		"Jan%2520Nowak":             "Jan Nowak",
		"ida%2Bx%40example.com":     "ida+x@example.com",
		"ida%2Bx%2540example.com":   "ida+x@example.com",
		"ida%252Bx%2540example.com": "ida+x@example.com",
		"a%252540b":                 "a%40b",
		"100%25":                    "100%",
		"100%2525":                  "100%",
		"50%25+of%2520all":          "50% of%20all",
		"%25ff":                     "%ff",
		"x%2500":                    "x%00",
		"%25zz":                     "%zz",
		"":                          "",
	} {
		node, err := ParseFilters("name=" + raw)
		if err != nil || node.Child("name").Text() != want {
			t.Errorf("%s: %q, %v, want %q", raw, node.Child("name").Text(), err, want)
		}
	}
	for _, raw := range []string{"name=%ff", "name=%00", "name=%", "a[=1"} {
		if _, err := ParseFilters(raw); err == nil {
			t.Errorf("%s is accepted", raw)
		}
	}
}

// Older clients send forms without a type.
func TestDecodeWithoutAType(t *testing.T) {
	node, err := Decode("", strings.NewReader("transfer%5Bpoints%5D=5&name=a+b"))
	if err != nil || node.Child("transfer").Child("points").Text() != "5" || node.Child("name").Text() != "a b" {
		t.Errorf("%s, %v", show(node), err)
	}
}

// A summary stands beside the tree; other trees have no such member.
func TestSummaryOfATree(t *testing.T) {
	for text, want := range map[string]string{
		"":     `{"form":{"errors":["Bad."],"children":{}},"errors":["Bad."]}`,
		"many": `{"form":{"errors":["Bad."],"children":{}},"errors":["Bad."],"error":"many"}`,
	} {
		g := Read(nil)
		g.AddFormError(fault.New(fault.Fields, "bad", "Bad."))
		g.Summarize(text)
		known, _ := errors.AsType[*fault.Error](g.Err())
		got, err := json.Marshal(known.Detail)
		if err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}
