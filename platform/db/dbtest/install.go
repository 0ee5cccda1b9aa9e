package dbtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Install finds a program, or installs its Debian package and finds it then. Of concurrent test processes one
// installs while the others wait. Without the permission to install, found is false and err is nil.
func Install(name string, search func() (found string, ok bool)) (found string, ok bool, err error) {
	if found, ok = search(); ok {
		return found, true, nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 {
		return "", false, nil
	}
	lock, err := os.OpenFile(filepath.Join(os.TempDir(), "punchcard-install.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", false, err
	}
	defer lock.Close() // releases the lock
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", false, err
	}
	if found, ok = search(); ok {
		return found, true, nil
	}
	for _, arguments := range [][]string{
		{"update"}, {"install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", name},
	} {
		command := exec.Command("apt-get", arguments...)
		// The run level prevents the package from starting its server.
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
		if output, err := command.CombinedOutput(); err != nil {
			return "", false, fmt.Errorf("%s is needed, and apt-get %s failed: %w: %s", name, arguments[0], err, output)
		}
	}
	found, ok = search()
	return found, ok, nil
}
