package dbtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// errNoPrograms is the one sentence that a developer without PostgreSQL sees.
var errNoPrograms = errors.New("PostgreSQL's programs initdb and postgres were not found: install PostgreSQL 15 or " +
	"later, run as root on a Debian-like system, or set " + serverVariable + " to the URL of a server")

// findPrograms returns the folder of initdb and postgres. Where there is none, it installs them if it may.
func findPrograms() (string, error) {
	if folder, found := searchPrograms(); found {
		return folder, nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 {
		return "", errNoPrograms
	}
	return installPrograms()
}

// searchPrograms looks in the PATH, then where Debian puts each version. A program in the PATH may be a link
// to a folder that holds the others, so links are followed.
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

// installPrograms installs Debian's package. Test processes run at once: the first installs while the others wait.
func installPrograms() (string, error) {
	lock, err := os.OpenFile(filepath.Join(os.TempDir(), "punchcard-install-postgresql.lock"),
		os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	defer lock.Close() // which gives the lock back
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	if folder, found := searchPrograms(); found {
		return folder, nil
	}
	for _, arguments := range [][]string{
		{"update"},
		{"install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", "postgresql"},
	} {
		command := exec.Command("apt-get", arguments...)
		// The run level keeps the package from starting the cluster that it makes for the machine.
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
		if output, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("PostgreSQL is needed, and apt-get %s failed: %w: %s", arguments[0], err, output)
		}
	}
	folder, found := searchPrograms()
	if !found {
		return "", errNoPrograms
	}
	return folder, nil
}
