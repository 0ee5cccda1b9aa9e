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

// familyTime returns the CPU time of a process and all its children, running and ended.
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
		// The parent counts a child that has just ended from the next reading on.
		if s, err := readStat(child); err == nil && s.parent == process {
			total += s.own
		}
	}
	return total, nil
}

// memory reads a size from /proc/PID/status in bytes: VmRSS is resident memory, VmHWM its peak.
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
