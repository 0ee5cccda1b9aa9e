package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"punchcard/platform/fault"
)

// pairs lists the bracket names and texts of a tree without empty groups.
func pairs(n *Node, path string, visit func(name, text string)) {
	if !n.IsGroup() {
		visit(path, n.Text())
	}
	for name, child := range n.Children() {
		if path != "" {
			name = path + "[" + name + "]"
		}
		pairs(child, name, visit)
	}
}

func toQuery(n *Node) string {
	var out strings.Builder
	pairs(n, "", func(name, text string) {
		out.WriteString(url.QueryEscape(name) + "=" + url.QueryEscape(text) + "&")
	})
	return out.String()
}

func toParts(t interface{ Fatal(...any) }, n *Node) (contentType, body string) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	pairs(n, "", func(name, text string) {
		if err := w.WriteField(name, text); err != nil {
			t.Fatal(err)
		}
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), out.String()
}

// toJSON writes lists below the root as arrays; the root is an object even when its names are indexes.
func toJSON(n *Node) string {
	var members []string
	for name, child := range n.Children() {
		members = append(members, quote(name)+":"+valueJSON(child))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func valueJSON(n *Node) string {
	if !n.IsGroup() {
		return quote(n.Text())
	}
	if !n.IsList() {
		return toJSON(n)
	}
	var elements []string
	for _, child := range n.Children() {
		elements = append(elements, valueJSON(child))
	}
	return "[" + strings.Join(elements, ",") + "]"
}

func quote(text string) string { return string(appendText(nil, text)) }

// drawGroup draws a group with one child or more, as lists, maps and maps of odd indexes.
func drawGroup(t *rapid.T, depth int) *Node {
	name := rapid.StringMatching(`[a-z]{1,3}|[0-9]{1,3}|[ -Z\\^-~éł€]{1,5}`)
	if rapid.Bool().Draw(t, "list") && depth > 0 {
		name = rapid.StringMatching(`[0-9]{1,2}`)
	}
	g := &group{}
	for range rapid.IntRange(1, 20).Draw(t, "children") {
		key := name.Draw(t, "name")
		if g.find(key) >= 0 {
			continue
		}
		if depth < 3 && rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			g.put(key, drawGroup(t, depth+1))
			continue
		}
		text := rapid.String().Filter(func(s string) bool { return checkText(s) == nil }).Draw(t, "text")
		g.put(key, &Node{text: text})
	}
	if depth > 0 {
		g.pack()
	}
	return &Node{group: g}
}

func TestEncodingsAreEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawGroup(t, 0)
		tree.group.put("campaign", drawGroup(t, 1))
		want := show(tree)
		partsType, parts := toParts(t, tree)
		jsonBody := toJSON(tree)
		if tree.IsList() {
			t.Fatal("the root has a name")
		}
		for _, c := range [][2]string{{urlencoded, toQuery(tree)}, {partsType, parts}, {jsonType, jsonBody}} {
			node, err := Decode(c[0], strings.NewReader(c[1]))
			if err != nil || show(node) != want {
				t.Fatalf("%s %s\n got %s, %v\nwant %s", c[0], c[1], show(node), err, want)
			}
		}
	})
}

func TestEncodingsOfACampaign(t *testing.T) {
	query := "campaign[reward]=gift_code&campaign[translations][en][name]=Zimą&campaign[levels][]=x" +
		"&campaign[levels][]=y&campaign[labels][0][key]=k&campaign[labels][0][value]=v&campaign[active]=true" +
		"&campaign[costInPoints]=10.50"
	want := `{"campaign":{"reward":"gift_code","translations":{"en":{"name":"Zimą"}},"levels":["x","y"],` +
		`"labels":[{"key":"k","value":"v"}],"active":true,"costInPoints":10.50}}`
	node := decode(t, urlencoded, query)
	contentType, parts := toParts(t, node)
	for _, other := range []*Node{decode(t, jsonType, want), decode(t, contentType, parts)} {
		if show(other) != show(node) {
			t.Errorf("got %s, want %s", show(other), show(node))
		}
	}
}

// checkRefusal demands that a decoder fails only in the ways that a caller may see.
func checkRefusal(t *testing.T, err error) {
	if kind := fault.KindOf(err); kind != fault.Invalid && kind != fault.TooLarge {
		t.Fatalf("kind %d: %v", kind, err)
	}
}

func FuzzDecodeForm(f *testing.F) {
	for _, seed := range []string{
		"a[b][c]=v", "a[]=1&a[]=2", "c[][u]=1&c[][k]=x&c[][u]=0", "a[9]=1&a[2]=0&a[]=3", "a[x]=1&a[]=2", "a[b", "a[][]",
		"]x[", "a=1&a[b]=2", "%41%5B%5D=%E2%82%AC", "a[9223372036854775807]=1&a[]=2", "a[1][][x]=1&a[1][][x]=2", "a=%00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		node, err := Decode(urlencoded, strings.NewReader(raw))
		if err != nil {
			checkRefusal(t, err)
			return
		}
		fits := true
		pairs(node, "", func(name, _ string) { fits = fits && len(name) <= MaxNameBytes })
		if !fits { // an index took more bytes than the empty brackets it was made for
			return
		}
		again, err := ParseQuery(toQuery(node))
		if err != nil || show(again) != show(node) {
			t.Fatalf("%q: %s became %s, %v", raw, show(node), show(again), err)
		}
	})
}

func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":[1,2.5,-0,1e9,true,false,null,"x"]}`, `{"1":{"1":{},"0":[]}}`, `{"a":1,"a":2}`, `{"a":1}x`, `[]`,
		`{"a":[1,]}`, `{"a" 1}`, `{"\u0000":0}`, `{"a":"\ud800"}`, strings.Repeat(`{"a":`, 20),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		node, err := Decode(jsonType, strings.NewReader(raw))
		if err != nil {
			checkRefusal(t, err)
			return
		}
		if raw != "" && !json.Valid([]byte(raw)) {
			t.Fatalf("%q is not JSON", raw)
		}
		again, err := Decode(jsonType, strings.NewReader(toJSON(node)))
		if err != nil || show(again) != show(node) {
			t.Fatalf("%q: %s became %s, %v", raw, show(node), show(again), err)
		}
		var members map[string]json.RawMessage
		if raw != "" && json.Unmarshal([]byte(raw), &members) == nil && len(members) != node.Len() {
			t.Fatalf("%q: %d members, %s", raw, len(members), show(node))
		}
	})
}

func ExampleDecode() {
	body := strings.NewReader("c[][id]=1&c[][code]=A&c[][id]=2&c[][code]=B")
	node, err := Decode("application/x-www-form-urlencoded", body)
	fmt.Println(node.Child("c").Child("1").Child("code").Text(), err)
	// Output: B <nil>
}
