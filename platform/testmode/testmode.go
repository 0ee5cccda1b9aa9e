// Package testmode tells tests how much to run: make quick, make test and make test-all are three answers to the same
// question, and a plain go test is a fourth.
package testmode

import (
	"os"
	"strconv"
	"testing"
)

// Variable is the environment variable with the mode: "quick", "test" or "all". A plain go test leaves it empty: it is
// as thorough as "test", but runs on both databases and in every state of a screen.
const Variable = "PUNCHCARD_TEST"

// ThirdVariable is the environment variable with the third of the expensive states that runs: 0, 1 or 2. Without it,
// all run. make test chooses one by the commit and prints it.
const ThirdVariable = "PUNCHCARD_TEST_THIRD"

// Thirds is into how many parts expensive states are divided.
const Thirds = 3

// Environment returns the variables with which the tests of a mode run. Those of make quick need neither PostgreSQL nor
// a browser.
func Environment(mode string) []string {
	variables := []string{Variable + "=" + mode}
	if mode == "quick" {
		variables = append(variables, "PUNCHCARD_TEST_DATABASES=sqlite", "PUNCHCARD_TEST_WEB=logic")
	}
	return variables
}

// Quick reports whether only what finds most faults in a minute is to run.
func Quick() bool { return os.Getenv(Variable) == "quick" }

// OneDatabase reports whether a behaviour is tested on SQLite only, unless PostgreSQL might answer differently.
func OneDatabase() bool { return Quick() || os.Getenv(Variable) == "test" }

// All reports whether everything is to run, however long it takes.
func All() bool { return os.Getenv(Variable) == "all" }

// Of returns what suits the mode, such as the number of rounds of a test with random input.
func Of[T any](quick, test, all T) T {
	switch {
	case Quick():
		return quick
	case All():
		return all
	}
	return test
}

// Third reports whether the expensive state with this number runs. Callers number their states from 0.
func Third(number int) bool {
	if Quick() {
		return false
	}
	third, err := strconv.Atoi(os.Getenv(ThirdVariable))
	return err != nil || number%Thirds == third
}

// SkipQuick skips a test that takes long, and finds what the other tests of a change rarely miss.
func SkipQuick(t testing.TB) {
	t.Helper()
	if Quick() {
		t.Skip("make quick leaves this out")
	}
}
