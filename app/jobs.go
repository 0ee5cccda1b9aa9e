package app

import (
	"context"
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/idempotency"
	"punchcard/platform/job"
	"punchcard/platform/search"
)

// serverJobs returns the jobs that belong to no feature.
func (s *server) serverJobs() []job.Job {
	return []job.Job{
		{Name: "idempotency keys", Every: time.Hour, Run: idempotency.Expire(s.db, s.config.IdempotencyLife)},
		{Name: "statistics", Every: time.Hour, Run: func(ctx context.Context) (int64, error) { return 0, s.db.Analyze(ctx) }},
		{Name: "search index", Every: 24 * time.Hour,
			Run: func(ctx context.Context) (int64, error) { return search.Merge(ctx, s.db) }},
	}
}

// jobs returns all scheduled jobs.
func (s *server) jobs() []job.Job {
	all := collect(s.features, func(f *feature.Feature) []job.Job { return f.Jobs })
	for _, j := range s.features.storeJobs() {
		all = append(all, job.Job{Name: j.Name, Every: time.Minute, Run: store.Everywhere(s.db, j.Work)})
	}
	return all
}
