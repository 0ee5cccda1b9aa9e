package dbtest

import "syscall"

// dieWithParent has the kernel end the process when this one dies, even by SIGKILL.
func dieWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGQUIT }

// memoryNeeded is the room that clusters of tests share, in bytes: two at once, with some large databases.
const memoryNeeded = 4 << 30

// memoryFolder is where files are kept in memory, if there is room for clusters.
func memoryFolder() (folder string, ok bool) {
	const shared = "/dev/shm"
	var room syscall.Statfs_t
	err := syscall.Statfs(shared, &room)
	return shared, err == nil && room.Bavail*uint64(room.Bsize) >= memoryNeeded
}
