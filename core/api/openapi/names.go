package openapi

import (
	"fmt"
	"strings"

	"punchcard/core/api"
)

// Names has the operationIds of the description by method and path, such as "GET /api/{storeCode}/customer".
type Names map[string]string

// ParseNames reads lines of a method, a path and a name.
func ParseNames(text string) (Names, error) {
	names, taken := Names{}, map[string]bool{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return nil, fmt.Errorf("openapi: %q is not a method, a path and a name", strings.TrimSpace(line))
		}
		endpoint, name := fields[0]+" "+fields[1], fields[2]
		if names[endpoint] != "" || taken[name] {
			return nil, fmt.Errorf("openapi: %s or %s is named twice", endpoint, name)
		}
		names[endpoint], taken[name] = name, true
	}
	return names, nil
}

// of returns the name of an endpoint. One that has none gets a name of its method and path, such as
// getCampaignByCampaign.
func (n Names) of(e *api.Endpoint) string {
	if name := n[key(e)]; name != "" {
		return name
	}
	name := strings.ToLower(e.Method)
	for segment := range strings.SplitSeq(strings.TrimPrefix(e.Path, "/api/"), "/") {
		if strings.HasPrefix(segment, "{") {
			name += "By"
		}
		for _, part := range word.FindAllString(segment, -1) {
			name += title(part)
		}
	}
	return name
}
