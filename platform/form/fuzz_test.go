package form

import (
	"math/big"
	"strings"
	"testing"
)

// FuzzDecodeMultipart reads any body under any content type: it is refused as malformed or too large, or becomes a
// tree that survives being encoded as multipart again.
func FuzzDecodeMultipart(f *testing.F) {
	const multipart = "multipart/form-data; boundary=b"
	for _, body := range []string{
		"--b\r\nContent-Disposition: form-data; name=\"a[b]\"\r\n\r\nv\r\n--b--\r\n",
		"--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"p.png\"\r\n\r\n\x89PNG\r\n--b--\r\n",
		"--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64\r\n\r\nAA==\r\n--b--",
		"--b\r\nContent-Disposition: form-data\r\n\r\nv\r\n--b--\r\n", "--b", "--b--",
	} {
		f.Add(multipart, body)
	}
	f.Add(`multipart/form-data; boundary=""`, "----")
	f.Add("multipart/form-data", "--b")
	f.Add("text/plain; charset=utf-8", "a=1")
	f.Add("application/json; x", `{"a":1}`)
	f.Fuzz(func(t *testing.T, contentType, body string) {
		node, err := Decode(contentType, strings.NewReader(body))
		if err != nil {
			if err != ErrUnsupportedMedia {
				checkRefusal(t, err)
			}
			return
		}
		hasFile := false
		fits := true
		var visit func(n *Node)
		visit = func(n *Node) {
			hasFile = hasFile || n.File() != nil
			for _, child := range n.Children() {
				visit(child)
			}
		}
		visit(node)
		pairs(node, "", func(name, _ string) { fits = fits && len(name) <= MaxNameBytes })
		if hasFile || !fits {
			return
		}
		media, again := toParts(t, node)
		other, err := Decode(media, strings.NewReader(again))
		if err != nil || show(other) != show(node) {
			t.Fatalf("%q: %s became %s, %v", body, show(node), show(other), err)
		}
	})
}

// FuzzParseDecimal compares the parser of amounts with exact arithmetic.
func FuzzParseDecimal(f *testing.F) {
	for _, seed := range []string{"0", "-1.5", "10.505", "1e3", "+7", ".5", "5.", "92233720368547758.07", "-0.005", " 1"} {
		f.Add(seed, 2)
	}
	f.Fuzz(func(t *testing.T, text string, digits int) {
		if digits < 0 || digits > 12 || len(text) > 64 {
			return
		}
		units, ok := ParseDecimal(text, digits)
		if !ok {
			if units != 0 {
				t.Fatalf("%q is refused with %d", text, units)
			}
			return
		}
		exact, isNumber := new(big.Rat).SetString(strings.TrimSuffix(text, "."))
		if !isNumber || strings.ContainsAny(text, "/_") {
			t.Fatalf("%q is not a number, but %d", text, units)
		}
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
		exact.Mul(exact, new(big.Rat).SetInt(scale))
		off := new(big.Rat).Sub(exact, new(big.Rat).SetInt64(units))
		if off.Abs(off).Cmp(big.NewRat(1, 2)) > 0 {
			t.Fatalf("%q with %d digits is %d", text, digits, units)
		}
	})
}
