// Package disk names the disk that holds a folder, in errors for the operator.
package disk

import "fmt"

// leastFree is the free space in bytes below which a disk counts as full after an operation on it
// has failed. SQLite, for example, reports an I/O error when its shared memory file cannot grow.
const leastFree = 1 << 20

// Explain adds to an error which disk holds the folder, and how many bytes are free, if that disk is
// full. It returns other errors unchanged.
func Explain(folder string, err error) error {
	if used, ok := usageOf(folder); ok && (used.noFiles || used.free < leastFree) {
		return used.explain(folder, err)
	}
	return err
}

// Full adds the disk usage of the folder to an error about a full disk.
func Full(folder string, err error) error {
	if used, ok := usageOf(folder); ok {
		return used.explain(folder, err)
	}
	return err
}

// Name describes the disk that holds the folder.
func Name(folder string) string {
	return fmt.Sprintf("the disk mounted at %s, which holds %s,", mountPoint(folder), folder)
}

// usage is the free space of a disk.
type usage struct {
	free, size uint64 // bytes
	noFiles    bool   // no further file can be created
}

func (u usage) explain(folder string, err error) error {
	if u.noFiles {
		return fmt.Errorf("%s is full (no room for another file): %w", Name(folder), err)
	}
	return fmt.Errorf("%s is full (%d of %d bytes free): %w", Name(folder), u.free, u.size, err)
}

// Space returns how many bytes are free on the disk that holds the folder, and how many it has, if that is known.
func Space(folder string) (free, size uint64, known bool) {
	used, ok := usageOf(folder)
	return used.free, used.size, ok
}
