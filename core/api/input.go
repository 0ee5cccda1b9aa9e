package api

import (
	"punchcard/core/store"
	"punchcard/platform/form"
)

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

// Given is an input with what was found out before it was read.
type Given[First, In any] struct {
	First First
	In    In
}

// Following returns the input that is read after something else, such as the rights of the caller, which the operation
// needs, too.
func Following[First, In any](first func(c *Call) (First, error), input Input[In]) Input[Given[First, In]] {
	return Input[Given[First, In]]{input.query, input.form,
		func(c *Call) (given Given[First, In], g *form.Group, err error) {
			if given.First, err = first(c); err != nil {
				return given, nil, err
			}
			given.In, g, err = input.read(c)
			return given, g, err
		}}
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

// AlsoQuery describes parameters of the query, which the operation reads.
func (i Input[In]) AlsoQuery(parameters func(q *form.Group)) Input[In] {
	i.query = parameters
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

// NoInput reads nothing.
var NoInput = InCall(nil, func(*Call) (struct{}, error) { return struct{}{}, nil })

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

// LenientBody is Body for fields whose errors do not count, because what is malformed is as unknown as any other value.
func LenientBody[In any](name string, read func(g *form.Group) In) Input[In] {
	i := Body(name, read)
	strict := i.read
	i.read = func(c *Call) (In, *form.Group, error) {
		in, _, err := strict(c)
		return in, form.Read(nil), err
	}
	return i
}

// Prepared is an input that needs more before the transaction, once its form has no errors: what takes long, such as
// hashing a password, or has transactions of its own.
func Prepared[In, Out any](input Input[In], prepare func(c *Call, in In) (Out, error)) Input[Out] {
	return Input[Out]{query: input.query, form: input.form, read: func(c *Call) (out Out, g *form.Group, err error) {
		in, g, err := input.valid(c)
		if err != nil {
			return out, g, err
		}
		out, err = prepare(c, in)
		return out, g, inForm(g, err)
	}}
}

// DescribedAs returns the input with other descriptions of query and body.
func (i Input[In]) DescribedAs(query, body func(g *form.Group)) Input[In] {
	i.query, i.form = query, body
	return i
}

// SingleField reads a form of one field, which clients may send in the body or else in the query.
func SingleField[In any](name string, read func(g *form.Group) In) Input[In] {
	return Input[In]{query: Reads(read), form: Reads(read), read: func(c *Call) (in In, g *form.Group, err error) {
		sent, err := c.Body()
		if err == nil && !sent.Has(name) {
			sent, err = c.Query()
		}
		if err != nil {
			return in, nil, err
		}
		g = form.Read(sent)
		in = read(g)
		return in, g, nil
	}}
}

// Query reads parameters of the query, whose errors are those of a form.
func Query[In any](read func(q *form.Group) In) Input[In] {
	return Input[In]{query: Reads(read), read: func(c *Call) (in In, q *form.Group, err error) {
		query, err := c.Query()
		if err != nil {
			return in, nil, err
		}
		q = form.Read(query)
		in = read(q)
		return in, q, nil
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
