package web

import (
	"encoding/json"
	"strings"

	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// ProblemType is the media type of errors for clients that accept it (RFC 9457). See
// docs/behaviour/requests.md#problem-details.
const ProblemType = "application/problem+json"

// ErrorsPage is the path of the page that lists the errors by their codes.
const ErrorsPage = "/docs/errors"

// problem is the body of an error in the form of RFC 9457.
type problem struct {
	Type      string         `json:"type"`
	Title     string         `json:"title"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail"`
	Code      string         `json:"code"`
	Errors    []form.Problem `json:"errors,omitempty"`
	RequestID string         `json:"requestId"`

	Explanation json.RawMessage `json:"explanation,omitempty"`
	*fault.Missing
}

func (r *Request) problem(status int, e *fault.Error) problem {
	p := problem{
		Type: ErrorsPage + "#" + e.Code, Title: title(e.Code), Status: status, Detail: message(status, e), Code: e.Code,
		RequestID: r.ID, Explanation: e.Explanation, Missing: e.Missing,
	}
	if tree, is := e.Detail.(form.Tree); is {
		p.Errors = tree.Problems()
	}
	return p
}

// title turns a code into words: no_coupons_left into "No coupons left".
func title(code string) string {
	words := strings.ReplaceAll(code, "_", " ")
	first := min(1, len(words))
	return strings.ToUpper(words[:first]) + words[first:]
}

// acceptsProblem reports whether the client asks for problem details.
func acceptsProblem(lines []string) bool { return prefers(lines, ProblemType) }

// prefers reads the header Accept as RFC 9110 section 12.5.1 does. The client must name the type, with a weight that is
// not lower than that of application/json: clients that send */* or nothing get the bodies they always got.
func prefers(lines []string, wanted string) bool {
	named := 0.0
	exact, group, any := -1.0, -1.0, -1.0 // weights that apply to application/json
	for _, line := range lines {
		for entry := range strings.SplitSeq(line, ",") {
			media, parameters, _ := strings.Cut(entry, ";")
			q := mediaWeight(parameters)
			switch strings.ToLower(strings.TrimSpace(media)) {
			case wanted:
				named = q
			case "application/json":
				exact = q
			case "application/*":
				group = q
			case "*/*":
				any = q
			}
		}
	}
	for _, q := range [...]float64{exact, group, any} {
		if q >= 0 {
			return named > 0 && named >= q
		}
	}
	return named > 0
}

// mediaWeight returns the weight among the parameters of a media type; 1 if there is none.
func mediaWeight(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, _, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			return weight(parameter)
		}
	}
	return 1
}
