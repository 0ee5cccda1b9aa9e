package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const monitoring = "../packaging/monitoring"

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The metrics that alerts and the dashboard select exist, with the labels that they match. make drill DRILL=monitoring
// runs the queries in Prometheus.
func TestMonitoringSelectsMetrics(t *testing.T) {
	t.Parallel()
	_, text := scrapeAll(t)
	labels := map[string][]string{ // by metric
		"punchcard_certificate_end_timestamp_seconds": {"job", "instance"}, // of servers with a certificate
	}
	for _, line := range regexp.MustCompile(`(?m)^(\w+)(?:\{(.*)\})? `).FindAllStringSubmatch(text, -1) {
		labels[line[1]] = []string{"job", "instance"} // which Prometheus adds
		for _, label := range regexp.MustCompile(`(\w+)="`).FindAllStringSubmatch(line[2], -1) {
			labels[line[1]] = append(labels[line[1]], label[1])
		}
	}
	for _, file := range []string{"alerts.yaml", "dashboard.json"} {
		queries := readText(t, filepath.Join(monitoring, file))
		selected := regexp.MustCompile(`\b((?:punchcard|process|go)_[a-z_]+)(?:\{([^}]*)\})`).
			FindAllStringSubmatch(queries, -1)
		if len(selected) < 15 {
			t.Errorf("%s: %d metrics", file, len(selected))
		}
		for _, s := range selected {
			if labels[s[1]] == nil {
				t.Errorf("%s: there is no metric %s", file, s[1])
			}
			for _, label := range regexp.MustCompile(`(\w+)!?=`).FindAllStringSubmatch(s[2], -1) {
				if !slices.Contains(labels[s[1]], label[1]) {
					t.Errorf("%s: %s has no label %s", file, s[1], label[1])
				}
			}
		}
	}
}

// The runbook says for each alert what to do, in the order of the alerts, and the alert leads there.
func TestRunbookHasEachAlert(t *testing.T) {
	alerts := regexp.MustCompile(`(?s)- alert: (\w+)\n.*?runbook_url: \S+/docs/runbook\.md#(\w+)\n`).
		FindAllStringSubmatch(readText(t, filepath.Join(monitoring, "alerts.yaml")), -1)
	var names []string
	for _, alert := range alerts {
		names = append(names, alert[1])
		if alert[2] != strings.ToLower(alert[1]) {
			t.Errorf("%s leads to %s", alert[1], alert[2])
		}
	}
	var headings []string
	for _, heading := range regexp.MustCompile(`(?m)^## (\w+)\n\n[A-Z]`).FindAllStringSubmatch(
		readText(t, "../docs/runbook.md"), -1) {
		headings = append(headings, heading[1])
	}
	if !slices.Equal(names, headings) || len(names) == 0 {
		t.Errorf("the alerts are %q, the runbook has %q", names, headings)
	}
}
