package contract_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"testing"

	"punchcard/app/servertest"
	"punchcard/web/bundle"
)

// typesFiles are the types of the web apps, and those of the client in TypeScript.
var typesFiles = []string{"../../../web/api/types.ts", "../../../clients/typescript/src/types.ts"}

// The types that the web apps and the client in TypeScript are checked against are generated from the description.
func TestWebTypes(t *testing.T) {
	response, err := http.Get(servertest.StartServer(t, "sqlite", nil) + "/api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	description, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := bundle.Types(description)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range typesFiles {
		if *servertest.Update {
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		written, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(written, text) {
			t.Errorf("%s is stale (%v): run go test ./app/tests/contract -run WebTypes -update", file, err)
		}
	}
}
