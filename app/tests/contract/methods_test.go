package contract_test

import (
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// Every path of the API answers a method that it does not have with 405, and lists those that it has.
func TestOtherMethodsAreNotAllowed(t *testing.T) {
	base := servertest.StartServer(t, dbtest.Engines[0], nil)
	endpoints, allowed := app.EndpointTable(), map[string][]string{}
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	for _, e := range endpoints {
		path := strings.ReplaceAll(e.Path, "{storeCode}", "DEFAULT")
		path = parameter.ReplaceAllString(path, "00000000-0000-4000-8000-000000000000")
		allowed[path] = append(allowed[path], e.Method)
	}
	for path, methods := range allowed {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH", "TRACE"} {
			if _, found := endpointOf(endpoints, method, path); found { // such as PUT campaign/{campaign} for campaign/bought
				continue
			}
			request, err := http.NewRequestWithContext(t.Context(), method, base+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
			allow := strings.Split(response.Header.Get("Allow"), ", ")
			if response.StatusCode != http.StatusMethodNotAllowed || !slices.Contains(allow, methods[0]) {
				t.Errorf("%s %s: %d, Allow %q, want %q", method, path, response.StatusCode, allow, methods)
			}
		}
	}
}
