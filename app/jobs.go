package app

import (
	"context"
	"time"

	"punchcard/loyalty/analytics"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/message"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/occasion"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/loyalty/webhook"
	"punchcard/platform/idempotency"
	"punchcard/platform/job"
	"punchcard/platform/search"
)

// storeJobs run every minute for each store and handle what is due by its clock. Points come before levels, which
// depend on them.
func (s services) storeJobs() []store.Job {
	return []store.Job{
		{Name: "points due", Work: membership.SettlePoints},
		{Name: "coupons", Work: purchase.Advance},
		{Name: "levels", Work: membership.RecheckLevels},
		{Name: "segments", Work: s.segments.RebuildDue},
		{Name: "ending notices", Work: notification.NotifyEndings},
		{Name: "occasions", Work: occasion.Send},
	}
}

// announcing notifies customers of campaigns, after the jobs above. As a scheduled job, it takes turns between stores.
func (s services) announcing() store.Job {
	return store.Job{Name: "campaign notifications", Work: notification.Announce(s.desk)}
}

// jobs returns all scheduled jobs. To add one, add a row here.
func (s *server) jobs() []job.Job {
	all := []job.Job{
		{Name: "refresh tokens", Every: time.Hour, Run: s.auth.DeleteExpired},
		{Name: "verification tokens", Every: time.Hour, Run: verification.DeleteExpired(s.db)},
		{Name: "idempotency keys", Every: time.Hour, Run: idempotency.Expire(s.db, s.config.IdempotencyLife)},
		{Name: s.announcing().Name, Every: time.Minute, Run: notification.AnnounceAll(s.db, s.desk)},
		{Name: "notification gateways", Every: time.Minute, Run: notification.Send(s.db, s.api.Stores, s.outbound)},
		{Name: "old notifications", Every: time.Hour,
			Run: store.Everywhere(s.db, notification.Clean(s.config.NotificationRetention))},
		{Name: "old messages", Every: time.Hour, Run: message.Clean(s.db, s.config.MessageRetention)},
		{Name: "web hook deliveries", Every: time.Hour, Run: webhook.Clean(s.db, s.config.WebhookRetention)},
		{Name: "audit log", Every: time.Hour, Run: audit.Clean(s.db, s.config.AuditRetention)},
		{Name: "statistics", Every: time.Hour, Run: func(ctx context.Context) (int64, error) { return 0, s.db.Analyze(ctx) }},
		{Name: "search index", Every: 24 * time.Hour,
			Run: func(ctx context.Context) (int64, error) { return search.Merge(ctx, s.db) }},
	}
	anonymous := store.Job{Name: "anonymous", Work: s.privacyHooks().ClearAnonymized}
	left := store.Job{Name: "deleted accounts", Work: s.privacyHooks().EraseLeft}
	codes := store.Job{Name: "campaign codes", Work: s.desk.Catalogue.FillBatches}
	sums := store.Job{Name: "daily sums", Work: analytics.Recompute}
	all = append(all,
		job.Job{Name: "imports", Every: 15 * time.Second, Run: store.Everywhere(s.db, s.imports.CarryOut)},
		job.Job{Name: "old imports", Every: time.Hour, Run: store.Everywhere(s.db, s.imports.Clean)})
	for _, j := range append(s.storeJobs(), left, anonymous, codes, sums) {
		all = append(all, job.Job{Name: j.Name, Every: time.Minute, Run: store.Everywhere(s.db, j.Work)})
	}
	return all
}
