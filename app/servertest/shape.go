package servertest

import "strings"

// Shape returns a path without the names of its parameters.
func Shape(path string) string {
	segments := strings.Split(strings.TrimSuffix(path, "/"), "/")
	for i, segment := range segments {
		if strings.HasPrefix(segment, "{") {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}
