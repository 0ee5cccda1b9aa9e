package disk

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

func usageOf(folder string) (u usage, ok bool) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return u, false
	}
	err = windows.GetDiskFreeSpaceEx(name, &u.free, &u.size, nil)
	return u, err == nil
}

// mountPoint returns the drive of the folder.
func mountPoint(folder string) string {
	top, err := filepath.Abs(folder)
	if err != nil {
		return folder
	}
	return filepath.VolumeName(top)
}
