package app_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event/queue/natstest"
	"punchcard/platform/testwait"
)

const metricsToken = "a-token-for-prometheus"

// scrape reads the metrics with a token.
func scrape(t *testing.T, base, token string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, base+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// metric returns the value of a line of the metrics.
func metric(t *testing.T, text, line string) float64 {
	t.Helper()
	_, after, found := strings.Cut("\n"+text, "\n"+line+" ")
	value, _, _ := strings.Cut(after, "\n")
	n, err := strconv.ParseFloat(value, 64)
	if !found || err != nil {
		t.Errorf("no %s: %v", line, err)
	}
	return n
}

func TestMetrics(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		clock := dbtest.NewClock(servertest.StartOfTests)
		base := servertest.StartServer(t, engine, func(c *app.Config) { c.MetricsToken, c.Clock = metricsToken, clock.Now })
		admin := servertest.LogInAdmin(t, base)
		for range 3 {
			admin.Send("GET", "/api/secret-path-1/settings", "", "")
		}
		admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B")
		admin.Send("POST", "/api/admin/jobs/coupons/run", "", "")
		status, text := scrape(t, base, metricsToken)
		if status != 200 || strings.Contains(text, "secret-path") || strings.Contains(text, metricsToken) {
			t.Errorf("%d %s", status, text)
		}
		for line, want := range map[string]float64{
			`punchcard_request_duration_seconds_count{method="GET",route="/api/{storeCode}/settings",status="4xx"}`: 3,
			`punchcard_request_duration_seconds_count{method="POST",route="/api/admin/login_check",status="2xx"}`:   1,
			`punchcard_requests_in_flight`: 1, // itself
			`punchcard_database_up`:        1, `punchcard_job_last_run_failed{job="coupons"}`: 0,
			`punchcard_job_last_run_timestamp_seconds{job="coupons"}`: float64(servertest.StartOfTests.Unix()),
			`punchcard_webhook_deliveries_pending`:                    0, `punchcard_cashback_messages_failed`: 0,
			`punchcard_webhook_subscriptions_failing`: 0, `punchcard_undeliverable_addresses`: 0,
			`punchcard_token_cache_misses_total`: 1, `punchcard_token_cache_hits_total`: 4,
		} {
			if got := metric(t, text, line); got != want {
				t.Errorf("%s is %v, want %v", line, got, want)
			}
		}
		for _, line := range []string{
			"punchcard_database_statements_total",
			"punchcard_database_commits_total", "punchcard_database_writes_total", "punchcard_database_commit_seconds_total",
			"punchcard_database_size_bytes", "punchcard_disk_free_bytes", "punchcard_disk_size_bytes",
			"go_goroutines", "process_cpu_seconds_total",
		} {
			if got := metric(t, text, line); got <= 0 {
				t.Errorf("%s is %v", line, got)
			}
		}
	})
}

func TestMetricsAllocateNothing(t *testing.T) {
	if n := testing.AllocsPerRun(1000, app.WatchedRequest()); n != 0 {
		t.Errorf("%v allocations for a request", n)
	}
}

func TestMetricsAreClosed(t *testing.T) {
	t.Parallel()
	open := servertest.StartServer(t, "sqlite", func(c *app.Config) { c.MetricsToken = metricsToken })
	for token, want := range map[string]int{
		"": 401, "another-token-entirely": 401, servertest.LogInAdmin(t, open).Token: 401, metricsToken: 200,
	} {
		if status, text := scrape(t, open, token); status != want {
			t.Errorf("%q: %d %s", token, status, text)
		}
	}
	if status, _ := scrape(t, servertest.StartServer(t, "sqlite", nil), metricsToken); status != 404 {
		t.Errorf("without the setting: %d", status)
	}
	config := servertest.PlainConfig(servertest.Database(t, "sqlite"))
	config.MetricsToken = "too short"
	if err := app.Serve(t.Context(), config, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "16") {
		t.Errorf("a short token: %v", err)
	}
}

// The metrics show the lag while the message queue is down. The health check fails when it exceeds the limit.
func TestRelayLag(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		server := natstest.Run(t, t.TempDir(), -1)
		clock := dbtest.NewClock(servertest.StartOfTests)
		base := servertest.StartServer(t, engine, func(c *app.Config) {
			c.NATS, c.MetricsToken, c.Clock, c.RelayLagLimit = server.ClientURL(), metricsToken, clock.Now, 5*time.Minute
		})
		admin := servertest.LogInAdmin(t, base)
		healthy := func() bool { return admin.Send("GET", "/api/healthcheck", "", "").Status == 204 }
		testwait.Until(t, "health", healthy)
		server.Stop()
		admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B")
		for i := range 3 {
			admin.Form("/api/DEFAULT/admin/customer/register", "customer[firstName]=A&customer[lastName]=B&"+
				"customer[agreement1]=1&customer[email]=a"+strconv.Itoa(i)+"@example.com")
		}
		clock.Advance(6 * time.Minute)
		testwait.Until(t, "a problem", func() bool { return !healthy() })
		_, text := scrape(t, base, metricsToken)
		if events := metric(t, text, "punchcard_relay_lag_events"); events < 3 {
			t.Errorf("%v events wait", events)
		}
		if age := metric(t, text, "punchcard_relay_lag_seconds"); age != 360 {
			t.Errorf("for %v seconds", age)
		}
	})
}

// scrapeAll returns the metrics of a server that has a copy, and refuses a request.
func scrapeAll(t *testing.T) (status int, text string) {
	t.Helper()
	copied := "file://" + filepath.ToSlash(t.TempDir())
	base := servertest.StartServer(t, "sqlite", func(c *app.Config) { c.MetricsToken, c.Replicate = metricsToken, copied })
	admin := servertest.LogInAdmin(t, base)
	admin.Send("POST", "/api/admin/jobs/coupons/run", "", "")
	admin.Send("POST", "/api/DEFAULT/level/create", "text/plain", strings.Repeat("a", 11<<20)) // refused: too large
	return scrape(t, base, metricsToken)
}

// operations is the page for operators. Its table of metrics is generated.
const operations = "../docs/operations.md"

var tableOfMetrics = regexp.MustCompile(`(?s)<!-- metrics -->\n.*<!-- end of metrics -->`)

// docs/operations.md lists the metrics as they are. go test ./app -run OperationsPage -update writes it.
func TestOperationsPageListsTheMetrics(t *testing.T) {
	_, text := scrapeAll(t)
	described := regexp.MustCompile(`(?m)^# HELP (punchcard_\w+) (.*)\n# TYPE \w+ (\w+)$`).FindAllStringSubmatch(text, -1)
	rows := []string{
		"| `punchcard_requests_refused_total` | counter | " + app.RefusedHelp + " |",
		"| `punchcard_certificate_end_timestamp_seconds` | gauge | " + app.CertificateHelp + " |",
	}
	for _, d := range described {
		rows = append(rows, "| `"+d[1]+"` | "+d[3]+" | "+d[2]+" |")
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	want := "<!-- metrics -->\n| metric | type | meaning |\n|---|---|---|\n" + strings.Join(rows, "\n") +
		"\n<!-- end of metrics -->"
	page, err := os.ReadFile(operations)
	if err != nil {
		t.Fatal(err)
	}
	if got := tableOfMetrics.FindString(string(page)); got != want {
		if *servertest.Update {
			page = tableOfMetrics.ReplaceAllLiteral(page, []byte(want))
			if err := os.WriteFile(operations, page, 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Errorf("the page says\n%s\nwant\n%s", got, want)
	}
	if len(described) < 20 {
		t.Errorf("%d metrics", len(described))
	}
}
