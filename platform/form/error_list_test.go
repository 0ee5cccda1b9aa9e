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
	g.AddError("address", fault.New(fault.Fields, "test", "Nobody lives there."))
	g.AddFormError(fault.New(fault.Fields, "test", "Try again."))
	err, is := g.Err().(*fault.Error)
	if !is {
		t.Fatal(g.Err())
	}
	want := []string{
		"Try again.", "name: " + Blank.Message, "items.0.price: " + NotValid.Message,
		"items.1.price: This value should be 2 or more.",
		"address: Nobody lives there.", "address.city: " + Blank.Message,
	}
	if diff := cmp.Diff(want, err.Detail.(Tree).Messages()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
