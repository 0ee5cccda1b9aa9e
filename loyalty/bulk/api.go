package bulk

import (
	"slices"
	"strings"
	"sync"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

var (
	errNobody  = fault.New(fault.Fields, "nobody_selected", "This selects no customer.")
	errTooMany = fault.New(fault.Fields, "too_many_selected", "This selects more than %d customers.")
	errNoState = fault.New(fault.Conflict, "bulk_action_state",
		"This is not possible in the present state of the action.")
	errFilter    = fault.New(fault.Fields, "filter_unreadable", "The filter has no such field, or not such a value: %s.")
	errEverybody = fault.New(fault.Fields, "selects_everybody",
		"This selects all customers. Send the filter \"everybody\" if that is meant.")
	errUnknownCustomer = fault.New(fault.Fields, "unknown_customer", "Customer not found: %s")
	errTwoChoice       = fault.New(fault.Fields, "customers_and_filter", "Send either customers or a filter.")
)

// Endpoints returns the endpoints of docs/behaviour/bulk-actions.md.
func (svc *Service) Endpoints() []api.Endpoint {
	const (
		all = "/api/{storeCode}/admin/bulk-action"
		one = all + "/{bulkAction}"
	)
	view := access.AdministratorWith(access.Customers, access.View)
	change := func(name, event, summary string, do func(tx *db.Tx, a *Action) error) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: one + "/" + name, Access: view, Factor: api.TakesBack,
			Do: api.Act(svc.change(do)), Summary: summary, Audit: api.Audited(event, "bulkAction")}
	}
	return []api.Endpoint{
		{Method: "GET", Path: all, Access: view, Do: api.Read(api.InPages[string](nil), listActions),
			Summary: "List bulk actions, the newest first"},
		{Method: "POST", Path: all, Access: view, Factor: api.InHandler,
			Do:      api.Write(api.BodyInCall("bulkAction", svc.readRequest, api.Reads(readForm)), svc.create),
			Summary: "Do something to many customers", Audit: api.Audited("StartBulkAction", "bulkAction")},
		{Method: "GET", Path: one, Access: view, Do: api.Tell(showAction), Summary: "Show the progress of a bulk action"},
		{Method: "GET", Path: one + "/left", Access: view, Do: api.Read(api.InPages[string](nil), listLeft),
			Summary: "List the customers whom a bulk action, or undoing it, has left"},
		change("stop", "StopBulkAction", "Stop a bulk action", func(tx *db.Tx, a *Action) error {
			if a.State != Running {
				return errNoState
			}
			a.end(tx, Stopped)
			return nil
		}),
		change("undo", "UndoBulkAction", "Take back what a bulk action did", func(_ *db.Tx, a *Action) error {
			if !a.isUndoable() {
				return errNoState
			}
			a.State, a.After, a.FinishedAt = Undoing, "", time.Time{}
			return nil
		}),
	}
}

func (a *Action) isUndoable() bool {
	return (a.State == Finished || a.State == Stopped) && a.Changed > 0
}

// readForm reads the form of an action.
func readForm(g *form.Group) *Action {
	a := &Action{Kind: g.Choice("action", kindNames(), form.NotBlank)}
	if k := findKind(a.Kind); k != nil {
		k.read(g, &a.Details)
	} else {
		for _, k := range kinds { // for the description of the form
			k.read(g, &Details{})
		}
	}
	a.Selection.Customers = db.Distinct(g.UUIDs("customers"))
	a.Selection.All = g.Checkbox("all")
	a.Selection.Filter = strings.TrimPrefix(g.Text("filter", form.MaxLength(filterLimit)), "?")
	switch chosen := len(a.Selection.Customers); {
	case g.Failed("customers"):
	case a.Selection.All && chosen > 0:
		g.AddError("customers", errTwoChoice)
	case !a.Selection.All && chosen == 0:
		g.AddError("customers", errNobody)
	case chosen > ChosenLimit:
		g.AddError("customers", form.TooMany.With(ChosenLimit))
	}
	if a.everybody = a.Selection.Filter == everybody; a.everybody || !a.Selection.All {
		a.Selection.Filter = ""
	}
	return a
}

// everybody is the filter that selects all customers. An empty one may be a mistake.
const everybody = "everybody"

const filterLimit = 4_000 // characters

// permitted reports whether the caller may carry out actions of a kind.
func permitted(c *api.Call, name string) bool {
	k := findKind(name)
	return k != nil && !slices.ContainsFunc(k.resources, func(of string) bool {
		return !c.Caller.Allowed(of, access.Modify)
	})
}

// request is an action to start, and the form that it was read from.
type request struct {
	Action
	form *form.Group
}

func (svc *Service) readRequest(c *api.Call, g *form.Group) (request, error) {
	a := readForm(g)
	if !g.Failed("action") && !permitted(c, a.Kind) {
		return request{}, fault.ErrForbidden
	}
	if g.Err() != nil {
		return request{}, nil
	}
	return request{*a, g}, svc.stepUp(c, g, *a)
}

func (svc *Service) create(w *api.Writing, r request) (actionView, error) {
	a := r.Action
	a.StoreKey, a.ID, a.State, a.CreatedAt = w.Store.Key, w.Tx.NewID(), Running, w.Tx.Now()
	a.CreatedBy = Author{w.Caller.ID, w.Caller.Username, w.Caller.Permanent}
	if err := svc.count(w.Call, w.Tx, r.form, &a); err != nil {
		return actionView{}, err
	}
	if id := a.Details.SegmentID; id != "" {
		if _, err := svc.segments.List(w.Tx, w.Store, id); err != nil {
			return actionView{}, err
		}
	}
	w.Entry().SetCreated(a.ID)
	w.Tx.AfterCommit(func() { svc.wakeups.Wake(w.Store) })
	return newView(w.Call, &a), table.Insert(w.Tx, &a)
}

// stepUp counts the points that the action moves in all, of which many need a second factor.
func (svc *Service) stepUp(c *api.Call, g *form.Group, a Action) error {
	if a.Details.Points == 0 {
		return nil
	}
	err := c.Read(func(tx *db.Tx) error {
		a.CreatedAt = tx.Now()
		return svc.count(c, tx, g, &a)
	})
	if err != nil {
		return err
	}
	each, all := int64(a.Details.Points), int64(api.AllPoints)
	if each <= all/a.Total {
		all = each * a.Total
	}
	return c.StepUpPoints(all)
}

// count counts the customers whom an action selects. The matches of a search become chosen customers.
func (svc *Service) count(c *api.Call, tx *db.Tx, g *form.Group, a *Action) (err error) {
	limit := int64(CustomersLimit)
	if a.Selection.All {
		limit, err = svc.countFiltered(c, tx, g, a)
	} else {
		err = countChosen(c, tx, g, a)
	}
	switch {
	case err != nil:
		return err
	case g.Failed("filter") || g.Failed("customers"):
	case a.Total == 0:
		g.AddFormError(errNobody)
	case a.Total > limit:
		g.AddFormError(errTooMany.With(limit))
	}
	return g.Err()
}

// countChosen counts the customers whom an action names. All of them must exist: the results are stored by customer.
func countChosen(c *api.Call, tx *db.Tx, g *form.Group, a *Action) error {
	found, err := customer.FindAll(tx, c.Store.Key, a.Selection.Customers...)
	for _, id := range a.Selection.Customers {
		if found[id] == nil && err == nil {
			g.AddError("customers", errUnknownCustomer.With(id))
			break
		}
	}
	a.Total = int64(len(a.Selection.Customers))
	return err
}

// filterFields describes the filters of an action.
var filterFields = sync.OnceValue(func() []*form.Field { return form.Describe(customer.DescribeFilter) })

// countFiltered counts the customers whom a filter selects, and returns how many there may be. What the list of
// customers passes over is refused, because the action would be done to everybody.
func (svc *Service) countFiltered(c *api.Call, tx *db.Tx, g *form.Group, a *Action) (limit int64, err error) {
	query, err := form.ParseQuery(a.Selection.Filter)
	if err != nil {
		return 0, err
	}
	f, err := customerapi.Filter(tx, query, a.CreatedAt, c.Store)
	if err != nil {
		return 0, err
	}
	for _, ignored := range form.IgnoredIn(query, filterFields(), f.Unread...) {
		g.AddError("filter", errFilter.With(ignored.Name))
	}
	words := query.Child("q").Text()
	switch {
	case g.Failed("filter"):
	case words != "":
		var ids []string
		ids, a.Total, err = customer.SearchIDs(tx, c.Store.Key, words, ChosenLimit, 0)
		a.Selection = Selection{Customers: db.Distinct(ids)}
		return ChosenLimit, err
	case f.SelectsAll() && !a.everybody:
		g.AddError("filter", errEverybody)
	default:
		a.Total, err = f.Count(tx, c.Store.Key)
	}
	return CustomersLimit, err
}

func (svc *Service) change(do func(tx *db.Tx, a *Action) error) func(w *api.Writing) (actionView, error) {
	return func(w *api.Writing) (actionView, error) {
		id, err := w.PathUUID("bulkAction")
		if err != nil {
			return actionView{}, err
		}
		a, err := lockAction(w.Tx, w.Store.Key, id)
		if err != nil {
			return actionView{}, err
		}
		if !permitted(w.Call, a.Kind) {
			return actionView{}, fault.ErrForbidden
		}
		if err := do(w.Tx, a); err != nil {
			return actionView{}, err
		}
		w.Tx.AfterCommit(func() { svc.wakeups.Wake(w.Store) })
		return newView(w.Call, a), save(w.Tx, a)
	}
}

type viewList struct {
	Actions []actionView `json:"bulkActions"`
	Total   int64        `json:"total"`
}

// actionView is the JSON of an action: docs/behaviour/bulk-actions.md#progress.
type actionView struct {
	ActionID string `json:"bulkActionId"`
	Action   string `json:"action"`
	State    string `json:"state" enum:"running,finished,stopped,undoing,undone"`
	Details
	Total      int64   `json:"total"`
	Visited    int64   `json:"visited"`
	Changed    int64   `json:"changed"`
	Undoable   bool    `json:"undoable"` // by the caller
	Undone     int64   `json:"undone"`
	Remaining  int64   `json:"remaining"`
	CreatedBy  string  `json:"createdBy"`
	CreatedAt  string  `json:"createdAt"`
	FinishedAt *string `json:"finishedAt,omitempty"`
}

func newView(c *api.Call, a *Action) actionView {
	return actionView{
		ActionID: a.ID, Action: a.Kind, State: a.State, Details: a.Details, Total: a.Total, Visited: a.Visited,
		Changed: a.Changed, Undoable: a.isUndoable() && permitted(c, a.Kind), Undone: a.Undone, Remaining: a.Remaining,
		CreatedBy: a.CreatedBy.Name, CreatedAt: api.Timestamp(a.CreatedAt, c.Store.Zone),
		FinishedAt: api.OptionalTimestamp(a.FinishedAt, c.Store.Zone),
	}
}

func listActions(r *api.Reading, page api.Page) (viewList, error) {
	found, total, err := listPage(r.Tx, r.Store.Key, page.Limit, page.Offset)
	list := viewList{[]actionView{}, total}
	for i := range found {
		list.Actions = append(list.Actions, newView(r.Call, &found[i]))
	}
	return list, err
}

// showAction shows the progress, with "Prefer: wait=10" once the action has ended, or after 10 seconds.
func showAction(c *api.Call) (actionView, error) {
	id, err := c.PathUUID("bulkAction")
	if err != nil {
		return actionView{}, err
	}
	var a *Action
	err = c.Await(func() (ended bool, err error) {
		err = c.Read(func(tx *db.Tx) (err error) {
			a, err = findAction(tx, c.Store.Key, id)
			return err
		})
		return err != nil || a.State != Running && a.State != Undoing, err
	})
	if err != nil {
		return actionView{}, err
	}
	return newView(c, a), nil
}

type leftList struct {
	Customers []leftView `json:"customers"`
	Total     int64      `json:"total"`
}

// leftView is a customer to whom nothing was done, or from whom it was not taken back as a whole.
type leftView struct {
	CustomerID string `json:"customerId"`
	Reason     string `json:"reason"`
}

const leftEffects = `FROM bulk_effects WHERE store_id = ? AND action_id = ?
	AND (result <> 'done' OR outcome NOT IN ('', 'undone'))`

func listLeft(r *api.Reading, page api.Page) (list leftList, err error) {
	id, err := r.PathUUID("bulkAction")
	if err != nil {
		return list, err
	}
	if _, err := findAction(r.Tx, r.Store.Key, id); err != nil {
		return list, err
	}
	if list.Total, err = db.Value[int64](r.Tx, `SELECT COUNT(*) `+leftEffects, r.Store.Key, id); err != nil {
		return list, err
	}
	found, err := effectTable.All(r.Tx, `SELECT * `+leftEffects+`
		ORDER BY customer_id LIMIT ? OFFSET ?`, r.Store.Key, id, page.Limit, page.Offset)
	list.Customers = make([]leftView, len(found))
	for i, e := range found {
		list.Customers[i] = leftView{e.customerID, e.result}
		if e.result == done {
			list.Customers[i].Reason = e.outcome
		}
	}
	return list, err
}
