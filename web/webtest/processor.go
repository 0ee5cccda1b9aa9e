package webtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// clockTick is the unit of the times in /proc, which is the same on all of Linux.
const clockTick = 10 * time.Millisecond

// processorTime returns what a process and all that it has started have taken of the processor, and 0 where there is
// no /proc. Processes that have ended are counted with the one that waited for them.
func processorTime(root int) (sum time.Duration) {
	type process struct {
		parent int
		ticks  int64
	}
	all := map[int]process{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The name of the program is in brackets, and may hold any character.
		fields := bytes.Fields(content[bytes.LastIndexByte(content, ')')+1:])
		number := func(i int) int64 {
			n, _ := strconv.ParseInt(string(fields[i]), 10, 64) // the kernel writes numbers
			return n
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || len(fields) < 15 {
			continue
		}
		all[pid] = process{int(number(1)), number(11) + number(12) + number(13) + number(14)}
	}
	for pid, p := range all {
		for above := pid; above > 1; above = all[above].parent {
			if above == root {
				sum += time.Duration(p.ticks) * clockTick
				break
			}
		}
	}
	return sum
}

// printTime prints what the browser has taken.
func printTime(browser int) {
	if took := processorTime(browser); took > 0 {
		fmt.Printf("The browser took %.1f s of the processor.\n", took.Seconds())
	}
}
