package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of CPU time in /proc, which is the same on every Linux that Go supports.
const tick = 10 * time.Millisecond

// stat is a part of /proc/PID/stat.
type stat struct {
	parent int
	own    time.Duration // CPU time, user and system
	ended  time.Duration // CPU time of ended children
}

func readStat(process int) (stat, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return stat{}, err
	}
	// The name in parentheses may contain blanks. State and parent follow it, and the times from
	// field 11 on.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	var numbers [15]int64
	for i := range numbers {
		if i == 0 {
			continue // the state, a letter
		}
		if numbers[i], err = strconv.ParseInt(fields[i], 10, 64); err != nil {
			return stat{}, err
		}
	}
	return stat{
		parent: int(numbers[1]),
		own:    time.Duration(numbers[11]+numbers[12]) * tick,
		ended:  time.Duration(numbers[13]+numbers[14]) * tick,
	}, nil
}

// ofFamily sums what read returns for a process and its children.
func ofFamily[N int64 | time.Duration](process int, read func(process int) (N, error)) (N, error) {
	total, err := read(process)
	if err != nil {
		return 0, err
	}
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	for _, folder := range folders {
		child, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			continue
		}
		if s, err := readStat(child); err != nil || s.parent != process {
			continue
		}
		// The parent counts a child that has just ended from the next reading on.
		if own, err := read(child); err == nil {
			total += own
		}
	}
	return total, nil
}

// processTime returns the CPU time of a process and its ended children.
func processTime(process int) (time.Duration, error) {
	s, err := readStat(process)
	return s.own + s.ended, err
}

// writtenBytes returns what a process and its ended children passed to write, for files and for some sockets: those of
// Go, not those of PostgreSQL, which sends.
func writtenBytes(process int) (int64, error) {
	return readNumber(fmt.Sprintf("/proc/%d/io", process), "wchar")
}

// dirtiedBytes returns the size of the pages of files that a process wrote to since they were last on the disk. Those
// of a file that is only appended to are small; in others the kernel may count 2 MB for one byte.
func dirtiedBytes(process int) (int64, error) {
	return readNumber(fmt.Sprintf("/proc/%d/io", process), "write_bytes")
}

// memory reads a size from /proc/PID/status in bytes: VmRSS is resident memory, VmHWM its peak.
func memory(process int, name string) (int64, error) {
	kilobytes, err := readNumber(fmt.Sprintf("/proc/%d/status", process), name)
	return kilobytes << 10, err
}

// readNumber reads a number from a file of lines like "name: number unit".
func readNumber(file, name string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, found := strings.CutPrefix(line, name+":"); found {
			return strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
		}
	}
	return 0, fmt.Errorf("%s has no %s", file, name)
}
