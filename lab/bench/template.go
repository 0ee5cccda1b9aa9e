package main

import (
	"math/rand/v2"
	"regexp"
	"strconv"
)

// template is the body of requests that differ in some places:
//
//	{n}     a number that no other request has
//	{i}     the number of a customer, drawn for each request
//	{j}     the number of another customer
//	{item}  the next item of the plan
type template struct {
	texts  []string // before, between and after the places
	places []string
}

var placeholder = regexp.MustCompile(`\{(n|i|j|item)\}`)

func parseTemplate(text string) *template {
	return &template{placeholder.Split(text, -1), placeholder.FindAllString(text, -1)}
}

// fill appends a body. The plan says how many customers and which items there are; items are used in turn.
func (t *template) fill(to []byte, n int, p *loadPlan, random *rand.Rand) []byte {
	i := random.IntN(max(1, p.Customers))
	for at, place := range t.places {
		to = append(to, t.texts[at]...)
		switch place {
		case "{n}":
			to = strconv.AppendInt(to, int64(n), 10)
		case "{i}":
			to = strconv.AppendInt(to, int64(i), 10)
		case "{j}":
			to = strconv.AppendInt(to, int64((i+1)%p.Customers), 10)
		case "{item}":
			to = append(to, p.Items[n%len(p.Items)]...)
		}
	}
	return append(to, t.texts[len(t.places)]...)
}

// sample returns the body of the first request.
func (p *loadPlan) sample() string {
	return string(parseTemplate(p.Body).fill(nil, p.First, p, rand.New(rand.NewPCG(p.Seed, 0))))
}
