package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"punchcard/loyalty/cashback"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/job"
)

// figures are the metrics that are asked for when they are read. Those of the database are the same on every node.
type figures struct{ *server }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("punchcard_"+name, help, labels, nil)
}

// What one process did or does.
var (
	commits    = describe("database_commits_total", "Transactions that wrote.")
	writes     = describe("database_writes_total", "Operations in them: divided by the commits, the size of a group.")
	commitTime = describe("database_commit_seconds_total", "Time that all commits took.")
	retries    = describe("database_write_retries_total", "Operations that ran again after a conflict.")
	batches    = describe("database_batches_total", "Sets of calls of one operation, such as buying.")
	batchCalls = describe("database_batch_calls_total", "Calls in them.")
	waiting    = describe("database_writes_waiting", "Operations that wait; on PostgreSQL, running ones too.")
	reads      = describe("database_reads_running", "Reads that run or wait.")
	tokenHits  = describe("token_cache_hits_total", "Requests with a token that was verified before.")
	tokenReuse = describe("refresh_token_reuses_total", "Sessions ended because a used refresh token came again.")
	tokenNew   = describe("token_cache_misses_total", "Requests with a token that had to be verified.")
)

// What the database knows.
var (
	databaseUp  = describe("database_up", "Whether the database told the figures that it keeps.")
	lagEvents   = describe("relay_lag_events", "Events that are not in the message queue.")
	lagSeconds  = describe("relay_lag_seconds", "Age of the first of them.")
	lastEvent   = describe("event_last_id", "Id of the last event.")
	hooksDue    = describe("webhook_deliveries_pending", "Deliveries of web hooks that an attempt awaits, up to 10000.")
	paysWaiting = describe("cashback_messages_waiting", "Messages to payment providers that wait, up to 10000.")
	paysFailed  = describe("cashback_messages_failed", "Messages to payment providers that failed, up to 10000.")
	jobRunning  = describe("job_running", "Whether a node runs the job.", "job")
	jobLast     = describe("job_last_run_timestamp_seconds", "When the job's last run began.", "job")
	jobTook     = describe("job_last_run_duration_seconds", "How long the job's last run took.", "job")
	jobRows     = describe("job_last_run_rows", "Rows that the job's last run handled.", "job")
	jobFailed   = describe("job_last_run_failed", "Whether the job's last run failed.", "job")
	jobNext     = describe("job_next_run_timestamp_seconds", "When the job is due.", "job")
)

// described are all of them.
var described = []*prometheus.Desc{
	commits, writes, commitTime, retries, batches, batchCalls, waiting, reads, tokenHits, tokenNew, tokenReuse,
	databaseUp, lagEvents, lagSeconds, lastEvent, hooksDue, paysWaiting, paysFailed, jobRunning, jobLast, jobTook,
	jobRows, jobFailed, jobNext,
}

// Describe implements prometheus.Collector.
func (f *figures) Describe(to chan<- *prometheus.Desc) {
	for _, d := range described {
		to <- d
	}
}

func gauge(of *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(of, prometheus.GaugeValue, value, labels...)
}

// process sends the figures of this process.
func (f *figures) process(to chan<- prometheus.Metric) {
	s := f.db.Stats()
	hits, misses := f.auth.CacheCounts()
	for of, value := range map[*prometheus.Desc]float64{
		commits: float64(s.Commits), writes: float64(s.Writes), commitTime: s.CommitTime.Seconds(),
		retries: float64(s.Retries), batches: float64(s.Batches), batchCalls: float64(s.BatchCalls),
		tokenHits: float64(hits), tokenNew: float64(misses),
		tokenReuse: float64(f.auth.Reused()),
	} {
		to <- prometheus.MustNewConstMetric(of, prometheus.CounterValue, value)
	}
	to <- gauge(waiting, float64(s.WritesWaiting))
	to <- gauge(reads, float64(s.Reads))
}

// stored sends what the database knows, all or nothing of it.
func (f *figures) stored(ctx context.Context, to chan<- prometheus.Metric) error {
	behind, age, err := event.Lag(ctx, f.db)
	if err != nil {
		return err
	}
	last, err := event.Last(ctx, f.db)
	if err != nil {
		return err
	}
	var hooks, pays, failed int64
	var all []prometheus.Metric
	err = f.db.Read(ctx, func(tx *db.Tx) (err error) {
		if hooks, err = webhook.CountPending(tx); err != nil {
			return err
		}
		if pays, failed, err = cashback.Unfinished(tx); err != nil {
			return err
		}
		states, err := job.Status(tx)
		for i := range states {
			all = append(all, ofJob(&states[i], states[i].Running(tx.Now()))...)
		}
		return err
	})
	if err != nil {
		return err
	}
	for of, value := range map[*prometheus.Desc]float64{
		lagEvents: float64(behind), lagSeconds: age.Seconds(), lastEvent: float64(last), hooksDue: float64(hooks),
		paysWaiting: float64(pays), paysFailed: float64(failed),
	} {
		all = append(all, gauge(of, value))
	}
	for _, one := range all {
		to <- one
	}
	return nil
}

// ofJob are the metrics of a job.
func ofJob(s *job.State, running bool) []prometheus.Metric {
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
