package cashback

import (
	"slices"
	"testing"

	"punchcard/api"
	"punchcard/platform/form"
)

// The description of the API says that zero points are refused, as the product does.
func TestFormsDescribeWhatTheyRefuse(t *testing.T) {
	for name, read := range map[string]func(*form.Group){
		"administrator": api.Reads(readForAnybody), "customer": api.Reads(readOwn),
	} {
		for _, f := range form.Describe(read) {
			more := form.Limit{Keyword: "exclusiveMinimum", Value: "0"}
			if f.Name == "pointsAmount" && !slices.Contains(f.Limits(), more) {
				t.Errorf("%s: the limits are %v", name, f.Limits())
			}
		}
	}
}
