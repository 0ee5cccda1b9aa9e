package main_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestVariablesWithTypos refuses a variable that would be ignored, and leaves those of others alone.
func TestVariablesWithTypos(t *testing.T) {
	for variable, want := range map[string]string{
		"PUNCHCARD_MAX_CONECTIONS=4":     "did you mean PUNCHCARD_MAX_CONNECTIONS?",
		"PUNCHCARD_LISTNE=:80":           "PUNCHCARD_LISTEN?",
		"PUNCHCARD_MASTR_KEY_FILE=/x":    "PUNCHCARD_MASTER_KEY?",
		"PUNCHCARD_SERVICE_HOST=1.2.3.4": "",
		"PUNCHCARD_PORT=1":               "",
	} {
		command := exec.Command(program, "config")
		command.Env = append(os.Environ(), variable)
		out, err := command.CombinedOutput()
		if (err == nil) != (want == "") || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s", variable, err, out)
		}
	}
}
