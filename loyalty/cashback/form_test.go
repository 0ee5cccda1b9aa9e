package cashback

import (
	"slices"
	"testing"

	"punchcard/core/api"
	"punchcard/platform/form"
)

// The API description excludes zero points, which the endpoint refuses.
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
