package main

import (
	"math"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// took is an operation of a made-up history, from one moment to another; until 0 means that no response came.
func took(from, until int64, in, out any) porcupine.Operation {
	if until == 0 {
		until = math.MaxInt64
	}
	return porcupine.Operation{Input: in, Output: out, Call: from, Return: until}
}

// What one balance can do is accepted, and what it can never do is found.
func TestHistoriesOfAccounts(t *testing.T) {
	add := func(from, until int64, value int, r reply) porcupine.Operation {
		return took(from, until, accountInput{value: value}, accountOutput{reply: r})
	}
	read := func(from, until int64, balance int) porcupine.Operation {
		return took(from, until, accountInput{read: true}, accountOutput{balance: balance})
	}
	for name, c := range map[string]struct {
		wants   porcupine.CheckResult
		history []porcupine.Operation
	}{
		"one after the other": {porcupine.Ok, []porcupine.Operation{
			add(1, 2, 10, replyDone), add(3, 4, -7, replyDone), add(5, 6, -7, replyPoints), read(7, 8, 3)}},
		"at the same time": {porcupine.Ok, []porcupine.Operation{
			add(1, 2, 10, replyDone), add(3, 9, -7, replyDone), add(3, 9, -7, replyPoints), read(4, 5, 10), read(6, 7, 3)}},
		"double spend": {porcupine.Illegal, []porcupine.Operation{
			add(1, 2, 10, replyDone), add(3, 9, -7, replyDone), add(3, 9, -7, replyDone)}},
		"refused without a reason": {porcupine.Illegal, []porcupine.Operation{
			add(1, 2, 10, replyDone), add(3, 4, -7, replyPoints)}},
		"lost": {porcupine.Illegal, []porcupine.Operation{
			add(1, 2, 10, replyDone), add(3, 4, 5, replyDone), read(5, 6, 10)}},
		"stale read": {porcupine.Illegal, []porcupine.Operation{
			add(1, 2, 10, replyDone), add(3, 9, 5, replyDone), read(4, 5, 15), read(6, 7, 10)}},
		"without a response, done": {porcupine.Ok, []porcupine.Operation{
			add(1, 2, 10, replyDone), add(3, 0, -7, replyUnknown), read(5, 6, 10), read(7, 8, 3)}},
		"without a response, never done": {porcupine.Ok, []porcupine.Operation{
			add(1, 2, 10, replyDone), add(3, 0, -7, replyUnknown), read(7, 8, 10), add(9, 10, -7, replyDone)}},
		"without a response, done twice": {porcupine.Illegal, []porcupine.Operation{
			add(1, 2, 20, replyDone), add(3, 0, -7, replyUnknown), read(5, 6, 13), read(7, 8, 6)}},
		"without a response, undone": {porcupine.Illegal, []porcupine.Operation{
			add(1, 2, 10, replyDone), add(3, 0, -7, replyUnknown), read(5, 6, 3), read(7, 8, 10)}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := porcupine.CheckOperationsTimeout(accountModel, c.history, checkLimit); got != c.wants {
				t.Errorf("%s, want %s", got, c.wants)
			}
		})
	}
}

// What one campaign with codes can do is accepted, and what it can never do is found.
func TestHistoriesOfCodes(t *testing.T) {
	buy := func(from, until int64, customer, quantity int, r reply, codes string) porcupine.Operation {
		return took(from, until, shelfInput{customer: customer, quantity: quantity}, shelfOutput{reply: r, codes: codes})
	}
	limit := func(from, until int64, limit int, r reply) porcupine.Operation {
		return took(from, until, shelfInput{limit: limit}, shelfOutput{reply: r})
	}
	left := func(from, until int64, left int) porcupine.Operation {
		return took(from, until, shelfInput{}, shelfOutput{left: left})
	}
	two := limit(1, 2, 2, replyDone) // two coupons in all
	for name, c := range map[string]struct {
		wants   porcupine.CheckResult
		history []porcupine.Operation
	}{
		"up to the limit": {porcupine.Ok, []porcupine.Operation{
			two, buy(3, 9, 0, 1, replyDone, "[1]"), buy(3, 9, 1, 1, replyDone, "[0]"), buy(3, 9, 2, 1, replyLimit, "[]"),
			left(10, 11, 0)}},
		"raised limit": {porcupine.Ok, []porcupine.Operation{
			two, buy(3, 4, 0, 3, replyLimit, "[]"), limit(5, 6, 3, replyDone), buy(7, 8, 0, 3, replyDone, "[0 1 2]")}},
		"oversold": {porcupine.Illegal, []porcupine.Operation{
			two, buy(3, 9, 0, 1, replyDone, "[0]"), buy(3, 9, 1, 1, replyDone, "[1]"), buy(3, 9, 2, 1, replyDone, "[2]")}},
		"code sold twice": {porcupine.Illegal, []porcupine.Operation{
			two, buy(3, 9, 0, 1, replyDone, "[0]"), buy(3, 9, 1, 1, replyDone, "[0]")}},
		"later code before an earlier one": {porcupine.Illegal, []porcupine.Operation{
			two, buy(3, 4, 0, 1, replyDone, "[1]"), buy(5, 6, 1, 1, replyDone, "[0]")}},
		"refused while some are left": {porcupine.Illegal, []porcupine.Operation{
			two, buy(3, 4, 0, 1, replyDone, "[0]"), buy(5, 6, 1, 1, replyLimit, "[]")}},
		"over the limit of a customer": {porcupine.Illegal, []porcupine.Operation{
			limit(1, 2, codesOfRound, replyDone), buy(3, 4, 0, limitPerCustomer, replyUnknown, "[]"), left(5, 6, 0)}},
		"one customer's limit": {porcupine.Ok, []porcupine.Operation{
			limit(1, 2, codesOfRound, replyDone), buy(3, 4, 0, limitPerCustomer+1, replyUserLimit, "[]"),
			left(5, 6, codesOfRound)}},
		"without a response, sold": {porcupine.Ok, []porcupine.Operation{
			two, buy(3, 0, 0, 1, replyUnknown, "[]"), left(4, 5, 2), left(6, 7, 1), buy(8, 9, 1, 1, replyDone, "[1]")}},
		"without a response, never sold": {porcupine.Ok, []porcupine.Operation{
			two, buy(3, 0, 0, 1, replyUnknown, "[]"), buy(8, 9, 1, 2, replyDone, "[0 1]")}},
		"without a response, sold twice": {porcupine.Illegal, []porcupine.Operation{
			two, buy(3, 0, 0, 1, replyUnknown, "[]"), left(6, 7, 0)}},
		"new limit without a response": {porcupine.Ok, []porcupine.Operation{
			two, limit(3, 0, 5, replyUnknown), left(4, 5, 2), left(6, 7, 5)}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := porcupine.CheckOperationsTimeout(shelfModel, c.history, checkLimit); got != c.wants {
				t.Errorf("%s, want %s", got, c.wants)
			}
		})
	}
}

// A call takes effect between its request and its result. A repeated one whose response was not
// stored did so at the last try.
func TestSpanOfCalls(t *testing.T) {
	epoch := time.Now()
	at := func(seconds int64) time.Time { return epoch.Add(time.Duration(seconds)) }
	tried := func(o outcome, replayed bool, attempts ...int64) *call {
		c := &call{outcome: o, replayed: replayed, answered: at(9)}
		for _, try := range attempts {
			c.begin(at(try))
		}
		return c
	}
	for name, c := range map[string]struct {
		call     *call
		from, to int64
	}{
		"answered":              {tried(acknowledged, false, 1), 1, 9},
		"without a response":    {tried(unknown, false, 1, 2), 1, math.MaxInt64},
		"repeated and replayed": {tried(acknowledged, true, 1, 2, 5), 1, 9},
		"repeated and done now": {tried(acknowledged, false, 1, 2, 5), 5, 9},
	} {
		t.Run(name, func(t *testing.T) {
			if from, to := c.call.span(epoch); from != c.from || to != c.to {
				t.Errorf("from %d to %d, want %d to %d", from, to, c.from, c.to)
			}
		})
	}
}
