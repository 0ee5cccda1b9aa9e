package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/job"
)

// runNowLimit is how long a response waits for a job. The scheduler continues with the rest at once.
const runNowLimit = 10 * time.Second

// jobEndpoints list and run scheduled jobs. Their responses are the same on every node.
func (s *server) jobEndpoints() []api.Endpoint {
	return []api.Endpoint{
		{Method: "GET", Path: "/api/admin/jobs",
			Access: access.AdministratorWith(access.Settings, access.View), Do: api.Read(api.InPages[string](nil), s.listJobs),
			Summary: "List the jobs and how their last runs went"},
		{Method: "POST", Path: "/api/admin/jobs/{name}/run",
			Access: access.AdministratorWith(access.Settings, access.Modify), Factor: api.Everyday,
			Do: api.Write(api.InCall(nil, s.runJob), resultOfJob), Summary: "Run a job now", Unkeyed: true,
			Audit: api.Audited("RunJob", "job"), NoDryRun: api.RunsJobs},
	}
}

type jobList struct {
	Jobs  []jobView `json:"jobs"`
	Total int       `json:"total"`
}

type jobView struct {
	Name         string  `json:"name"`
	Every        int64   `json:"everySeconds"`
	Running      bool    `json:"running"`
	RunningSince *string `json:"runningSince,omitempty"`
	Node         string  `json:"node,omitempty"` // that is running it
	LastRun      *jobRun `json:"lastRun,omitempty"`
	NextRunAt    *string `json:"nextRunAt,omitempty"`
}

// jobRun is a finished run.
type jobRun struct {
	StartedAt string  `json:"startedAt"`
	EndedAt   *string `json:"endedAt,omitempty"`
	Node      string  `json:"node,omitempty"`
	Rows      int64   `json:"rows"`
	Error     string  `json:"error,omitempty"`
}

// jobResult is the result of a run. Complete is false if the time was not enough.
type jobResult struct {
	Name     string `json:"name"`
	Rows     int64  `json:"rows"`
	Error    string `json:"error,omitempty"`
	Complete bool   `json:"complete"`
}

// listJobs lists all jobs of this program, including those that have not run yet.
func (s *server) listJobs(r *api.Reading, page api.Page) (jobList, error) {
	jobs := s.jobs()
	slices.SortFunc(jobs, func(a, b job.Job) int { return strings.Compare(a.Name, b.Name) })
	list := jobList{Jobs: []jobView{}, Total: len(jobs)}
	jobs = jobs[min(page.Offset, len(jobs)):]
	jobs = jobs[:min(page.Limit, len(jobs))]
	states, err := job.Status(r.Tx)
	known := map[string]job.State{}
	for _, state := range states {
		known[state.Name] = state
	}
	for _, j := range jobs {
		list.Jobs = append(list.Jobs, viewOfJob(j, known[j.Name], r.Tx.Now()))
	}
	return list, err
}

// jobNames returns the names of all jobs of this program. A database may know jobs of former versions.
func (s *server) jobNames() []string {
	var names []string
	for _, j := range s.jobs() {
		names = append(names, j.Name)
	}
	return names
}

// viewOfJob shows times in UTC, because jobs belong to no store.
func viewOfJob(j job.Job, state job.State, now time.Time) jobView {
	v := jobView{
		Name: j.Name, Every: int64(j.Every / time.Second), Running: state.Running(now),
		NextRunAt: api.OptionalTimestamp(state.NextRunAt, time.UTC),
	}
	if v.Running {
		v.RunningSince, v.Node = api.OptionalTimestamp(state.BeganAt, time.UTC), state.Node()
	}
	if !state.LastRunAt.IsZero() {
		v.LastRun = &jobRun{
			StartedAt: api.Timestamp(state.LastRunAt, time.UTC), EndedAt: api.OptionalTimestamp(state.LastEndAt, time.UTC),
			Node: state.LastNode, Rows: state.Done, Error: state.Error,
		}
	}
	return v
}

// runJob runs the job that the path names, in transactions of its own.
func (s *server) runJob(c *api.Call) (jobResult, error) {
	ctx, stop := context.WithTimeout(c.Context(), runNowLimit)
	defer stop()
	name := c.PathValue("name")
	result, err := s.runner.RunNow(ctx, name)
	return jobResult{Name: name, Rows: result.Done, Error: result.Error, Complete: result.Complete}, err
}

// resultOfJob returns the result in the transaction that writes the entry of the audit log.
func resultOfJob(_ *api.Writing, result jobResult) (jobResult, error) { return result, nil }
