package contract_test

import (
	"os"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/api/openapi"
)

const (
	operationsFile = "../../operations.txt"
	releasedFile   = "testdata/operations.txt"
)

// Every endpoint has a name in app/operations.txt, and a name that was given once stays: generated clients call it.
func TestOperationsKeepTheirNames(t *testing.T) {
	text, err := os.ReadFile(operationsFile)
	if err != nil {
		t.Fatal(err)
	}
	names, err := openapi.ParseNames(string(text))
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]bool{}
	for _, e := range app.EndpointTable() {
		endpoint := e.Method + " " + e.Path
		served[endpoint] = true
		if names[endpoint] == "" {
			t.Errorf("%s has no name: add one to app/operations.txt, such as listCustomers", endpoint)
		}
	}
	for endpoint := range names {
		if !served[endpoint] {
			t.Errorf("app/operations.txt names %s, which is not served", endpoint)
		}
	}
	released, err := os.ReadFile(releasedFile)
	if err != nil {
		t.Fatal(err)
	}
	known, err := openapi.ParseNames(string(released))
	if err != nil {
		t.Fatal(err)
	}
	for endpoint, name := range known {
		if names[endpoint] != name {
			t.Errorf("%s was called %s and is %q now: names never change", endpoint, name, names[endpoint])
		}
	}
	if *servertest.Update && !t.Failed() {
		if err := os.WriteFile(releasedFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if len(known) != len(names) {
		t.Errorf("%s lacks new names: run go test ./app/tests/contract -run Operations -update", releasedFile)
	}
}
