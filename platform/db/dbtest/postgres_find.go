package dbtest

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
)

// errNoPrograms tells a developer without PostgreSQL how to install it.
var errNoPrograms = errors.New("PostgreSQL's programs initdb and postgres were not found: install PostgreSQL 15 or " +
	"later, run as root on a Debian-like system, or set " + serverVariable + " to the URL of a server")

// Programs returns the folder of PostgreSQL's programs, such as initdb. It installs them if they are missing
// and it may.
func Programs() (string, error) {
	folder, found, err := Install("postgresql", searchPrograms)
	if err == nil && !found {
		err = errNoPrograms
	}
	return folder, err
}

// searchPrograms looks in the PATH, then where Debian puts each version. A program in the PATH may be a link
// to the folder of the others, so links are followed.
func searchPrograms() (folder string, found bool) {
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
