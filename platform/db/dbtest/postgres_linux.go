package dbtest

import "syscall"

// dieWithParent has the kernel end the process when this one dies, even by SIGKILL.
func dieWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGQUIT }
