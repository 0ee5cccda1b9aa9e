package form

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/platform/fault"
)

func TestMessages(t *testing.T) {
	g := Read(decode(t, jsonType, `{"name":"","items":[{"price":"much"},{"price":"1"}],"address":{}}`))
	g.Text("name", NotBlank, MaxLength(3))
	for _, item := range g.Groups("items") {
		item.Decimal("price", 2, AtLeast(200))
	}
	g.Group("address").Text("city", NotBlank)
	g.AddError("address", "Nobody lives there.")
	g.AddFormError("Try again.")
	err, is := g.Err().(*fault.Error)
	if !is {
		t.Fatal(g.Err())
	}
	want := []string{
		"Try again.", "name: " + Blank, "items.0.price: " + NotValid, "items.1.price: This value should be 2 or more.",
		"address: Nobody lives there.", "address.city: " + Blank,
	}
	if diff := cmp.Diff(want, err.Detail.(Tree).Messages()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
