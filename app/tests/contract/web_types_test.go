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

const webTypesFile = "../../../web/api/types.ts"

// web/api/types.ts, which the web apps are type-checked against, is generated from the description of the API.
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
	if *servertest.Update {
		if err := os.WriteFile(webTypesFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(webTypesFile)
	if err != nil || !bytes.Equal(written, text) {
		t.Errorf("web/api/types.ts is stale (%v): run go test ./app/tests/contract -run WebTypes -update", err)
	}
}
