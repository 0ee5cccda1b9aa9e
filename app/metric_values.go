package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"punchcard/loyalty/cashback"
	"punchcard/loyalty/message"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/disk"
	"punchcard/platform/event"
	"punchcard/platform/job"
	"punchcard/platform/password"
)

// collector computes metrics when they are scraped. Metrics of the database are the same on every node.
type collector struct{ *server }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("punchcard_"+name, help, labels, nil)
}

// Metrics of one process.
var (
	statements = describe("database_statements_total",
		"Statements run, those that begin and end transactions not included.")
	commits = describe("database_commits_total", "Commits of write transactions.")
	writes  = describe("database_writes_total",
		"Write operations committed; divide by commits for the mean group size.")
	commitTime = describe("database_commit_seconds_total", "Total time of commits.")
	retries    = describe("database_write_retries_total", "Write operations repeated after a conflict.")
	batches    = describe("database_batches_total", "Batches of calls of one operation, such as purchases.")
	batchCalls = describe("database_batch_calls_total", "Calls handled by batches.")
	waiting    = describe("database_writes_waiting", "Waiting write operations; on PostgreSQL, running ones included.")
	reads      = describe("database_reads_running", "Running and waiting reads.")
	tokenHits  = describe("token_cache_hits_total", "Requests with a token in the cache of verified tokens.")
	tokenReuse = describe("refresh_token_reuses_total", "Sessions ended because a refresh token was reused.")
	hashes     = describe("password_hashes_total", "Passwords hashed: of log-ins, right or wrong, and of new passwords.")
	tokenNew   = describe("token_cache_misses_total", "Requests with a token that was verified.")
	copyAge    = describe("copy_lag_seconds", "Age of the oldest write that the copy off the machine does not have.")
	copyBytes  = describe("copy_lag_bytes", "Bytes of writes that the copy off the machine does not have.")
	diskFree   = describe("disk_free_bytes", "Free space of the disk that holds the data folder.")
	diskSize   = describe("disk_size_bytes", "Size of that disk.")

	certificateEnd = describe("certificate_end_timestamp_seconds", certificateHelp)
)

const certificateHelp = "When the certificate of `--tls-cert` ends."

// Metrics of the database.
var (
	databaseUp  = describe("database_up", "Whether the metrics of the database could be read.")
	lagEvents   = describe("relay_lag_events", "Events that wait for the message queue; without `--nats`, for numbers.")
	lagSeconds  = describe("relay_lag_seconds", "Age of the oldest of these events.")
	lastEvent   = describe("event_last_id", "Id of the last event.")
	size        = describe("database_size_bytes", "Size of the database, without its write-ahead log.")
	hooksFail   = describe("webhook_subscriptions_failing", "Web hooks that are on and whose last attempts failed.")
	refusedAt   = describe("undeliverable_addresses", "Addresses that a mail server or provider refused, up to 10000.")
	hooksDue    = describe("webhook_deliveries_pending", "Deliveries of web hooks with an attempt to come, up to 10000.")
	paysWaiting = describe("cashback_messages_waiting", "Waiting messages to payment providers, up to 10000.")
	paysFailed  = describe("cashback_messages_failed", "Failed messages to payment providers, up to 10000.")
	jobRunning  = describe("job_running", "Whether the job is running.", "job")
	jobLast     = describe("job_last_run_timestamp_seconds", "When the last run of the job started.", "job")
	jobTook     = describe("job_last_run_duration_seconds", "Duration of the last run of the job.", "job")
	jobRows     = describe("job_last_run_rows", "Rows that the last run of the job handled.", "job")
	jobFailed   = describe("job_last_run_failed", "Whether the last run of the job failed.", "job")
	jobNext     = describe("job_next_run_timestamp_seconds", "When the job is due.", "job")
)

// described lists the metrics of a collector.
var described = []*prometheus.Desc{
	statements, commits, writes, commitTime, retries, batches, batchCalls, waiting, reads, tokenHits, tokenNew, tokenReuse,
	copyAge, copyBytes, hashes, diskFree, diskSize, certificateEnd,
	databaseUp, size, hooksFail, refusedAt, lagEvents, lagSeconds, lastEvent, hooksDue, paysWaiting, paysFailed,
	jobRunning, jobLast, jobTook, jobRows, jobFailed, jobNext,
}

func (f *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range described {
		to <- d
	}
}

func gauge(of *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(of, prometheus.GaugeValue, value, labels...)
}

// process sends the metrics of this process.
func (f *collector) process(to chan<- prometheus.Metric) {
	s := f.db.Stats()
	hits, misses := f.auth.CacheCounts()
	for of, value := range map[*prometheus.Desc]float64{
		statements: float64(s.Statements), commits: float64(s.Commits), writes: float64(s.Writes),
		commitTime: s.CommitTime.Seconds(),
		retries:    float64(s.Retries), batches: float64(s.Batches), batchCalls: float64(s.BatchCalls),
		tokenHits: float64(hits), tokenNew: float64(misses),
		tokenReuse: float64(f.auth.Reused()), hashes: float64(password.Computed()),
	} {
		to <- prometheus.MustNewConstMetric(of, prometheus.CounterValue, value)
	}
	to <- gauge(waiting, float64(s.WritesWaiting))
	to <- gauge(reads, float64(s.Reads))
	if f.copied != nil {
		lag := f.copied.Lag()
		to <- gauge(copyAge, lag.Age.Seconds())
		to <- gauge(copyBytes, float64(lag.Bytes))
	}
	if free, all, known := disk.Space(f.config.Data); known {
		to <- gauge(diskFree, float64(free))
		to <- gauge(diskSize, float64(all))
	}
	if f.certificate != nil {
		to <- gauge(certificateEnd, float64(f.certificate.End().Unix()))
	}
}

// sendStored sends the metrics of the database, or none of them if one cannot be read.
func (f *collector) sendStored(ctx context.Context, to chan<- prometheus.Metric) error {
	behind, age, err := f.config.backlog()(ctx, f.db)
	if err != nil {
		return err
	}
	last, err := event.Last(ctx, f.db)
	if err != nil {
		return err
	}
	var hooks, failing, refused, pays, failed, bytes int64
	var all []prometheus.Metric
	err = f.db.Read(ctx, func(tx *db.Tx) (err error) {
		if hooks, err = webhook.CountPending(tx); err != nil {
			return err
		}
		if failing, err = webhook.CountFailing(tx); err != nil {
			return err
		}
		if refused, err = message.CountUndeliverable(tx); err != nil {
			return err
		}
		if bytes, err = sizeOf(tx); err != nil {
			return err
		}
		if pays, failed, err = cashback.Unfinished(tx); err != nil {
			return err
		}
		states, err := job.Status(tx)
		for i := range states {
			all = append(all, jobMetrics(&states[i], states[i].Running(tx.Now()))...)
		}
		return err
	})
	if err != nil {
		return err
	}
	for of, value := range map[*prometheus.Desc]float64{
		lagEvents: float64(behind), lagSeconds: age.Seconds(), lastEvent: float64(last), hooksDue: float64(hooks),
		size: float64(bytes), hooksFail: float64(failing), refusedAt: float64(refused),
		paysWaiting: float64(pays), paysFailed: float64(failed),
	} {
		all = append(all, gauge(of, value))
	}
	for _, one := range all {
		to <- one
	}
	return nil
}

// jobMetrics returns the metrics of a job.
func jobMetrics(s *job.State, running bool) []prometheus.Metric {
	all := []prometheus.Metric{
		gauge(jobRunning, number(running), s.Name), gauge(jobNext, float64(s.NextRunAt.Unix()), s.Name),
	}
	if s.LastRunAt.IsZero() {
		return all
	}
	return append(all, gauge(jobLast, float64(s.LastRunAt.Unix()), s.Name),
		gauge(jobTook, max(0, s.LastEndAt.Sub(s.LastRunAt).Seconds()), s.Name),
		gauge(jobRows, float64(s.Done), s.Name), gauge(jobFailed, number(s.Error != ""), s.Name))
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
