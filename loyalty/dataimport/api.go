package dataimport

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

const (
	importsPath = "/api/{storeCode}/"
	importPath  = importsPath + "admin/import/{import}"
)

// Endpoints returns the endpoints of docs/behaviour/imports.md.
func (svc *Service) Endpoints() []api.Endpoint {
	everyone := access.Only(access.Administrator).WithKeys() // the permission depends on the kind
	all := []api.Endpoint{
		{Method: "GET", Path: importsPath + "admin/import", Access: everyone,
			Do:      api.Read(api.InCall(api.PageQuery[string](nil, svc.describeFilter), svc.readQuery), listImports),
			Summary: "List imports, the newest first"},
		{Method: "GET", Path: importPath, Access: everyone, Do: api.Tell(svc.showImport),
			Summary: "Show the progress of an import"},
		{Method: "GET", Path: importPath + "/errors", Access: everyone,
			Do:      api.Read(api.InPages[string](nil), svc.listErrors),
			Summary: "List the records of an import that were refused"},
		{Method: "GET", Path: importPath + "/errors/csv", Access: everyone,
			Do:      api.ExportPages("import_errors", errorColumns, svc.exportErrors),
			Summary: "Export the records of an import that were refused"},
		{Method: "POST", Path: importPath + "/cancel", Access: everyone, Factor: api.TakesBack,
			Do: api.Act(svc.change(cancel)), Summary: "Stop an import after the records that were carried out",
			Audit: api.Audited("CancelImport", "import"), NoDryRun: api.Uploads},
		{Method: "POST", Path: importPath + "/resume", Access: everyone, Factor: api.BeganThere,
			Do: api.Act(svc.change(resume)), Summary: "Continue an import that was cancelled or has failed",
			Audit: api.Audited("ResumeImport", "import"), NoDryRun: api.Uploads},
		{Method: "POST", Path: importPath + "/undo", Access: everyone, Factor: api.TakesBack,
			Do: api.Act(svc.change(svc.undo)), Summary: "Take back what an import did",
			Audit: api.Audited("CreateImportUndo", "import"), NoDryRun: api.Uploads},
		{Method: "GET", Path: importPath + "/remaining", Access: everyone,
			Do:      api.Read(api.InPages[string](nil), svc.listRemaining),
			Summary: "List the records that undoing an import has left"},
		{Method: "GET", Path: importsPath + "admin/import-template/{file}", Access: everyone, Handle: svc.template,
			Summary: "Download a CSV file with the columns of a kind and an example", Response: api.Media("text/csv")},
	}
	all = append(all, api.Endpoint{Method: "POST", Path: importsPath + "admin/import/{kind}/preview", Access: everyone,
		Factor: api.NoWrite, Handle: svc.preview, Unkeyed: true, Summary: "Show how a file would be imported",
		Query: func(q *form.Group) {
			for _, k := range svc.kinds {
				k.describeQuery(q)
			}
		},
		Form: func(g *form.Group) { importedFile(g.Group("file")) }, Response: preview{}, NoDryRun: api.Uploads})
	for _, k := range svc.kinds {
		all = append(all, api.Endpoint{Method: "POST", Path: importsPath + k.Path,
			Access: access.AdministratorWith(k.Resource, access.Modify), Factor: api.InHandler,
			Handle: svc.upload(k), Summary: k.Summary, Query: k.describeQuery,
			Form: func(g *form.Group) { importedFile(g.Group("file")) }, Response: result{},
			Also: map[int]any{accepted: identity{}}, Stepwise: true, Audit: k.Audit, UploadBytes: FileLimit + form.MaxBodyBytes})
	}
	return all
}

func (k *Kind) describeQuery(q *form.Group) {
	k.readOptions(q)
	q.Checkbox("dryRun")
	q.Checkbox("onlyNew")
	if k.Newcomers {
		q.Checkbox("withoutPoints")
		q.Checkbox("withoutWelcome")
	} else {
		q.Checkbox("withoutMessages")
	}
}

type viewList struct {
	Imports []view `json:"imports"`
	Total   int64  `json:"total"`
}

// view is the JSON of an import: docs/behaviour/imports.md#progress.
type view struct {
	ImportID   string  `json:"importId"`
	Kind       string  `json:"kind"`
	State      string  `json:"state" enum:"uploading,waiting,running,finished,cancelled,failed,undoing,undone"`
	FileName   string  `json:"fileName"`
	Format     string  `json:"format"`
	Bytes      int64   `json:"bytes"`
	DryRun     bool    `json:"dryRun"`
	Records    *int64  `json:"totalRecords,omitempty"` // in the file; missing until they are counted
	Processed  int64   `json:"totalProcessed"`
	Succeeded  int64   `json:"totalSuccess"`
	Failed     int64   `json:"totalFailed"`
	Error      string  `json:"error,omitempty"`
	ErrorCode  string  `json:"errorCode,omitempty"`
	CreatedBy  string  `json:"createdBy"`
	CreatedAt  string  `json:"createdAt"`
	StartedAt  *string `json:"startedAt,omitempty"`
	FinishedAt *string `json:"finishedAt,omitempty"`

	Undone         *int64       `json:"totalUndone,omitempty"` // of an import that is or was undone
	Remaining      *int64       `json:"totalRemaining,omitempty"`
	Undoable       bool         `json:"undoable,omitempty"`       // only in the response for one import
	ImportedBefore *earlierView `json:"importedBefore,omitempty"` // only in the response for one import
}

// earlierView is an earlier import of the same file.
type earlierView struct {
	ImportID  string `json:"importId"`
	CreatedBy string `json:"createdBy"`
	CreatedAt string `json:"createdAt"`
}

func earlierViewOf(i *Import, zone *time.Location) *earlierView {
	if i == nil {
		return nil
	}
	return &earlierView{i.ID, i.CreatedBy.Name, api.Timestamp(i.CreatedAt, zone)}
}

func newView(i *Import, zone *time.Location) view {
	v := view{
		ImportID: i.ID, Kind: i.Kind, State: i.State, FileName: i.FileName, Format: i.Format, Bytes: i.Bytes,
		DryRun: i.DryRun, Processed: i.Done, Succeeded: i.Done - i.Failed, Failed: i.Failed, Error: i.Error,
		ErrorCode: i.ErrorCode, CreatedBy: i.CreatedBy.Name, CreatedAt: api.Timestamp(i.CreatedAt, zone),
		StartedAt: api.OptionalTimestamp(i.StartedAt, zone), FinishedAt: api.OptionalTimestamp(i.FinishedAt, zone),
	}
	if i.Records > 0 || i.State == Finished {
		v.Records = &i.Records
	}
	if i.State == Undoing || i.State == Undone {
		v.Undone, v.Remaining = &i.Undone, &i.Remaining
	}
	return v
}

func (svc *Service) describeFilter(q *form.Group) {
	var names []string
	for _, k := range svc.kinds {
		names = append(names, k.Name)
	}
	q.Choice("kind", names)
	q.Choice("state", States)
}

// query asks for a page of imports.
type query struct {
	api.Page
	kinds []string // that the caller may view
	state string
}

func (svc *Service) readQuery(c *api.Call) (q query, err error) {
	request, err := c.ListRequest()
	if err != nil {
		return q, err
	}
	var names []string
	for _, k := range svc.kinds {
		if names = append(names, k.Name); c.Caller.Allowed(k.Resource, access.View) {
			q.kinds = append(q.kinds, k.Name)
		}
	}
	kind, err := request.Choice("kind", names)
	if err != nil {
		return q, err
	}
	if kind != "" {
		q.kinds = slices.DeleteFunc(q.kinds, func(name string) bool { return name != kind })
	}
	q.Page = request.Page
	q.state, err = request.Choice("state", States)
	return q, err
}

func listImports(r *api.Reading, q query) (viewList, error) {
	list := viewList{Imports: []view{}}
	if len(q.kinds) == 0 {
		return list, nil
	}
	found, total, err := readPage(r.Tx, r.Store.Key, q.kinds, q.state, q.Limit, q.Offset)
	for n := range found {
		list.Imports = append(list.Imports, newView(&found[n], r.Store.Zone))
	}
	list.Total = total
	return list, err
}

// importOfPath reads the import of the path, if the caller has the access to its kind. read may lock it.
func (svc *Service) importOfPath(c *api.Call, tx *db.Tx, needs string,
	read func(tx *db.Tx, storeKey int64, id string) (*Import, error)) (*Import, error) {
	id, err := c.PathUUID("import")
	if err != nil {
		return nil, err
	}
	i, err := read(tx, c.Store.Key, id)
	if err != nil {
		return nil, err
	}
	k := svc.kind(i.Kind)
	switch {
	case k == nil:
		return nil, fault.ErrForbidden
	case !c.Caller.Allowed(k.Resource, needs):
		return nil, access.LacksPermission(k.Resource, needs)
	}
	return i, nil
}

// viewed reads the import of the path, if the caller may view it.
func (svc *Service) viewed(c *api.Call) (i *Import, err error) {
	err = c.Read(func(tx *db.Tx) (err error) {
		i, err = svc.importOfPath(c, tx, access.View, findImport)
		return err
	})
	return i, err
}

// showImport shows the progress, with "Prefer: wait=10" once the import has ended, or after 10 seconds.
func (svc *Service) showImport(c *api.Call) (view, error) {
	var i *Import
	err := c.Await(func() (ended bool, err error) {
		i, err = svc.viewed(c)
		return err != nil || i.State != Uploading && i.State != Waiting && i.State != Running && i.State != Undoing, err
	})
	if err != nil {
		return view{}, err
	}
	v := newView(i, c.Store.Zone)
	err = c.Read(func(tx *db.Tx) error {
		before, err := earlier(tx, i)
		v.ImportedBefore = earlierViewOf(before, c.Store.Zone)
		if err == nil {
			v.Undoable, err = svc.isUndoable(tx, i)
		}
		return err
	})
	return v, err
}

type failureList struct {
	Errors []failureView `json:"errors"`
	Total  int64         `json:"total"`
}

type failureView struct {
	Record     int64  `json:"record"` // number in the file, from 1
	Line       int64  `json:"line"`
	Identifier string `json:"identifier"`
	Message    string `json:"message"`
	// Problems are the errors of the message, as in application/problem+json.
	Problems []form.Problem `json:"errors"`
}

func (svc *Service) listErrors(r *api.Reading, page api.Page) (failureList, error) {
	list := failureList{Errors: []failureView{}}
	i, err := svc.importOfPath(r.Call, r.Tx, access.View, findImport)
	if err != nil {
		return list, err
	}
	found, err := failuresAfter(r.Tx, i, 0, page.Limit, page.Offset)
	for _, f := range found {
		list.Errors = append(list.Errors, failureView{f.Record, f.Line, f.Identifier, f.Message, f.Problems})
	}
	list.Total = i.Failed
	return list, err
}

var errorColumns = api.Titled("Line#", "Identifier", "Message")

// exportedAtOnce is the number of refused records that the export reads at a time.
const exportedAtOnce = 1000

// exportErrors exports the refused records in the order of the file.
func (svc *Service) exportErrors(c *api.Call) (api.Pages, error) {
	i, err := svc.viewed(c)
	after := int64(0)
	return func(tx *db.Tx) (rows [][]string, err error) {
		found, err := failuresAfter(tx, i, after, exportedAtOnce, 0)
		for _, f := range found {
			rows = append(rows, []string{strconv.FormatInt(f.Line, 10), f.Identifier, f.Message})
			after = f.Record
		}
		return rows, err
	}, err
}

// change changes the state of the import of the path, and wakes the worker.
func (svc *Service) change(to func(tx *db.Tx, i *Import) error) func(w *api.Writing) (view, error) {
	return func(w *api.Writing) (view, error) {
		i, err := svc.importOfPath(w.Call, w.Tx, access.Modify, lockImport)
		if err == nil {
			err = to(w.Tx, i)
		}
		if err != nil {
			return view{}, err
		}
		i.owner, i.leaseUntil = "", time.Time{}
		w.Tx.AfterCommit(func() { svc.wakeups.Wake(w.Store) })
		return newView(i, w.Store.Zone), save(w.Tx, i)
	}
}

// cancel stops an import after the batch that is being carried out.
func cancel(tx *db.Tx, i *Import) error {
	if i.State != Waiting && i.State != Running {
		return errNotRunning
	}
	i.State, i.FinishedAt = Cancelled, tx.ServerNow()
	return nil
}

// resume continues an import after the last record that was carried out.
func resume(tx *db.Tx, i *Import) error {
	if i.State != Cancelled && i.State != Failed {
		return errNotStopped
	}
	if stored, err := hasFile(tx, i); err != nil || !stored {
		return cmp.Or(err, error(errNoFile))
	}
	i.State, i.Error, i.ErrorCode, i.FinishedAt = Waiting, "", "", time.Time{}
	return nil
}

func (svc *Service) template(c *api.Call) error {
	name, isCSV := strings.CutSuffix(c.PathValue("file"), ".csv")
	k := svc.kind(name)
	if k == nil || !isCSV {
		return fault.ErrNotFound
	}
	if !c.Caller.Allowed(k.Resource, access.View) {
		return access.LacksPermission(k.Resource, access.View)
	}
	c.ResponseHeader().Set("Content-Disposition", `attachment; filename="`+k.Name+`.csv"`)
	return c.Bytes(200, "text/csv; charset=UTF-8", k.template())
}
