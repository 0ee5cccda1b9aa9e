package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"punchcard/app/apptest"
)

const monitoringFolder = "packaging/monitoring"

// metricsToken is the token of the metrics on the server of the drill.
const metricsToken = "drill-metrics-token"

// prometheusConfig watches one server. A drill has no time for the usual intervals.
const prometheusConfig = `global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [%q]
scrape_configs:
  - job_name: punchcard
    authorization: {credentials: %s}
    static_configs: [{targets: [%q]}]
`

// runMonitoring tests the alert rules with promtool, and runs their queries and those of the dashboard in a Prometheus
// that watches a real server.
func runMonitoring(ctx context.Context, folder string, out io.Writer) (err error) {
	if err := need(ctx, map[string]string{"prometheus": "prometheus", "promtool": "prometheus"}); err != nil {
		return err
	}
	rules, err := filepath.Abs(filepath.Join(monitoringFolder, "alerts.yaml"))
	if err != nil {
		return err
	}
	for _, arguments := range [][]string{
		{"check", "rules", rules}, {"test", "rules", filepath.Join(monitoringFolder, "alerts_test.yaml")},
	} {
		if _, err := (shell{}).do(ctx, "promtool", arguments...); err != nil {
			return err
		}
	}
	program, err := apptest.Build(ctx, folder, []string{"CGO_ENABLED=0"})
	if err != nil {
		return err
	}
	// So few requests at a time are handled that some of the load are refused, and that /metrics still is.
	flags := []string{
		"--data", filepath.Join(folder, "data"), "--listen=127.0.0.1:0", "--metrics-token", metricsToken,
		fmt.Sprint("--max-in-flight=", writers/2),
	}
	return underLoad(ctx, program, flags, func(n *node, l *load) error { return watch(ctx, folder, rules, n, l, out) })
}

// watch runs the queries in a Prometheus that watches a node under load.
func watch(ctx context.Context, folder, rules string, n *node, l *load, out io.Writer) (err error) {
	p, err := startPrometheus(ctx, folder, rules, strings.TrimPrefix(n.Base, "http://"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	if err := p.runDashboard(ctx, out); err != nil {
		return fmt.Errorf("dashboard.json: %w", err)
	}
	if err := p.runAlerts(ctx, out); err != nil {
		return fmt.Errorf("alerts.yaml: %w", err)
	}
	l.stop()
	l.ended.Wait()
	if err := n.stop(); err != nil {
		return err
	}
	return await(ctx, func() error { return p.expectAlert(ctx, "PunchcardDown") })
}

// prometheus is a running Prometheus.
type prometheus struct {
	base    string
	command *exec.Cmd
}

func startPrometheus(ctx context.Context, folder, rules, target string) (*prometheus, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	config := filepath.Join(folder, "prometheus.yaml")
	text := fmt.Sprintf(prometheusConfig, rules, metricsToken, target)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	p := &prometheus{base: "http://" + address, command: exec.CommandContext(ctx, "prometheus", "--config.file", config,
		"--storage.tsdb.path", filepath.Join(folder, "prometheus"), "--web.listen-address", address, "--log.level=error")}
	p.command.Stderr = os.Stderr
	return p, p.command.Start()
}

func (p *prometheus) stop() error {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.command.Wait()
}

// get reads an answer of its API.
func (p *prometheus) get(ctx context.Context, path string, data any) error {
	status, body, err := call(ctx, http.MethodGet, p.base+"/api/v1/"+path, "", nil)
	if err != nil {
		return err
	}
	answer := struct {
		Status, Error string
		Data          any
	}{Data: data}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Status != "success" {
		return fmt.Errorf("%s: status %d: %s", path, status, body)
	}
	return nil
}

// query returns the labels of the series that a query gives.
func (p *prometheus) query(ctx context.Context, query string) ([]map[string]string, error) {
	var data struct {
		Result []struct{ Metric map[string]string }
	}
	err := p.get(ctx, "query?query="+url.QueryEscape(query), &data)
	var series []map[string]string
	for _, one := range data.Result {
		series = append(series, one.Metric)
	}
	return series, err
}

// awaitLabels waits until a query gives series, each with the labels.
func (p *prometheus) awaitLabels(ctx context.Context, query string, labels []string) error {
	return await(ctx, func() error {
		series, err := p.query(ctx, query)
		if err == nil && len(series) == 0 {
			err = fmt.Errorf("%s gives nothing", query)
		}
		for _, one := range series {
			for _, label := range labels {
				if one[label] == "" {
					err = fmt.Errorf("%s gives %v, without %s", query, one, label)
				}
			}
		}
		return err
	})
}

// inLegend finds the labels in the legend of a panel.
var inLegend = regexp.MustCompile(`{{(\w+)}}`)

// runDashboard runs each query of the dashboard, which must give series with the labels of its legend.
func (p *prometheus) runDashboard(ctx context.Context, out io.Writer) error {
	text, err := os.ReadFile(filepath.Join(monitoringFolder, "dashboard.json"))
	if err != nil {
		return err
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		return err
	}
	variables := strings.NewReplacer("$job", "punchcard", "$__rate_interval", "1m")
	queries := 0
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			var labels []string
			for _, found := range inLegend.FindAllStringSubmatch(target.LegendFormat, -1) {
				labels = append(labels, found[1])
			}
			if err := p.awaitLabels(ctx, variables.Replace(target.Expr), labels); err != nil {
				return fmt.Errorf("%s: %w", panel.Title, err)
			}
			queries++
		}
	}
	fmt.Fprintf(out, "%d queries of the dashboard give series\n", queries)
	return nil
}

// In an expression: a metric with its matchers, the labels of by and on, and a matcher.
var (
	selector = regexp.MustCompile(`\b(?:punchcard|process|go|up)[a-z_]*\{[^}]*\}`)
	grouped  = regexp.MustCompile(`\b(?:by|on) \(([a-z_, ]+)\)`)
	matcher  = regexp.MustCompile(`([a-z_]+)!?=`)
)

// runAlerts requires that Prometheus evaluates each rule, that promtool tests it, and that the server has each of its
// metrics with the labels. Values differ: a server that works raises no alert.
func (p *prometheus) runAlerts(ctx context.Context, out io.Writer) error {
	tests, err := os.ReadFile(filepath.Join(monitoringFolder, "alerts_test.yaml"))
	if err != nil {
		return err
	}
	var data struct {
		Groups []struct {
			Rules []struct{ Name, Query, Health, LastError string }
		}
	}
	if err := await(ctx, func() error {
		err := p.get(ctx, "rules", &data)
		for _, group := range data.Groups {
			for _, rule := range group.Rules {
				if rule.Health != "ok" {
					err = errors.Join(err, fmt.Errorf("%s: %s %s", rule.Name, rule.Health, rule.LastError))
				}
			}
		}
		return err
	}); err != nil {
		return err
	}
	rules := 0
	for _, group := range data.Groups {
		for _, rule := range group.Rules {
			if strings.Count(string(tests), "alertname: "+rule.Name+"\n") != 1 {
				return fmt.Errorf("%s: alerts_test.yaml does not say when it fires", rule.Name)
			}
			labels := labelsOf(rule.Query)
			for _, found := range selector.FindAllString(rule.Query, -1) {
				name, _, _ := strings.Cut(found, "{")
				if err := p.awaitLabels(ctx, name, labels[name]); err != nil {
					return fmt.Errorf("%s: %w", rule.Name, err)
				}
			}
			rules++
		}
	}
	fmt.Fprintf(out, "%d alerts have their metrics, and fire in tests\n", rules)
	return nil
}

// labelsOf returns the labels that a query uses of each metric: those of its matchers and of the groups.
func labelsOf(query string) map[string][]string {
	var groups []string
	for _, found := range grouped.FindAllStringSubmatch(query, -1) {
		groups = append(groups, strings.Split(found[1], ", ")...)
	}
	labels := map[string][]string{}
	for _, found := range selector.FindAllString(query, -1) {
		name, matchers, _ := strings.Cut(found, "{")
		all := map[string]bool{}
		for _, label := range groups {
			all[label] = true
		}
		for _, label := range matcher.FindAllStringSubmatch(matchers, -1) {
			all[label[1]] = true
		}
		labels[name] = slices.Sorted(maps.Keys(all))
	}
	return labels
}

// expectAlert requires that an alert is pending or firing.
func (p *prometheus) expectAlert(ctx context.Context, name string) error {
	var data struct {
		Alerts []struct{ Labels map[string]string }
	}
	err := p.get(ctx, "alerts", &data)
	for _, alert := range data.Alerts {
		if alert.Labels["alertname"] == name {
			return err
		}
	}
	return errors.Join(err, fmt.Errorf("there is no alert %s: %v", name, data.Alerts))
}
