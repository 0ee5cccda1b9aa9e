package db

// Query is a SELECT with the function that receives its rows.
type Query struct {
	Statement
	read func(Rows) error // called for each row
}

// Select returns a query that passes each row to visit. Every row is a T of its own, whose fields are in column order
// in columns. visit must not use a Tx, because a connection reads one result at a time. $1 in the query stands for the
// first of args; with a List, an Order or a *SQL among args, each ? stands for one of them, as in NewSQL.
func Select[T any](columns func(*T) []any, visit func(T), query string, args ...any) Query {
	var one, blank T
	into := columns(&one) // once, for all rows
	return Query{build(query, args), func(rows Rows) error {
		one = blank
		err := rows.Scan(into...)
		if err == nil {
			visit(one)
		}
		return err
	}}
}

// First lets queries run before the next statement of the operation. PostgreSQL receives them in the same round trip as
// the queries of the next Run.
func (tx *Tx) First(queries ...Query) { tx.first = append(tx.first, queries...) }

// Run runs queries that do not need each other's results, in order, until the first error. PostgreSQL receives all of
// them in one round trip.
func (tx *Tx) Run(queries ...Query) error {
	if len(tx.first) > 0 {
		queries = append(tx.first, queries...)
		tx.first = nil
	}
	if on, able := tx.on.(Pipeline); able && len(queries) > 1 {
		return tx.pipeline(on, queries)
	}
	for _, q := range queries {
		tx.starting(q.Text, q.Args)
		found, err := tx.on.Query(tx.ctx, q.Text, q.Args)
		if err == nil {
			err = q.receive(found)
		}
		if err != nil {
			return StatementError(q.Text, err)
		}
	}
	return nil
}

// receive reads all rows and closes them.
func (q *Query) receive(found Rows) error {
	defer func() { _ = found.Close() }() // the error of an incomplete result is that of Err
	for found.Next() {
		if err := q.read(found); err != nil {
			return err
		}
	}
	return found.Err()
}

func (tx *Tx) pipeline(on Pipeline, queries []Query) (err error) {
	statements := make([]Statement, len(queries))
	for i, q := range queries {
		tx.starting(q.Text, q.Args)
		statements[i] = q.Statement
	}
	results, err := on.Send(tx.ctx, statements...)
	if err != nil {
		return err
	}
	defer func() {
		if closed := results.Close(); err == nil { // otherwise it returns the same error
			err = closed
		}
	}()
	for _, q := range queries {
		found, err := results.Next()
		if err == nil {
			err = q.receive(found)
		}
		if err != nil {
			return StatementError(q.Text, err)
		}
	}
	return nil
}
