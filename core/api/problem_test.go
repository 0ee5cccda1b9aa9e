package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// refusedAs sends a request that is refused, and returns its media type and whether it was replayed.
func refusedAs(t *testing.T, s *site, accept, key, body string) (mediaType string, members map[string]any,
	replayed bool) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, s.url+"/act", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Idempotency-Key", key)
	request.Header.Set("Accept", accept)
	request.Header.Set("X-Request-Id", "the-request")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	return response.Header.Get("Content-Type"), members, response.Header.Get("Idempotent-Replayed") != ""
}

// A replay has the form that its own client accepts, whatever the first client accepted.
func TestReplayInTheAcceptedForm(t *testing.T) {
	const plain, problem = "application/json", "application/problem+json"
	forms := map[string]map[string]map[string]any{
		"refused": {
			plain: {"error": "No coupons left"},
			problem: {"type": "/docs/errors#test", "title": "Test", "status": 400.0, "detail": "No coupons left",
				"code": "test", "requestId": "the-request"},
		},
		"missing": {
			plain: {"error": map[string]any{"code": 404.0, "message": "Not Found"}},
			problem: {"type": "/docs/errors#not_found", "title": "Not found", "status": 404.0, "detail": "Not Found",
				"code": "not_found", "requestId": "the-request"},
		},
		"conflict": {
			plain: {"error": map[string]any{"code": 409.0, "message": "Conflict"}},
			problem: {"type": "/docs/errors#test", "title": "Test", "status": 409.0, "detail": "Conflict",
				"code": "test", "requestId": "the-request"},
		},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, acting()...)
		for word, want := range forms {
			for _, order := range [][2]string{{plain, problem}, {problem, plain}} {
				for i, accept := range order {
					mediaType, got, replayed := refusedAs(t, s, accept, word+"-"+order[0][len("application/"):], "before="+word)
					if mediaType != accept || replayed != (i == 1) {
						t.Errorf("%s, %d: %s, replayed %t", word, i, mediaType, replayed)
					}
					if diff := cmp.Diff(want[accept], got); diff != "" {
						t.Errorf("%s, %d: %s", word, i, diff)
					}
				}
			}
		}
	})
}

// Responses that were stored as bytes are replayed as they are.
func TestReplayOfStoredBytes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d, acting()...)
		first := s.write(t, "POST", "/act", "", "old", "before=refused")
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE idempotency_keys SET content_type = 'application/json', body = $1`, first.body)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if again := s.write(t, "POST", "/act", "", "old", "before=refused"); again != first.again() {
			t.Errorf("%v, want %v", again, first.again())
		}
	})
}
