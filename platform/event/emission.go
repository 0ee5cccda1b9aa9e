package event

// Emission declares what a call or a job appends, for the documentation and for the test that compares it
// with what really happens.
type Emission struct {
	// By names the endpoints, as the endpoint table has them (POST /api/…), and jobs (job levels).
	By []string
	// Facts are zero values of the payloads in the order of the events. Any of them may be missing, and one
	// may come several times in a row.
	Facts []Fact
	// Again tells that the whole list may come again, as for every coupon of a purchase.
	Again bool
}
