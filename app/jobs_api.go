package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// runNowLimit is how long a response waits for a job. The scheduler continues with the rest at once.
const runNowLimit = 10 * time.Second

// jobEndpoints list and run scheduled jobs. Their responses are the same on every node.
func (s *server) jobEndpoints() []api.Endpoint {
	return []api.Endpoint{
		{Method: "GET", Path: "/api/admin/jobs",
			Access: access.AdministratorWith(access.Settings, access.View), Handle: s.listJobs,
			Summary: "List the jobs and how their last runs went", Query: api.PageQuery(map[string]string(nil)),
			Response: jobList{}},
		{Method: "POST", Path: "/api/admin/jobs/{name}/run",
			Access: access.AdministratorWith(access.Settings, access.Modify), Factor: api.Everyday,
			Handle: s.runJob, Summary: "Run a job now", Response: jobResult{}, Unkeyed: true,
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
func (s *server) listJobs(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	jobs := s.jobs()
	slices.SortFunc(jobs, func(a, b job.Job) int { return strings.Compare(a.Name, b.Name) })
	response := jobList{Jobs: []jobView{}, Total: len(jobs)}
	jobs = jobs[min(page.Offset, len(jobs)):]
	jobs = jobs[:min(page.Limit, len(jobs))]
	err = c.Read(func(tx *db.Tx) error {
		states, err := job.Status(tx)
		known := map[string]job.State{}
		for _, state := range states {
			known[state.Name] = state
		}
		for _, j := range jobs {
			response.Jobs = append(response.Jobs, viewOfJob(j, known[j.Name], tx.Now()))
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
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

func (s *server) runJob(c *api.Call) error {
	ctx, stop := context.WithTimeout(c.Context(), runNowLimit)
	defer stop()
	name := c.PathValue("name")
	result, err := s.runner.RunNow(ctx, name)
	if err != nil {
		return err
	}
	return c.Write(func(*db.Tx) error { return nil }, func() error {
		return c.OK(jobResult{Name: name, Rows: result.Done, Error: result.Error, Complete: result.Complete})
	})
}
