package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"punchcard/core/feature"
)

// listed is a source whose entries have these times, newest first. Keys are places in the list.
func listed(kind string, reads *int, minutes ...int) feature.TimelineSource {
	return feature.TimelineSource{Kind: kind, Page: func(_ *feature.TimelineReader, key string, limit int) (
		[]feature.TimelineEntry, error) {
		from := 0
		if key != "" {
			_, _ = fmt.Sscan(key, &from)
		}
		var found []feature.TimelineEntry
		for i := from; i < min(from+limit, len(minutes)); i++ {
			older := fmt.Sprint(i + 1)
			if i+1 == len(minutes) {
				older = ""
			}
			found = append(found, feature.TimelineEntry{
				ID: fmt.Sprint(kind, minutes[i]), At: time.Unix(int64(60*minutes[i]), 0), Older: older,
			})
		}
		*reads += len(found)
		return found, nil
	}}
}

func TestPagesHaveEachEntryOnceInOrder(t *testing.T) {
	for limit := 1; limit <= 8; limit++ {
		reads := 0
		sources := []feature.TimelineSource{
			listed("a", &reads, 9, 7, 5, 5, 1), listed("b", &reads, 8, 5), listed("c", &reads), listed("d", &reads, 2),
		}
		var ids []string
		text := ""
		for pages := 0; ; pages++ {
			from, err := parseCursor(text, sources)
			if err != nil {
				t.Fatal(err)
			}
			reads = 0
			found, next, err := readPage(&feature.TimelineReader{}, sources, from, limit)
			if err != nil || len(found) > limit || reads > len(sources)*(limit+1) {
				t.Fatalf("%d entries, %d reads, %v", len(found), reads, err)
			}
			for _, e := range found {
				ids = append(ids, e.ID)
			}
			if text = next.encode(); text == "" {
				break
			}
			if pages > 10 {
				t.Fatal("the timeline does not end")
			}
		}
		if got := strings.Join(ids, " "); got != "a9 b8 a7 a5 a5 b5 d2 a1" {
			t.Errorf("pages of %d: %s", limit, got)
		}
	}
}

func TestCursorsOfOthersAreRefused(t *testing.T) {
	sources := []feature.TimelineSource{{Kind: "a"}}
	for _, text := range []string{"b:1", "a:x y", "nonsense"} {
		if _, err := parseCursor(text, sources); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
