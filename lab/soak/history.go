package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// checkLimit limits the time for one history. The check takes exponential time at worst; a history
// that takes longer counts as undecided.
const checkLimit = 20 * time.Second

// reply is the outcome of an operation in a history, as far as its client knows.
type reply string

const (
	replyDone      reply = "done"
	replyUnknown   reply = "no response" // it may take effect at any later time, or never
	replyPoints    reply = "Not enough points"
	replyLimit     reply = "Limit exceeded"
	replyUserLimit reply = "Limit per customer exceeded"
	replyCodes     reply = "No coupons left"
	replyOther     reply = "refused for another reason"
)

// reply classifies the outcome of a call.
func (c *call) reply() reply {
	switch c.outcome {
	case acknowledged:
		return replyDone
	case refused:
		// The form of transfers refuses a spend in other words: "not enough points".
		for _, r := range []reply{replyPoints, replyUserLimit, replyLimit, replyCodes} {
			if strings.Contains(strings.ToLower(c.body), strings.ToLower(string(r))) {
				return r
			}
		}
		return replyOther
	}
	return replyUnknown
}

// span returns the interval in which the call took effect, if it did, in nanoseconds since the
// epoch. A repeated call whose response was stored took effect between the first attempt and the
// last response: PostgreSQL may commit the transaction of a killed server while the repetition
// waits for it. If the response was not stored, the last attempt took effect. A call without a
// response may take effect at any later time.
func (c *call) span(epoch time.Time) (from, to int64) {
	first := c.sent
	if !c.last.IsZero() && !c.replayed && c.outcome != unknown {
		first = c.last
	}
	if c.outcome == unknown {
		return first.Sub(epoch).Nanoseconds(), math.MaxInt64
	}
	return first.Sub(epoch).Nanoseconds(), c.answered.Sub(epoch).Nanoseconds()
}

// observation is a value that was read during the load.
type observation struct {
	of             string // id of a customer or of the campaign with codes
	value          int
	client         int
	sent, answered time.Time
}

// move is a change to the balance of a customer.
type move struct {
	customer string
	value    int
}

// accountInput is an operation on one balance.
type accountInput struct {
	read  bool
	value int
}

// accountOutput is the response; balance is set for a read only.
type accountOutput struct {
	reply   reply
	balance int
}

// accountModel is the balance of one customer, which is never negative. Only a spend above the
// balance is refused.
var accountModel = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		balance, in, out := state.(int), input.(accountInput), output.(accountOutput)
		switch enough := balance+in.value >= 0; {
		case in.read:
			return out.balance == balance, balance
		case out.reply == replyPoints:
			return !enough, balance
		case out.reply == replyUnknown && !enough:
			return true, balance
		default:
			return enough, balance + in.value
		}
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v: %+v", input, output) },
	DescribeState:     func(state any) string { return fmt.Sprint(state) },
}

// shelfInput is an operation on the campaign with codes: a purchase, a new limit or, with neither,
// a read of what is left.
type shelfInput struct {
	customer, quantity int
	limit              int
}

// shelfOutput is the response: the positions of the codes sold, or what is left.
type shelfOutput struct {
	reply reply
	codes string // positions in the list, in the order of the response
	left  int
}

// shelf is the state of the campaign with codes.
type shelf struct {
	sold, limit int
	bought      [customersOfRound]int
}

// refuses returns which limit refuses a purchase, or nothing.
func (s *shelf) refuses(in shelfInput) reply {
	switch {
	case s.sold+in.quantity > s.limit:
		return replyLimit
	case s.bought[in.customer]+in.quantity > limitPerCustomer:
		return replyUserLimit
	case s.sold+in.quantity > codesOfRound:
		return replyCodes
	}
	return ""
}

// left returns how often the campaign can still be bought.
func (s *shelf) left() int { return max(0, min(s.limit, codesOfRound)-s.sold) }

// next returns the positions of the codes that are sold next.
func (s *shelf) next(quantity int) string {
	places := make([]int, quantity)
	for i := range places {
		places[i] = s.sold + i
	}
	return fmt.Sprint(places)
}

// shelfModel is the campaign with codes, which are sold in the order of the list, up to the limits.
var shelfModel = porcupine.Model{
	Init: func() any { return shelf{limit: firstLimit} },
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(shelf), input.(shelfInput), output.(shelfOutput)
		if in.limit > 0 {
			s.limit = in.limit
			return true, s
		}
		if in.quantity == 0 {
			return out.left == s.left(), s
		}
		why := s.refuses(in)
		switch {
		case out.reply == replyPoints: // checked after the limits and before the codes
			return why == "" || why == replyCodes, s
		case out.reply != replyDone && out.reply != replyUnknown:
			return why == out.reply, s
		case why != "":
			return out.reply == replyUnknown, s
		case out.reply == replyDone && out.codes != s.next(in.quantity):
			return false, s
		}
		s.sold += in.quantity
		s.bought[in.customer] += in.quantity
		return true, s
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v: %+v", input, output) },
	DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
}

// accountHistory returns the operations on the balance of a customer.
func (r *round) accountHistory(customer string, calls []*call) (history []porcupine.Operation) {
	for _, c := range calls {
		for _, m := range c.moves {
			got := c.reply()
			short := got == replyPoints && m.value < 0
			if m.customer != customer || c.outcome == unsent || got != replyDone && got != replyUnknown && !short {
				continue
			}
			history = append(history, r.operation(c, accountInput{value: m.value}, accountOutput{reply: got}))
		}
	}
	return append(history, r.reads(customer, accountInput{read: true},
		func(value int) any { return accountOutput{balance: value} })...)
}

// shelfHistory returns the operations on the campaign with codes.
func (r *round) shelfHistory(calls []*call) (history []porcupine.Operation) {
	for _, c := range calls {
		got := c.reply()
		if c.shelf == nil || c.outcome == unsent || got == replyOther {
			continue
		}
		var codes []int
		for _, named := range c.named {
			_, code, _ := strings.Cut(named, " ")
			codes = append(codes, slices.Index(r.codes, code))
		}
		history = append(history, r.operation(c, *c.shelf, shelfOutput{reply: got, codes: fmt.Sprint(codes)}))
	}
	return append(history, r.reads(r.campaigns.scarce, shelfInput{},
		func(value int) any { return shelfOutput{left: value} })...)
}

func (r *round) operation(c *call, in, out any) porcupine.Operation {
	from, to := c.span(r.epoch)
	return porcupine.Operation{ClientId: c.client, Input: in, Output: out, Call: from, Return: to}
}

func (r *round) reads(of string, in any, out func(int) any) (history []porcupine.Operation) {
	for _, o := range r.observations() {
		if o.of == of {
			history = append(history, porcupine.Operation{ClientId: o.client, Input: in, Output: out(o.value),
				Call: o.sent.Sub(r.epoch).Nanoseconds(), Return: o.answered.Sub(r.epoch).Nanoseconds()})
		}
	}
	return history
}

// verifyHistories checks that the operations on each balance and on the campaign with codes are
// linearizable.
func (r *round) verifyHistories(moment string, calls []*call) {
	r.verifyHistory(moment+", the campaign with codes", shelfModel, r.shelfHistory(calls))
	for i := range r.customers {
		id := r.customers[i].id
		r.verifyHistory(moment+", the points of "+id, accountModel, r.accountHistory(id, calls))
	}
}

func (r *round) verifyHistory(what string, model porcupine.Model, history []porcupine.Operation) {
	r.operations += len(history)
	switch result, info := porcupine.CheckOperationsVerbose(model, history, checkLimit); result {
	case porcupine.Unknown:
		r.undecided++
	case porcupine.Illegal:
		picture := filepath.Join(r.folder, fmt.Sprintf("history-%d-%d.html", r.number, len(r.findings)))
		text := "see " + picture
		if err := porcupine.VisualizePath(model, info, picture); err != nil {
			text = err.Error()
		}
		r.addFinding("%s: no order explains %d operations: %s", what, len(history), text)
	}
}
