package api

import (
	"cmp"
	"errors"
	"strings"

	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Operation reads the input of a call, runs a function in one transaction, and responds with the output of that. The
// types of input and output describe the endpoint.
type Operation struct {
	handle      func(*Call) error
	query, form func(*form.Group)
	response    any
}

// Reading is a call within its snapshot of the database.
type Reading struct {
	*Call
	Tx *db.Tx
}

// Writing is a call within its transaction, which may run again from its beginning.
type Writing struct {
	*Call
	Tx *db.Tx

	then func()
}

// Then lets f run after the transaction, before the response is sent. A dry run leaves it out.
func (w *Writing) Then(f func()) { w.then = f }

// Entry returns the entry of the audit log that the call writes.
func (w *Writing) Entry() *audit.Entry { return audit.Of(w.Tx) }

// Nothing is the output of operations that respond with 200 and no body.
type Nothing struct{}

// Tell returns an operation that needs neither input nor a transaction.
func Tell[Out any](tell func(c *Call) (Out, error)) Operation {
	return Respond(noInput, func(c *Call, _ struct{}) (Out, error) { return tell(c) })
}

// Respond returns an operation that needs no transaction, or has transactions of its own.
func Respond[In, Out any](input Input[In], respond func(c *Call, in In) (Out, error)) Operation {
	return operation[Out](input, func(c *Call) error {
		in, g, err := input.valid(c)
		if err != nil {
			return err
		}
		out, err := respond(c, in)
		if err != nil {
			return inForm(g, err)
		}
		return c.send(out)
	})
}

// Show returns an operation that reads, and needs no input.
func Show[Out any](read func(r *Reading) (Out, error)) Operation {
	return Read(noInput, func(r *Reading, _ struct{}) (Out, error) { return read(r) })
}

// Read returns an operation that reads.
func Read[In, Out any](input Input[In], read func(r *Reading, in In) (Out, error)) Operation {
	return Respond(input, func(c *Call, in In) (out Out, err error) {
		err = c.Read(func(tx *db.Tx) (err error) {
			out, err = read(&Reading{c, tx}, in)
			return err
		})
		return out, err
	})
}

// Act returns an operation that writes, and needs no input.
func Act[Out any](run func(w *Writing) (Out, error)) Operation {
	return Write(noInput, func(w *Writing, _ struct{}) (Out, error) { return run(w) })
}

// Write returns an operation that writes. A form with errors is refused before its transaction.
func Write[In, Out any](input Input[In], run func(w *Writing, in In) (Out, error)) Operation {
	return operation[Out](input, func(c *Call) error {
		in, g, err := input.valid(c)
		if err != nil {
			return err
		}
		return write(c, g, func(w *Writing) (Out, error) { return run(w, in) })
	})
}

// WriteTo returns an operation that changes the object that the path names. If there is none, that is reported before
// errors of the form and of an If-Match. find only reads.
func WriteTo[Object, In, Out any](find func(w *Writing) (Object, error), input Input[In],
	run func(w *Writing, of Object, in In) (Out, error)) Operation {
	return operation[Out](input, func(c *Call) error {
		in, g, err := input.valid(c)
		if err != nil || c.Header["If-Match"] != nil {
			missing := c.Read(func(tx *db.Tx) error {
				_, err := find(&Writing{Call: c, Tx: tx})
				return err
			})
			if err = cmp.Or(missing, err); err != nil {
				return err
			}
		}
		return write(c, g, func(w *Writing) (out Out, err error) {
			of, err := find(w)
			if err != nil {
				return out, err
			}
			return run(w, of, in)
		})
	})
}

func write[Out any](c *Call, g *form.Group, run func(w *Writing) (Out, error)) error {
	var out Out
	var w *Writing
	err := c.Write(func(tx *db.Tx) (err error) {
		w = &Writing{Call: c, Tx: tx}
		out, err = run(w)
		return err
	}, func() error { return c.send(out) })
	if err == nil && w.then != nil && !db.IsDry(c.Context()) {
		w.then()
	}
	return inForm(g, err)
}

// Guessing returns the operation for callers who may guess only so often: those whose error isWrong reports count.
func (o Operation) Guessing(g Guesses, isWrong func(err error) bool) Operation {
	handle := o.handle
	o.handle = func(c *Call) error {
		return c.Guess(g, func() (wrong bool, err error) {
			err = handle(c)
			return isWrong(err), err
		})
	}
	return o
}

func operation[Out, In any](input Input[In], handle func(*Call) error) Operation {
	var out Out
	response := any(out)
	if _, empty := response.(Nothing); empty {
		response = nil
	}
	return Operation{handle, input.query, input.form, response}
}

// send responds with the output of an operation.
func (c *Call) send(out any) error {
	switch out.(type) {
	case NoContent:
		return c.NoContent()
	case Nothing:
		return c.Done()
	}
	return c.OK(out)
}

// Input is how an operation reads the query or the body of a call, which describes them as well.
type Input[In any] struct {
	query, form func(*form.Group)
	read        func(c *Call) (In, *form.Group, error) // the group has the errors of the form
}

// valid reads the input, or returns the errors of its form.
func (i Input[In]) valid(c *Call) (In, *form.Group, error) {
	in, g, err := i.read(c)
	if err == nil {
		err = g.Err()
	}
	return in, g, err
}

// After returns the input that is read after a check, such as whether there is the object that the path names.
func (i Input[In]) After(check func(c *Call) error) Input[In] {
	read := i.read
	i.read = func(c *Call) (in In, g *form.Group, err error) {
		if err := check(c); err != nil {
			return in, nil, err
		}
		return read(c)
	}
	return i
}

// Also describes further fields of the body, which the operation reads.
func (i Input[In]) Also(fields func(g *form.Group)) Input[In] {
	described := i.form
	i.form = func(g *form.Group) {
		described(g)
		fields(g)
	}
	return i
}

// Unchecked is an input with the form that it was read from. The form may have errors, which the operation reports.
type Unchecked[In any] struct {
	In   In
	Form *form.Group
}

// LeaveErrors leaves the errors of a form to the operation, which reports something else before them, or only some.
func LeaveErrors[In any](input Input[In]) Input[Unchecked[In]] {
	return Input[Unchecked[In]]{input.query, input.form, func(c *Call) (Unchecked[In], *form.Group, error) {
		in, g, err := input.read(c)
		return Unchecked[In]{in, g}, form.Read(nil), err
	}}
}

var noInput = InCall(nil, func(*Call) (struct{}, error) { return struct{}{}, nil })

// Body reads the fields of the body below a name; of the body itself if the name is empty.
func Body[In any](name string, read func(g *form.Group) In) Input[In] {
	return BodyInCall(name, func(_ *Call, g *form.Group) (In, error) { return read(g), nil }, Reads(read))
}

// BodyInStore reads fields whose meaning depends on the store, such as times without a zone.
func BodyInStore[In any](name string, read func(g *form.Group, s *store.Store) In) Input[In] {
	return BodyInCall(name, func(c *Call, g *form.Group) (In, error) { return read(g, c.Store), nil },
		func(g *form.Group) { read(g, store.Example) })
}

// BodyInLanguages reads fields with translations into the languages of the installation.
func BodyInLanguages[In any](name string, read func(g *form.Group, l store.Languages, s *store.Store) In) Input[In] {
	return BodyInCall(name, func(c *Call, g *form.Group) (in In, err error) {
		languages, err := c.Stores().Languages(c.Context())
		if err != nil {
			return in, err
		}
		return read(g, languages, c.Store), nil
	}, func(g *form.Group) { read(g, store.ExampleLanguages, store.Example) })
}

// BodyInCall reads fields with something else of the call, or with work that has to come before the transaction, such
// as checking a picture.
func BodyInCall[In any](name string, read func(c *Call, g *form.Group) (In, error), describe func(g *form.Group),
) Input[In] {
	var path []string
	if name != "" {
		path = []string{name}
	}
	return Input[In]{
		form: func(g *form.Group) {
			if name != "" {
				g = g.Group(name)
			}
			describe(g)
		},
		read: func(c *Call) (in In, g *form.Group, err error) {
			body, err := c.Body()
			if err != nil {
				return in, nil, err
			}
			g = form.Read(body, path...)
			in, err = read(c, g)
			return in, g, err
		},
	}
}

// UnreadBody leaves it to the operation to read the body, because what that may hold depends on the database. The
// operation reads it again if its transaction has to be repeated.
func UnreadBody(describe func(g *form.Group)) Input[*form.Node] {
	return Input[*form.Node]{form: describe, read: func(c *Call) (*form.Node, *form.Group, error) {
		body, err := c.Body()
		return body, form.Read(nil), err
	}}
}

// BodyOrQuery reads fields of the body or else of the query, by Call.Input.
func BodyOrQuery[In any](describe func(g *form.Group), read func(c *Call) (In, error)) Input[In] {
	i := InCall(describe, read)
	i.form = describe
	return i
}

// SingleField reads a single field, which must not be blank, from the body or else from the query.
func SingleField[In any](name string, read func(text string) (In, *fault.Error)) Input[In] {
	describe := func(g *form.Group) { g.Text(name, form.NotBlank) }
	return Input[In]{query: describe, form: describe, read: func(c *Call) (in In, g *form.Group, err error) {
		sent, err := c.Input(name)
		if err != nil {
			return in, nil, err
		}
		g = form.Read(nil)
		g.Ignore(name)
		text, problem := strings.TrimSpace(sent.Text()), form.Blank
		if text != "" {
			in, problem = read(text)
		}
		if problem != nil {
			g.AddError(name, problem)
		}
		return in, g, nil
	}}
}

// InLocale reads the language of translated texts.
var InLocale = InCall(LocaleQuery, (*Call).Locale)

// InPages reads the page of a list with these sortable columns.
func InPages[C any](columns map[string]C) Input[Page] {
	return InCall(PageQuery(columns), (*Call).Page)
}

// InFilteredPages reads the page and the filters of a list without translated texts.
func InFilteredPages[C any](columns map[string]C, filters ...func(q *form.Group)) Input[ListRequest] {
	return InCall(PageQuery(columns, filters...), (*Call).ListRequest)
}

// InList reads the page, the filters and the language of a list with these sortable columns.
func InList[C any](columns map[string]C, filters ...func(q *form.Group)) Input[ListRequest] {
	return InCall(ListQuery(columns, filters...), (*Call).ListRequest)
}

// InCall reads anything of a call but its body. query describes the parameters of the query among it; nil for none.
func InCall[In any](query func(q *form.Group), read func(c *Call) (In, error)) Input[In] {
	return Input[In]{query: query, read: func(c *Call) (In, *form.Group, error) {
		in, err := read(c)
		return in, form.Read(nil), err
	}}
}

// Refuse returns an error of a field of the form that only the database shows, such as a name that is taken. A field in
// a group is named group.field.
func (c *Call) Refuse(field string, problem *fault.Error) error {
	return &refusedField{field, problem}
}

// refusedField becomes an error of the form after the transaction, which may run more than once.
type refusedField struct {
	name    string
	problem *fault.Error
}

func inForm(g *form.Group, err error) error {
	refused, is := errors.AsType[FieldError](err)
	if !is {
		return err
	}
	refused.AddTo(g)
	return g.Err()
}

// FieldError is an error of fields of a form that only the database shows.
type FieldError interface {
	error
	AddTo(g *form.Group)
}

// AddTo adds the error to the form.
func (r *refusedField) AddTo(g *form.Group) {
	path := strings.Split(r.name, ".")
	for len(path) > 1 {
		g, path = g.Group(path[0]), path[1:]
	}
	g.AddError(path[0], r.problem)
}

func (r *refusedField) Error() string { return r.name + ": " + r.problem.Error() }

// PathID returns an id of the path in lower case, as ids are stored.
func (c *Call) PathID(name string) string { return strings.ToLower(c.PathValue(name)) }

// PathUUID is PathID for ids that are UUIDs. Nothing is found by anything else.
func (c *Call) PathUUID(name string) (string, error) {
	id := c.PathID(name)
	if !form.IsUUID(id) {
		return "", fault.ErrNotFound
	}
	return id, nil
}

// complete returns the endpoint with what its operation says about it.
func (e Endpoint) complete() Endpoint {
	if do := e.Do; do.handle != nil {
		e.Handle, e.Query, e.Form, e.Response = do.handle, do.query, do.form, do.response
	}
	return e
}

// Complete returns endpoints with what their operations say about them.
func Complete(endpoints []Endpoint) []Endpoint {
	all := make([]Endpoint, len(endpoints))
	for i := range endpoints {
		all[i] = endpoints[i].complete()
	}
	return all
}
