package event

// Emission declares the events that an endpoint or a job appends, for the documentation and for the
// test that compares it with the events appended.
type Emission struct {
	// By names the endpoints, as the endpoint table has them (POST /api/…), and jobs (job levels).
	By []string
	// Facts are zero values of the payloads in the order of the events. Each is optional, and may be
	// repeated in a row.
	Facts []Fact
	// Again means that the whole list may be repeated, as for every coupon of a purchase.
	Again bool
}
