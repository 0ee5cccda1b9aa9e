package testinstall

import (
	"os/exec"
	"path/filepath"
	"strconv"
)

// postgresFolder looks in the PATH, then where Debian puts each version. A program in the PATH may be a link
// to the folder of the others, so links are followed.
func postgresFolder() (folder string, found bool) {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if initdb, err = filepath.EvalSymlinks(initdb); err == nil && hasPrograms(filepath.Dir(initdb)) {
			return filepath.Dir(initdb), true
		}
	}
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is well-formed
	newest := 0
	for _, candidate := range folders {
		version, err := strconv.Atoi(filepath.Base(filepath.Dir(candidate)))
		if err == nil && version > newest && hasPrograms(candidate) {
			newest, folder = version, candidate
		}
	}
	return folder, newest > 0
}

func hasPrograms(folder string) bool {
	_, initdbErr := exec.LookPath(filepath.Join(folder, "initdb"))
	_, postgresErr := exec.LookPath(filepath.Join(folder, "postgres"))
	return initdbErr == nil && postgresErr == nil
}
