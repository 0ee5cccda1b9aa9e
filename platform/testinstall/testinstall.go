// Package testinstall finds the programs that tests start. As root on a Debian-like system it installs those that are
// missing.
package testinstall

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Program is a program that tests start.
type Program struct {
	debian string                        // the package that has it
	find   func() (path string, ok bool) // of the program, or of the folder of its programs
}

// Programs that tests start.
var (
	PostgreSQL = Program{"postgresql", postgresFolder}
	SSH        = Program{"openssh-server", inPath("sshd", "/usr/sbin/sshd")}
	Node       = Program{"nodejs", inPath("node", "nodejs")}
	NPM        = Program{"npm", inPath("npm")}
	Python     = Program{"python3", inPath("python3")}
	// Chromium is the headless shell if there is one: it has the same engine without a browser around it, and needs two
	// thirds of the time.
	Chromium = Program{"chromium-headless-shell",
		inPath("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")}
)

// inPath returns a search for the first of the names in the PATH.
func inPath(names ...string) func() (string, bool) {
	return func() (string, bool) {
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				return path, true
			}
		}
		return "", false
	}
}

// Path returns the path of the program, or of the folder of PostgreSQL's, and installs it if it is missing. Without the
// permission to install, found is false and err is nil.
func (p Program) Path() (path string, found bool, err error) {
	if path, found = p.find(); found {
		return path, true, nil
	}
	if err := Install(p); err != nil {
		return "", false, err
	}
	path, found = p.find()
	return path, found, nil
}

// Install installs those of the programs that are missing, if it may. Of concurrent test processes one installs while
// the others wait.
func Install(programs ...Program) error {
	if len(missing(programs)) == 0 {
		return nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 {
		return nil
	}
	lock, err := os.OpenFile(filepath.Join(os.TempDir(), "punchcard-install.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // releases the lock
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	packages := missing(programs)
	if len(packages) == 0 { // another process installed them
		return nil
	}
	install := []string{"install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"}
	for _, arguments := range [][]string{{"update"}, append(install, packages...)} {
		command := exec.Command("apt-get", arguments...)
		// The run level prevents a package from starting its server.
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
		if output, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: apt-get %s failed: %w: %s", packages, arguments[0], err, output)
		}
	}
	return nil
}

// missing returns the packages of programs that are not found.
func missing(programs []Program) (packages []string) {
	for _, p := range programs {
		if _, found := p.find(); !found {
			packages = append(packages, p.debian)
		}
	}
	return packages
}
