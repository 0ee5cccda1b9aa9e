package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"punchcard/core/audit"
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
	writes      bool
}

// IsZero reports whether an endpoint has no operation but a handler.
func (o Operation) IsZero() bool { return o.handle == nil }

// Reading is a call within its snapshot of the database.
type Reading struct {
	*Call
	Tx *db.Tx
}

// Writing is a call within its transaction, which may run again from its beginning.
type Writing struct {
	*Call
	Tx *db.Tx

	then    func()
	explain func(err error) error
}

// Then lets f run after the transaction, before the response is sent. A dry run leaves it out.
func (w *Writing) Then(f func()) { w.then = f }

// Explain lets f replace the error of the transaction after it, such as that of a unique index.
func (w *Writing) Explain(f func(err error) error) { w.explain = f }

// Entry returns the entry of the audit log that the call writes.
func (w *Writing) Entry() *audit.Entry { return audit.Of(w.Tx) }

// Nothing is the output of operations that respond with 200 and no body.
type Nothing struct{}

// Tell returns an operation that needs neither input nor a transaction.
func Tell[Out any](tell func(c *Call) (Out, error)) Operation {
	return Respond(NoInput, func(c *Call, _ struct{}) (Out, error) { return tell(c) })
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
	return Read(NoInput, func(r *Reading, _ struct{}) (Out, error) { return read(r) })
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
	return Write(NoInput, func(w *Writing, _ struct{}) (Out, error) { return run(w) })
}

// Write returns an operation that writes. A form with errors is refused before its transaction.
func Write[In, Out any](input Input[In], run func(w *Writing, in In) (Out, error)) Operation {
	return operation[Out](input, func(c *Call) error {
		in, g, err := input.valid(c)
		if err != nil {
			return err
		}
		return write(c, g, func(w *Writing) (Out, error) { return run(w, in) })
	}).writing()
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
	}).writing()
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
	if err != nil && w != nil && w.explain != nil {
		err = w.explain(err)
	}
	return inForm(g, err)
}

// First returns the operation after a check that comes before reading the input, such as that of a limit.
func (o Operation) First(check func(c *Call) error) Operation {
	handle := o.handle
	o.handle = func(c *Call) error {
		if err := check(c); err != nil {
			return err
		}
		return handle(c)
	}
	return o
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
	return Operation{handle: replying(handle), query: input.query, form: input.form, response: response}
}

func (o Operation) writing() Operation {
	o.writes = true
	return o
}

// DescribedAs returns the operation with another description of its response, whose output is Encoded, a File or of
// several types.
func (o Operation) DescribedAs(response any) Operation {
	o.response = response
	return o
}

// Encoded is an output that is JSON already, which is sent as it is.
type Encoded struct{ json.RawMessage }

// send responds with the output of an operation.
func (c *Call) send(out any) error {
	switch out := out.(type) {
	case File:
		return out.send(c.Request)
	case NoContent:
		return c.NoContent()
	case Nothing:
		return c.Done()
	case Encoded:
		return c.Encoded(out.RawMessage)
	}
	return c.OK(out)
}

// Refuse returns an error of a field of the form that only the database shows, such as a name that is taken. A field in
// a group is named group.field.
func (c *Call) Refuse(field string, problem *fault.Error) error { return RefusedField(field, problem) }

// RefusedField is Call.Refuse in a batch.
func RefusedField(name string, problem *fault.Error) error { return &refusedField{name, problem} }

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

// Reply is an error that ends a call with a response of its own, which has nothing to do with what the operation has
// read or written.
type Reply struct {
	Status int // 0 for 200
	Body   any // nil for none
}

// Error describes the reply for logs, where it should never be.
func (r *Reply) Error() string { return "api: the call has a response of its own" }

func replying(handle func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		err := handle(c)
		r, is := errors.AsType[*Reply](err)
		switch {
		case !is:
			return err
		case r.Body == nil:
			return c.Empty(cmp.Or(r.Status, http.StatusOK))
		}
		return c.JSON(cmp.Or(r.Status, http.StatusOK), r.Body)
	}
}

// RefuseFields returns the error of the fields to which add adds errors that only the database shows; nil if it adds
// none.
func (c *Call) RefuseFields(add func(g *form.Group)) error {
	g := form.Read(nil)
	if add(g); g.Err() == nil {
		return nil
	}
	return &refusedFields{g.Err(), add}
}

type refusedFields struct {
	error
	add func(g *form.Group)
}

// AddTo adds the errors to the form.
func (r *refusedFields) AddTo(g *form.Group) { r.add(g) }

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

// Complete returns endpoints with what their operations say about them. It panics if one says the same itself.
func Complete(endpoints []Endpoint) []Endpoint {
	all := slices.Clone(endpoints)
	for i := range all {
		e := &all[i]
		if e.Do.IsZero() {
			continue
		}
		if e.Handle != nil || e.Query != nil || e.Form != nil || e.Response != nil {
			panic(fmt.Sprintf("api: %s %s says what its operation says", e.Method, e.Path))
		}
		e.Handle, e.Query, e.Form, e.Response = e.Do.handle, e.Do.query, e.Do.form, e.Do.response
	}
	return all
}
