package contract_test

import (
	"os"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testmode"
)

// docs/older-clients.sh makes the calls of older clients, and fails if one is not answered as it says.
func TestOlderClients(t *testing.T) {
	testmode.SkipQuick(t)
	needCurl(t)
	script, err := os.ReadFile("../../../docs/older-clients.sh")
	if err != nil {
		t.Fatal(err)
	}
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		base, _ := servertest.StartDemo(t, engine)
		shell(t, "set -- "+base+"\n"+string(script))
	})
}
