package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of processor time in /proc; it is the same on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// stat is what /proc tells of a process.
type stat struct {
	parent int
	own    time.Duration // processor time, user and system
	ended  time.Duration // of its children that have ended
}

func readStat(process int) (stat, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return stat{}, err
	}
	// The name in parentheses may hold blanks. After it come state, parent, and from place 11 on the times.
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

// familyTime is the processor time of a process and all its children, running and ended.
func familyTime(process int) (time.Duration, error) {
	head, err := readStat(process)
	if err != nil {
		return 0, err
	}
	total := head.own + head.ended
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	for _, folder := range folders {
		child, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			continue
		}
		// One that has just ended is counted by its parent from the next reading on.
		if s, err := readStat(child); err == nil && s.parent == process {
			total += s.own
		}
	}
	return total, nil
}

// memory reads a size of /proc/PID/status in bytes: VmRSS is resident now, VmHWM the most it ever was.
func memory(process int, name string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, found := strings.CutPrefix(line, name+":"); found {
			kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/%d/status has no %s", process, name)
}
